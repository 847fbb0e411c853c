import type { Command } from 'commander'
import { OUTCOMES, type Outcome } from '../../../feature-memory/record.ts'
import { oneOf, ralphCommand, wholeNumber, withExamples } from '../../command.ts'
import { iterationText } from '../../iteration-text.ts'

interface RecordOptions {
  feature: string
  taskId: number
  taskTitle: string
  outcome?: Outcome
  discipline?: string
  modelTier?: string
  transcript: string
}

export function registerRecord(memory: Command): void {
  const record = memory
    .command('record')
    .description('extract one recorded agent run into memory')
    .requiredOption('--feature <name>', 'the feature the agent worked on')
    .requiredOption('--task-id <number>', 'the task it worked on', wholeNumber('--task-id'))
    .requiredOption('--task-title <text>', "the task's title")
    .requiredOption(
      '--transcript <file>',
      "the agent's stream-json output or session file; - for standard input",
    )
    .option(
      '--outcome <outcome>',
      `how it ended (default: from the run): ${OUTCOMES.join(', ')}`,
      oneOf('--outcome', OUTCOMES),
    )
    .option('--discipline <name>', 'the discipline of the task')
    .option('--model-tier <name>', 'haiku for a task, opus for a review, or a model name')
  withExamples(
    record,
    'ralph memory record --feature auth --task-id 7 --task-title "Build login form" --transcript run.jsonl',
    'claude -p "…" --output-format stream-json --verbose | ralph memory record --feature auth --task-id 7 --task-title "Build login form" --transcript -',
  )
  ralphCommand<RecordOptions>(record, async ({ ralph, options, out, signal }) => {
    const { transcript, json: _json, project: _project, ...task } = options
    const input = transcript === '-' ? { lines: process.stdin } : { file: transcript }
    const { record: stored, skippedLines } = await ralph.featureMemory.record({ ...task, ...input, signal })
    out.result({ record: stored }, () => iterationText(out, stored))
    if (skippedLines > 0) out.talk(`${skippedLines} unreadable lines of the transcript were skipped`)
  })
}
