import type { Command } from 'commander'
import { UsageError } from '../../../errors.ts'
import { chunksOfGiven } from '../../../files/given-file.ts'
import { textLinesOf } from '../../../files/lines.ts'
import { filingOf } from '../../../loop/filing.ts'
import { requireOutsideRun, requirePerson } from '../../../person.ts'
import { KNOWLEDGE_KINDS, type KnowledgeKind, type NewKnowledge } from '../../../project-knowledge/entry.ts'
import { taskSource } from '../../../project-knowledge/sources.ts'
import { snakeKey } from '../../../text/case.ts'
import { plural } from '../../../text/plural.ts'
import { shortId } from '../../../text/short-id.ts'
import { parseOneOf, ralphCommand, withExamples } from '../../command.ts'
import { taskId } from '../board/flags.ts'

interface CaptureFlags {
  kind: KnowledgeKind
  agentType?: string
  taskType?: string
  technology?: string
  task?: number
  by?: string
  failure?: string
  error?: string
  solution?: string
  unverified?: boolean
  gateType?: string
  feedback?: string
  revision?: string
  approach?: string
}

export function registerCapture(knowledge: Command): void {
  const capture = knowledge
    .command('capture')
    .description('put an entry into staging; the next checkpoint makes it findable')
    .requiredOption('--kind <kind>', KNOWLEDGE_KINDS.join(', '), parseOneOf('--kind', KNOWLEDGE_KINDS))
    .option('--agent-type <name>', 'who did the work, e.g. backend')
    .option('--task-type <name>', 'what kind of work, e.g. api')
    .option('--technology <name>', 'e.g. postgres')
    .option('--task <id>', 'the task of this project it is about: similar tasks find it', taskId)
    .option('--by <name>', 'who says so; another person, like another task, is another success')
    .option('--failure <text>', 'failure_solution: what went wrong')
    .option('--error <text>', 'failure_solution: the error message')
    .option('--solution <text>', 'failure_solution: the steps that solved it')
    .option('--unverified', 'failure_solution: nobody has seen it work yet; not offered until verified')
    .option('--gate-type <name>', 'gates: e.g. design, security')
    .option('--feedback <text>', 'gate_rejection: what the person said')
    .option('--revision <text>', 'gate_rejection: how the work was revised')
    .option('--approach <text>', 'gate_approval: what was approved at the first attempt')
  withExamples(
    capture,
    'ralph knowledge capture --kind failure_solution --technology postgres --failure "Migration times out" --error "canceling statement due to statement timeout" --solution "Create the index concurrently"',
    'ralph knowledge capture --kind gate_rejection --task 7 --gate-type security --feedback "Tokens must not be logged"',
  )
  ralphCommand<CaptureFlags>(capture, async ({ ralph, options, out }) => {
    if (options.kind !== 'failure_solution') await requirePerson(ralph.config, 'say what a person has said')
    else if (!options.unverified)
      await requireOutsideRun(ralph.config, 'vouch for a solution', 'in a run it goes with --unverified')
    const task = options.task === undefined ? undefined : await ralph.board.task(options.task)
    const { project } = ralph.config
    const filing = task && (await filingOf(project, task, await ralph.board.findFeature(task.feature)))
    requireFlags(options, task !== undefined)
    const entry = {
      kind: options.kind,
      project,
      agentType: options.agentType ?? filing?.agentType,
      taskType: options.taskType ?? filing?.taskType,
      technology: options.technology ?? filing?.technology,
      taskTitle: task?.title,
      taskDescription: task?.description,
      failureDescription: options.failure ?? task?.title,
      errorMessage: options.error,
      solutionSteps: options.solution,
      successVerified: !options.unverified,
      gateType: options.gateType,
      humanFeedback: options.feedback,
      revisionApproach: options.revision,
      approvedApproach: options.approach,
    }
    const source = { task: task && taskSource(task.feature, task.id), by: options.by }
    const captured = await ralph.knowledge.capture(entry as unknown as NewKnowledge, source)
    out.result(
      captured,
      () => `Staged as ${shortId('knowledge', captured.id)}. Next: ralph knowledge checkpoint`,
    )
  })

  registerImport(knowledge)
}

/** What each kind needs, by the flags that say it. */
const NEEDED: Record<KnowledgeKind, readonly (keyof CaptureFlags)[]> = {
  failure_solution: ['failure', 'solution'],
  gate_rejection: ['gateType', 'feedback'],
  gate_approval: ['gateType', 'approach'],
}

/** A task says by itself what failed. */
function requireFlags(options: CaptureFlags, hasTask: boolean): void {
  const missing = NEEDED[options.kind].filter(
    (flag) => options[flag] === undefined && !(flag === 'failure' && hasTask),
  )
  if (missing.length === 0) return
  const flags = missing.map((flag) => `--${snakeKey(flag).replaceAll('_', '-')}`)
  throw new UsageError(`a ${options.kind} needs ${flags.join(' and ')}`)
}

function registerImport(knowledge: Command): void {
  const take = knowledge
    .command('import <file>')
    .description('stage entries from JSON lines (- for standard input); importing twice changes nothing')
    .option('--format <format>', 'jsonl, the only one so far', parseOneOf('--format', ['jsonl']))
  withExamples(take, 'ralph knowledge import --format jsonl team.jsonl')
  ralphCommand<{ format?: string }>(
    take,
    async ({ ralph, out, signal }, file) => {
      const onProgress = (line: number) => out.progress(plural(line, 'line'))
      const lines = textLinesOf(chunksOfGiven(file!, 'cannot import'))
      const project = ralph.config.project
      const summary = await ralph.knowledge.importJsonl(lines, { project, signal, onProgress })
      out.result(
        summary,
        () =>
          `Staged ${summary.imported}, ${summary.known} known already, ${summary.rejected.length} rejected.`,
      )
      for (const { line, reason } of summary.rejected.slice(0, 10)) out.talk(`  line ${line}: ${reason}`)
      if (summary.rejected.length > 0) process.exitCode = 1
    },
    { forPeople: 'import project knowledge' },
  )
}
