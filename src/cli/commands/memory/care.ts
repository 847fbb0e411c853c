import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { RalphError } from '../../../errors.ts'
import type { JournalReport } from '../../../feature-memory/feature-memory.ts'
import { textLinesOf } from '../../../files/lines.ts'
import { parseWholeNumber, ralphCommand, withExamples } from '../../command.ts'
import { confirmed } from '../../confirm.ts'

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
          const head = `${damaged.length === 0 ? out.style('green', '✓') : out.style('red', '✗')} ${feature}: ${records} records`
          const aside =
            setAside > 0
              ? [`  ${setAside} unfinished lines were set aside after a crash (kept in the .torn file)`]
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
          done = progress.indexed
          out.progress(`${feature}: ${done} records`)
        },
      })
      indexed += done
    }
    const removed = options.feature === undefined ? await ralph.featureMemory.removeOrphans() : []
    out.result(
      { features, records: indexed, removed_collections: removed },
      () => `Rebuilt ${features.length} features, ${indexed} records.`,
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
    let records = 0
    const lines = async function* () {
      for (const feature of features) {
        for await (const line of ralph.featureMemory.export(feature)) {
          records++
          yield `${line}\n`
        }
      }
    }
    if (options.output === undefined) {
      await out.lines(lines())
      out.talk(`${records} records of ${features.length} features`)
    } else {
      await pipeline(lines, createWriteStream(options.output))
      out.result(
        { records, features, output: options.output },
        () => `Wrote ${records} records to ${options.output}.`,
      )
    }
  })
}

function registerImport(memory: Command): void {
  const command = memory
    .command('import <file>')
    .description('take over exported records; what is here already is left alone (- for standard input)')
    .option('--feature <name>', 'put everything into this feature')
  withExamples(command, 'ralph memory import auth.jsonl')
  ralphCommand<MaybeFeature>(command, async ({ ralph, options, out }, file) => {
    const input = file === '-' ? process.stdin : createReadStream(file!)
    const summary = await Promise.race([
      ralph.featureMemory.import(textLinesOf(input), { feature: options.feature }),
      failureOf(input),
    ])
    out.result(
      summary,
      () =>
        `Imported ${summary.imported} records, ${summary.known} were here already, ${summary.rejected.length} rejected.`,
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
      out.result({ forgotten }, () => `Forgot ${forgotten} records.`)
    },
  )
}

/** Reading a file that is not there fails on the stream, which the line reader does not pass on. */
function failureOf(input: NodeJS.ReadableStream): Promise<never> {
  return new Promise((_, reject) => input.once('error', reject))
}
