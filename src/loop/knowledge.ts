import { GENERAL, type Task } from '../board/task.ts'
import type { Deferred } from '../deferred.ts'
import type { IterationRecord } from '../feature-memory/record.ts'
import type { ProjectKnowledge } from '../project-knowledge/project-knowledge.ts'
import { solutionFrom } from '../project-knowledge/promotion.ts'
import type { LoopKnowledge } from './parts.ts'
import type { KnowledgeBlock } from './prompt/prompt.ts'
import { workingChange } from './working-change.ts'

/** Opened by its first use: a loop without anything to ask or to hand on never opens the user's database. */
type Knowledge = Pick<
  Deferred<ProjectKnowledge>,
  'contextWithSources' | 'gates' | 'capture' | 'checkpoint' | 'recordInjection' | 'recordOutcome' | 'list'
>

export interface LoopKnowledgeOptions {
  project: string
  /** The gate at which a person looks at every task that is done, e.g. "review"; absent for none. */
  gate?: string | undefined
}

/** Project knowledge as the loop uses it: a block for the prompt before, what the task taught afterwards. */
export function loopKnowledge(knowledge: Knowledge, { project, gate }: LoopKnowledgeOptions): LoopKnowledge {
  let hasEntries = false
  return {
    async contextFor(task, failed, signal) {
      // Embedding a question takes longer than seeing that nothing is there to answer it.
      hasEntries ||= (await knowledge.list({ limit: 1 })).entries.length > 0
      if (!hasEntries) return undefined
      const error = failed[0]?.errors[0]?.message
      const context = await knowledge.contextWithSources(
        {
          title: task.title,
          description: task.description,
          agentType: agentTypeOf(task.discipline),
          ...(error && { failure: { description: failed[0]!.summary, error } }),
        },
        signal ? { signal } : {},
      )
      if (!context) return undefined
      return {
        text: context.text,
        patterns: context.patterns.map(({ id }) => id),
        items: context.patterns.map(({ id, problem, solution, score, matched, successCount }) => ({
          kind: 'pattern',
          source: `knowledge ${id.slice(0, 8)}`,
          why: `${matched.join(' and ')}; ${successCount} successes`,
          score,
          text: `${problem}\n${solution}`,
        })),
      }
    },

    async feedbackFor(task: Task) {
      const gates = await knowledge.gates.feedbackFor({ project, taskId: task.id })
      return gates.map(({ feedback, gateType }) => `${feedback} (${gateType})`)
    },

    async iterationEnded(record, attempts, shown) {
      await countFor(knowledge, project, record, shown)
      if (record.outcome !== 'success') return
      const solution = solutionFrom({
        project,
        feature: record.feature,
        taskId: record.taskId,
        title: record.taskTitle,
        agentType: agentTypeOf(record.discipline),
        iterations: attempts,
      })
      if (solution) await knowledge.capture(solution.entry, solution.options)
      if (gate !== undefined) {
        await knowledge.gates.request({
          project,
          feature: record.feature,
          taskId: record.taskId,
          taskTitle: record.taskTitle,
          gateType: gate,
          agentType: agentTypeOf(record.discipline) ?? '',
          approach: approachOf(record),
          change: await workingChange(project),
        })
      }
    },

    async checkpoint(trigger) {
      await knowledge.checkpoint(trigger, { project })
    },
  }
}

/** A pattern that was shown and did not help sinks. */
async function countFor(
  knowledge: Knowledge,
  project: string,
  record: IterationRecord,
  shown: KnowledgeBlock | undefined,
): Promise<void> {
  // An iteration that never got to work says nothing about what it was shown.
  if (!shown || record.outcome === 'rate_limited' || record.outcome === 'partial') return
  const task = `${record.feature}/${record.taskId}/${record.iterationNumber}`
  const injection = await knowledge.recordInjection({ project, task, patterns: shown.patterns })
  await knowledge.recordOutcome(injection, record.outcome === 'success' ? 'succeeded' : 'failed')
}

function agentTypeOf(discipline: string): string | undefined {
  return discipline === GENERAL ? undefined : discipline
}

/** What was done, with the reasons, in the agent's own words. */
function approachOf({ summary, decisions }: IterationRecord): string {
  const reasons = decisions.map(
    ({ description, rationale }) => `- ${description}${rationale ? `: ${rationale}` : ''}`,
  )
  return [summary, ...reasons].join('\n')
}
