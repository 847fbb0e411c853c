import type { Command } from 'commander'
import { UsageError } from '../../../errors.ts'
import { OUTCOMES, type Outcome, RECORD_KINDS, type RecordKind } from '../../../feature-memory/record.ts'
import { plural } from '../../../text/plural.ts'
import { AGENT_NAMES, type AgentName } from '../../../transcripts/agents.ts'
import { parseOneOf, parseWholeNumber, ralphCommand, withExamples } from '../../command.ts'
import { iterationText } from '../../iteration-text.ts'

const FORMATS = [...AGENT_NAMES, 'auto'] as const

interface RecordOptions {
  feature: string
  kind?: RecordKind
  taskId?: number
  taskTitle: string
  outcome?: Outcome
  discipline?: string
  modelTier?: string
  transcript: string
  format?: AgentName | 'auto'
}

export function registerRecord(memory: Command): void {
  const record = memory
    .command('record')
    .description('extract one recorded agent run into memory')
    .requiredOption('--feature <name>', 'the feature the agent worked on')
    .option('--task-id <number>', 'the task it worked on', parseWholeNumber('--task-id'))
    .requiredOption('--task-title <text>', "the task's title, or what the session was about")
    .requiredOption(
      '--transcript <file>',
      "the event stream or the session file of an agent's program; - for standard input",
    )
    .option(
      '--format <agent>',
      `whose it is (default auto, told by its lines): ${FORMATS.join(', ')}`,
      parseOneOf('--format', FORMATS),
    )
    .option(
      '--kind <kind>',
      `what it was (default: task with --task-id, else session): ${RECORD_KINDS.join(', ')}`,
      parseOneOf('--kind', RECORD_KINDS),
    )
    .option(
      '--outcome <outcome>',
      `how it ended (default: from the run): ${OUTCOMES.join(', ')}`,
      parseOneOf('--outcome', OUTCOMES),
    )
    .option('--discipline <name>', 'the discipline of the task')
    .option('--model-tier <name>', 'haiku for a task, opus for a review, or a model name')
  withExamples(
    record,
    'ralph memory record --feature auth --task-id 7 --task-title "Build login form" --transcript run.jsonl',
    'codex exec --json "…" | ralph memory record --feature auth --task-title "Build login form" --transcript -',
    'claude -p "…" --output-format stream-json --verbose | ralph memory record --feature auth --task-id 7 --task-title "Build login form" --transcript -',
  )
  ralphCommand<RecordOptions>(record, async ({ ralph, options, out, signal }) => {
    const { transcript, format = 'auto', taskId = 0, json: _json, project: _project, ...task } = options
    if (task.kind === 'task' && taskId === 0) throw noTask()
    const input = transcript === '-' ? { lines: process.stdin } : { file: transcript }
    const run = { ...task, taskId, ...input, ...(format !== 'auto' && { agent: format }), signal }
    const { status, record: stored, skippedLines } = await ralph.featureMemory.record(run)
    out.result({ status, record: stored }, () => iterationText(out, stored))
    if (status === 'known')
      out.talk(`this run is recorded already, as iteration ${stored.iterationNumber}: nothing was stored`)
    if (skippedLines > 0)
      out.talk(`Skipped, as not readable: ${plural(skippedLines, 'line')} of the transcript`)
  })
}

function noTask(): UsageError {
  return new UsageError(
    'a run of the kind "task" needs its task',
    'Add --task-id NUMBER, or say --kind session.',
  )
}
