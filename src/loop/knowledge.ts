import type { Board } from '../board/board.ts'
import type { Task } from '../board/task.ts'
import type { Deferred } from '../deferred.ts'
import { isFailedAttempt } from '../feature-memory/endings.ts'
import { decisionText, type IterationRecord } from '../feature-memory/record.ts'
import type { ListedGate } from '../project-knowledge/gate.ts'
import type { ProjectKnowledge } from '../project-knowledge/project-knowledge.ts'
import { promoted } from '../project-knowledge/promotion.ts'
import { taskSource } from '../project-knowledge/sources.ts'
import { deterministicUuid } from '../text/ids.ts'
import { plural } from '../text/plural.ts'
import { filingOf } from './filing.ts'
import { gateRequest, sendBackRejected } from './gate.ts'
import type { LoopKnowledge, SentBack, ShownPatterns } from './parts.ts'
import { solvedErrors } from './solved-errors.ts'

/** Opened by its first use: a loop without anything to ask or to hand on never opens the user's database. */
type Knowledge = Pick<
  Deferred<ProjectKnowledge>,
  | 'contextWithSources'
  | 'gates'
  | 'capture'
  | 'checkpoint'
  | 'recordInjection'
  | 'recordOutcome'
  | 'list'
  | 'staged'
>

export interface LoopKnowledgeOptions {
  project: string
  board: Pick<Board, 'tasks' | 'findFeature' | 'stampCompletion' | 'updateTask'>
  /** The gate at which a person looks at every task that is done, e.g. "review"; absent for none. */
  gate?: string | undefined
}

/** Project knowledge as the loop uses it: a block for the prompt before, what the task taught afterwards. */
export function loopKnowledge(knowledge: Knowledge, options: LoopKnowledgeOptions): LoopKnowledge {
  const { project, board, gate } = options
  const filing = async (task: Task) => filingOf(project, task, await board.findFeature(task.feature))
  const taskOf = async (taskId: number) => (await board.tasks()).find(({ id }) => id === taskId)
  let hasEntries = false
  return {
    async begin(signal) {
      const { entries } = await knowledge.staged()
      if (entries.some(({ verified }) => verified)) await knowledge.checkpoint('loop_start', { signal })
    },

    async contextFor(task, openErrors, { signal, isTold } = {}) {
      // Embedding a question takes longer than seeing that nothing is there to answer it.
      hasEntries ||= (await knowledge.list({ limit: 1 })).entries.length > 0
      if (!hasEntries) return undefined
      const { agentType, technology } = await filing(task)
      const [error] = openErrors
      const context = await knowledge.contextWithSources(
        {
          title: task.title,
          description: task.description,
          agentType,
          preferred: { technology },
          without: { project, task: taskSource(task.feature, task.id) },
          ...(error && { failure: { error: error.message } }),
        },
        { ...(signal && { signal }), ...(isTold && { except: ({ problem }) => isTold(problem) }) },
      )
      return context && blockOf(context)
    },

    async feedbackFor(task: Task) {
      const gates = await knowledge.gates.feedbackFor({ project, taskId: task.id })
      return gates.map(({ feedback, gateType }) => `${feedback} (${gateType})`)
    },

    async iterationEnded(record, history, shown) {
      await countFor(knowledge, project, record, shown)
      for (const { taskId, error } of solvedErrors(history, record)) {
        const task = await taskOf(taskId)
        if (!task) continue
        const { title, description, feature } = task
        const finished = { ...(await filing(task)), project, feature, taskId, title, description }
        const solution = promoted(finished, error)
        await knowledge.capture(solution.entry, solution.options)
      }
      if (gate === undefined || record.outcome !== 'success') return
      // Told of late: a later attempt asks for itself.
      const isLatest = history
        .attempts(record.taskId)
        .every(({ iterationNumber }) => iterationNumber <= record.iterationNumber)
      if (!isLatest) return
      const task = await taskOf(record.taskId)
      if (!task) return
      const approach = approachOf(record)
      await knowledge.gates.request(await gateRequest(options, task, { gateType: gate, approach }))
    },

    async checkpoint(trigger) {
      await knowledge.checkpoint(trigger, { project })
    },

    async sendBackRejected() {
      return (await sendBackRejected({ gates: knowledge.gates, board, project })).map(sentBackOf)
    },

    async waitingGates() {
      const waiting = await knowledge.gates.waiting({ project })
      return waiting.map(({ id, taskId, taskTitle, gateType }) => ({ id, taskId, taskTitle, gateType }))
    },
  }
}

function sentBackOf({ id, taskId, taskTitle, gateType, feedback, ...decided }: ListedGate): SentBack {
  return { id, taskId, taskTitle, gateType, feedback, by: decided.decidedBy || decided.decidedAccount }
}

function blockOf({ text, patterns }: NonNullable<Awaited<ReturnType<Knowledge['contextWithSources']>>>) {
  return {
    text,
    patterns: patterns.map(({ id }) => id),
    items: patterns.map(({ id, problem, solution, score, matched, successCount }) => ({
      kind: 'pattern' as const,
      source: `knowledge ${id.slice(0, 8)}`,
      why: `${matched.join(' and ')}; ${plural(successCount, 'success', 'successes')}`,
      score,
      text: `${problem}\n${solution}`,
    })),
  }
}

/** A pattern that was shown and did not help sinks. */
async function countFor(
  knowledge: Knowledge,
  project: string,
  record: IterationRecord,
  shown: ShownPatterns | undefined,
): Promise<void> {
  // Whoever was stopped or never got to work says nothing about what it was shown.
  const helped = record.ending.kind === 'done' && record.outcome === 'success'
  if (!shown || !(helped || isFailedAttempt(record))) return
  const task = `${taskSource(record.feature, record.taskId)}/${record.iterationNumber}`
  // The same one again, should this be told of twice.
  const id = deterministicUuid(project, task, record.timestamp)
  const injection = await knowledge.recordInjection({ id, project, task, patterns: shown.patterns })
  await knowledge.recordOutcome(injection, helped ? 'succeeded' : 'failed')
}

/** What was done, with the reasons, in the agent's own words. */
function approachOf({ summary, decisions }: IterationRecord): string {
  return [summary, ...decisions.map((decision) => `- ${decisionText(decision)}`)].join('\n')
}
