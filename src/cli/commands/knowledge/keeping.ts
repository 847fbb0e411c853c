import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { RalphError } from '../../../errors.ts'
import { requireOutsideRun } from '../../../person.ts'
import { KNOWLEDGE_KINDS, type KnowledgeKind } from '../../../project-knowledge/entry.ts'
import { oneLine } from '../../../text/truncate.ts'
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
    const result = await ralph.knowledge.checkpoint('manual', {
      signal,
      onProgress: ({ phase, done, total }) => out.progress(`${phase}: ${done} of ${total}`),
    })
    const { embedded, merged, reembedded, staged, stopped } = result
    out.result({ ...result, stopped: stopped?.message }, () =>
      [
        `${embedded} embedded, ${merged} counted for entries that say the same, ${reembedded} embedded again.`,
        ...(staged.unverified > 0
          ? [`${staged.unverified} wait for verification: ralph knowledge verify ID`]
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
          entry.id.slice(0, 8),
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
      [
        `${shown.state}`,
        ...Object.entries(shown.entry)
          .filter(([name]) => name !== 'projectId')
          .map(([name, value]) => `${name.padEnd(20)} ${value ?? ''}`),
      ].join('\n'),
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
  ralphCommand<{ yes?: boolean }>(command, async ({ ralph, options, out }, id) => {
    await requireOutsideRun(ralph.config, 'forget project knowledge')
    if (!options.yes && !(await confirmed(`Forget entry ${id}? This cannot be undone.`))) {
      throw new RalphError('cancelled', 'nothing was forgotten', {
        hint: 'Add --yes to forget without being asked.',
      })
    }
    const forgotten = await ralph.knowledge.forget(id!)
    out.result({ forgotten }, () => `Forgot ${forgotten}.`)
  })
}

function registerExport(knowledge: Command): void {
  const command = knowledge
    .command('export')
    .description('write all entries as JSON lines')
    .option('--output <file>', 'write to this file instead of standard output')
  withExamples(command, 'ralph knowledge export --output team.jsonl')
  ralphCommand<{ output?: string }>(command, async ({ ralph, options, out }) => {
    await requireAsker(ralph)
    let entries = 0
    const lines = async function* () {
      for await (const line of ralph.knowledge.exportJsonl()) {
        entries++
        yield `${line}\n`
      }
    }
    if (options.output === undefined) {
      await out.lines(lines())
      return out.talk(`${entries} entries`)
    }
    await pipeline(lines, createWriteStream(options.output))
    out.result({ entries, output: options.output }, () => `Wrote ${entries} entries to ${options.output}.`)
  })
}

function registerStatistics(knowledge: Command): void {
  const command = knowledge.command('statistics').description('how much is known, and whether it has helped')
  withExamples(command, 'ralph knowledge statistics')
  ralphCommand(command, async ({ ralph, out }) => {
    const statistics = await ralph.knowledge.statistics()
    out.result(statistics, () =>
      table(
        ['', ''],
        Object.entries(statistics).map(([name, value]) => [
          name,
          typeof value === 'object' ? JSON.stringify(value) : String(value ?? ''),
        ]),
      ),
    )
  })
}

function registerPrune(knowledge: Command): void {
  const command = knowledge.command('prune').description('delete what is past its year')
  withExamples(command, 'ralph knowledge prune')
  ralphCommand(command, async ({ ralph, out, signal }) => {
    const pruned = await ralph.knowledge.prune({ signal })
    out.result({ pruned }, () => `${pruned} entries were past their year.`)
  })
}

/** The field that says most about an entry, whatever its kind. */
function problemOf(entry: object): string {
  const fields = entry as Record<string, unknown>
  return String(fields['failureDescription'] ?? fields['humanFeedback'] ?? fields['approvedApproach'] ?? '')
}
