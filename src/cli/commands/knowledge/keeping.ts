import type { Command } from 'commander'
import { RalphError } from '../../../errors.ts'
import { writeGiven } from '../../../files/given-file.ts'
import { requireOutsideRun } from '../../../person.ts'
import { KNOWLEDGE_KINDS, type KnowledgeKind } from '../../../project-knowledge/entry.ts'
import { snakeKey } from '../../../text/case.ts'
import { layOut } from '../../../text/columns.ts'
import { plural } from '../../../text/plural.ts'
import { shortId } from '../../../text/short-id.ts'
import { oneLine } from '../../../text/truncate.ts'
import { doneForGood } from '../../../undo/undoable.ts'
import { parseOneOf, parseWholeNumber, ralphCommand, withExamples } from '../../command.ts'
import { confirmed } from '../../confirm.ts'
import { table } from '../../table.ts'
import { requireAsker } from './asking.ts'

export function registerKeeping(knowledge: Command): void {
  registerCheckpoint(knowledge)
  registerList(knowledge)
  registerShow(knowledge)
  registerVerify(knowledge)
  registerForget(knowledge)
  registerExport(knowledge)
  registerStatistics(knowledge)
  registerPrune(knowledge)
}

function registerCheckpoint(knowledge: Command): void {
  const command = knowledge.command('checkpoint').description('embed what is staged, so that it can be found')
  withExamples(command, 'ralph knowledge checkpoint')
  ralphCommand(command, async ({ ralph, out, signal }) => {
    const handedOn = await ralph.loop.handOnWaiting()
    const result = await ralph.knowledge.checkpoint('manual', {
      signal,
      onProgress: ({ phase, done, total }) => out.progress(`${phase}: ${done} of ${total}`),
    })
    const { embedded, merged, reembedded, staged, stopped } = result
    out.result({ handedOn, ...result, stopped: stopped?.message }, () =>
      [
        ...(handedOn > 0
          ? [`${plural(handedOn, 'iteration')} handed on that had waited for the database.`]
          : []),
        `${embedded} embedded, ${merged} counted for entries that say the same, ${reembedded} embedded again.`,
        ...(staged.unverified > 0
          ? [
              `Not verified yet: ${entriesText(staged.unverified)} (ralph knowledge list --staged, then verify ID)`,
            ]
          : []),
      ].join('\n'),
    )
    if (stopped) throw stopped
  })
}

interface ListFlags {
  kind?: KnowledgeKind
  staged?: boolean
  limit?: number
  after?: string
}

function registerList(knowledge: Command): void {
  const command = knowledge
    .command('list')
    .description('entries, the newest first')
    .option('--staged', 'what waits for a checkpoint, instead')
    .option('--kind <kind>', `only ${KNOWLEDGE_KINDS.join(', ')}`, parseOneOf('--kind', KNOWLEDGE_KINDS))
    .option('--limit <number>', 'how many (default 50)', parseWholeNumber('--limit', 1))
    .option('--after <cursor>', 'go on where the page before ended')
  withExamples(command, 'ralph knowledge list --kind gate_rejection')
  ralphCommand<ListFlags>(command, async ({ ralph, options, out }) => {
    await requireAsker(ralph)
    const { staged, kind, limit, after } = options
    const page = await (staged
      ? ralph.knowledge.staged({ kind, limit, after })
      : ralph.knowledge.list({ kind, limit, after }))
    out.result(page, () =>
      table(
        ['id', 'kind', 'problem', staged ? 'verified' : 'successes'],
        page.entries.map((entry) => [
          shortId('knowledge', entry.id),
          entry.kind,
          oneLine(problemOf(entry), 80),
          'successCount' in entry ? entry.successCount : entry.verified ? 'yes' : 'not yet',
        ]),
      ),
    )
    if (page.entries.length === 0)
      out.talk(staged ? 'Nothing is staged.' : 'No entries yet. See: ralph knowledge list --staged')
    if (page.next) out.talk(`More: --after ${page.next}`)
  })
}

