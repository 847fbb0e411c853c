import type { Command } from 'commander'
import { RalphError } from '../../../errors.ts'
import type { JournalReport } from '../../../feature-memory/feature-memory.ts'
import { chunksOfGiven, writeGiven } from '../../../files/given-file.ts'
import { textLinesOf } from '../../../files/lines.ts'
import { plural } from '../../../text/plural.ts'
import { shellWord } from '../../../text/shell-word.ts'
import { doneForGood } from '../../../undo/undoable.ts'
import { parseWholeNumber, ralphCommand, withExamples } from '../../command.ts'
import { confirmed } from '../../confirm.ts'

/** Whoever forgets wants it gone. */
const FORGOTTEN = 'what is forgotten is kept nowhere'

interface MaybeFeature {
  feature?: string
}

export function registerCare(memory: Command): void {
  registerVerify(memory)
  registerRebuild(memory)
  registerExport(memory)
  registerImport(memory)
  registerForget(memory)
}

function registerVerify(memory: Command): void {
  const verify = memory
    .command('verify')
    .description('check the journals line by line; exits 1 when a line is damaged')
    .option('--feature <name>', 'only this feature (default: all)')
  withExamples(verify, 'ralph memory verify')
  ralphCommand<MaybeFeature>(verify, async ({ ralph, options, out }) => {
    const features = options.feature === undefined ? await ralph.featureMemory.features() : [options.feature]
    const journals: JournalReport[] = []
    for (const feature of features) journals.push(await ralph.featureMemory.verify(feature))
    const ok = journals.every(({ damaged }) => damaged.length === 0)
    out.result({ ok, journals }, () =>
      journals
        .map(({ feature, records, damaged, setAside }) => {
          const head = `${damaged.length === 0 ? out.style('green', '✓') : out.style('red', '✗')} ${feature}: ${plural(records, 'record')}`
          const aside =
            setAside > 0
              ? [`  set aside after a crash: ${plural(setAside, 'unfinished line')} (kept in the .torn file)`]
              : []
          return [head, ...damaged.map(({ line, reason }) => `  line ${line}: ${reason}`), ...aside].join(
            '\n',
          )
        })
        .join('\n'),
    )
    if (journals.length === 0) out.talk('No journals in this project yet.')
    if (!ok) {
      out.talk(
        'Damaged lines are left out of every search; the others are untouched. Mend or delete those lines in an editor.',
      )
      process.exitCode = 1
    }
  })
}

function registerRebuild(memory: Command): void {
  const rebuild = memory
    .command('rebuild')
    .description('throw the index away and build it again from the journals')
    .option('--feature <name>', 'only this feature (default: all, and left-over collections go)')
  withExamples(rebuild, 'ralph memory rebuild')
  ralphCommand<MaybeFeature>(rebuild, async ({ ralph, options, out, signal }) => {
    const features = options.feature === undefined ? await ralph.featureMemory.features() : [options.feature]
    let indexed = 0
    for (const feature of features) {
      let done = 0
      await ralph.featureMemory.rebuild(feature, {
        signal,
        onProgress: (progress) => {
          // Counted anew for each of the sources: the journal, the learnings.
          if (progress.indexed <= done) indexed += done
          done = progress.indexed
          out.progress(`${feature}: ${plural(done, 'record')}`)
        },
      })
      indexed += done
    }
    const removed = options.feature === undefined ? await ralph.featureMemory.removeOrphans() : []
    out.result(
      { features, records: indexed, removed_collections: removed },
      () => `Rebuilt ${plural(features.length, 'feature')}, ${plural(indexed, 'memory', 'memories')}.`,
    )
  })
}

function registerExport(memory: Command): void {
  const command = memory
    .command('export')
    .description('write records as JSON lines, to move them to another machine')
    .option('--feature <name>', 'only this feature (default: all)')
    .option('--output <file>', 'write to this file instead of standard output')
  withExamples(command, 'ralph memory export --feature auth --output auth.jsonl')
  ralphCommand<MaybeFeature & { output?: string }>(command, async ({ ralph, options, out }) => {
    const features = options.feature === undefined ? await ralph.featureMemory.features() : [options.feature]
    const lines = async function* () {
      for (const feature of features) yield* ralph.featureMemory.export(feature)
    }
    if (options.output === undefined) {
      const records = await out.lines(lines())
      return out.talk(`${plural(records, 'record')} of ${plural(features.length, 'feature')}`)
    }
    const records = await writeGiven(options.output, lines(), 'cannot export')
    out.result(
      { records, features, output: options.output },
      () => `Wrote ${plural(records, 'record')} to ${options.output}.`,
    )
  })
}

function registerImport(memory: Command): void {
  const command = memory
    .command('import <file>')
    .description('take over exported records; what is here already is left alone (- for standard input)')
    .option('--feature <name>', 'put everything into this feature')
  withExamples(command, 'ralph memory import auth.jsonl')
  ralphCommand<MaybeFeature>(command, async ({ ralph, options, out }, file) => {
    const lines = textLinesOf(chunksOfGiven(file!, 'cannot import'))
    const summary = await ralph.featureMemory.import(lines, { feature: options.feature })
    out.result(
      summary,
      () =>
        `Imported ${plural(summary.imported, 'record')}, ${summary.known} known already, ${summary.rejected.length} rejected.`,
    )
    for (const { line, reason } of summary.rejected.slice(0, 10)) out.talk(`  line ${line}: ${reason}`)
    if (summary.rejected.length > 0) process.exitCode = 1
  })
}

function registerForget(memory: Command): void {
  const forget = memory
    .command('forget')
    .description('remove records for good, with their logs, receipts and notes')
    .requiredOption('--feature <name>', 'the feature')
    .option('--iteration <number...>', 'only these iterations', (text: string, earlier: number[] = []) => [
      ...earlier,
      parseWholeNumber('--iteration', 1)(text),
    ])
    .option('--task-id <number>', 'only this task', parseWholeNumber('--task-id'))
    .option('--id <id...>', 'only these, where a merge brought several of one number')
    .option('--yes', 'do not ask')
  withExamples(forget, 'ralph memory forget --feature auth --iteration 12')
  ralphCommand<{ feature: string; iteration?: number[]; taskId?: number; id?: string[]; yes?: boolean }>(
    forget,
    async ({ ralph, options, out }) => {
      const { feature, iteration, taskId, id } = options
      const what = id
        ? `the records ${id.join(', ')} of "${feature}"`
        : iteration
          ? `iterations ${iteration.join(', ')} of "${feature}"`
          : taskId !== undefined
            ? `all iterations of task ${taskId} of "${feature}"`
            : `EVERYTHING about "${feature}"`
      if (!options.yes && !(await confirmed(`Forget ${what}? This cannot be undone.`))) {
        throw new RalphError('cancelled', 'nothing was forgotten', {
          hint: 'Add --yes to forget without being asked.',
        })
      }
      const forgotten = await ralph.featureMemory.forget(feature, {
        iterations: iteration,
        taskId,
        ids: id,
      })
      if (forgotten > 0) await doneForGood(ralph, `memory forget --feature ${shellWord(feature)}`, FORGOTTEN)
      out.result({ forgotten }, () => `Forgot ${plural(forgotten, 'record')}.`)
    },
    { forPeople: 'forget what is remembered' },
  )
}