function registerShow(knowledge: Command): void {
  const command = knowledge.command('show <id>').description('one entry, whole')
  withExamples(command, 'ralph knowledge show 3f2a81b0')
  ralphCommand(command, async ({ ralph, out }, id) => {
    await requireAsker(ralph)
    const shown = await ralph.knowledge.show(id!)
    out.result(shown, () =>
      table(
        ['state', shown.state],
        Object.entries(shown.entry)
          .filter(([name, value]) => name !== 'projectId' && value !== undefined && value !== '')
          .map(([name, value]) => [inWords(name), String(value)]),
      ),
    )
  })
}

function registerVerify(knowledge: Command): void {
  const command = knowledge.command('verify <id>').description('a staged solution has been seen to work')
  withExamples(command, 'ralph knowledge verify 3f2a81b0')
  ralphCommand(command, async ({ ralph, out }, id) => {
    await requireOutsideRun(ralph.config, 'verify a solution')
    await ralph.knowledge.verify(id!)
    out.result({ verified: id }, () => 'Verified. The next checkpoint takes it.')
  })
}

function registerForget(knowledge: Command): void {
  const command = knowledge
    .command('forget <id>')
    .description('remove an entry for good')
    .option('--yes', 'do not ask')
  withExamples(command, 'ralph knowledge forget 3f2a81b0')
  ralphCommand<{ yes?: boolean }>(
    command,
    async ({ ralph, options, out }, id) => {
      if (!options.yes && !(await confirmed(`Forget entry ${id}? This cannot be undone.`))) {
        throw new RalphError('cancelled', 'nothing was forgotten', {
          hint: 'Add --yes to forget without being asked.',
        })
      }
      const forgotten = await ralph.knowledge.forget(id!)
      await doneForGood(
        ralph,
        `knowledge forget ${shortId('knowledge', forgotten)}`,
        'what is forgotten is kept nowhere',
      )
      out.result({ forgotten }, () => `Forgot ${forgotten}.`)
    },
    { forPeople: 'forget project knowledge' },
  )
}

function registerExport(knowledge: Command): void {
  const command = knowledge
    .command('export')
    .description('write all entries as JSON lines')
    .option('--output <file>', 'write to this file instead of standard output')
  withExamples(command, 'ralph knowledge export --output team.jsonl')
  ralphCommand<{ output?: string }>(command, async ({ ralph, options, out }) => {
    await requireAsker(ralph)
    const lines = ralph.knowledge.exportJsonl()
    const { output } = options
    if (output === undefined) return out.talk(entriesText(await out.lines(lines)))
    const entries = await writeGiven(output, lines, 'cannot export')
    out.result({ entries, output }, () => `Wrote ${entriesText(entries)} to ${output}.`)
  })
}

function registerStatistics(knowledge: Command): void {
  const command = knowledge.command('statistics').description('how much is known, and whether it has helped')
  withExamples(command, 'ralph knowledge statistics')
  ralphCommand(command, async ({ ralph, out }) => {
    const statistics = await ralph.knowledge.statistics()
    out.result(statistics, () =>
      layOut(
        Object.entries(statistics)
          .filter(([, value]) => value !== undefined && value !== null)
          .map(([name, value]) => [inWords(name), valueText(value)]),
      ),
    )
  })
}

function registerPrune(knowledge: Command): void {
  const command = knowledge.command('prune').description('delete what is past its year')
  withExamples(command, 'ralph knowledge prune')
  ralphCommand(
    command,
    async ({ ralph, out, signal }) => {
      const pruned = await ralph.knowledge.prune({ signal })
      out.result({ pruned }, () => `Deleted ${entriesText(pruned)} past their year.`)
    },
    { forPeople: 'delete project knowledge' },
  )
}

/** `lastCheckpoint` as a person would write it. */
function inWords(name: string): string {
  return snakeKey(name).replaceAll('_', ' ')
}

function valueText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .map(([name, one]) => `${inWords(name)} ${one}`)
    .join(', ')
}

function entriesText(count: number): string {
  return plural(count, 'entry', 'entries')
}

/** The field that says most about an entry, whatever its kind. */
function problemOf(entry: object): string {
  const fields = entry as Record<string, unknown>
  return String(fields['failureDescription'] ?? fields['humanFeedback'] ?? fields['approvedApproach'] ?? '')
}
