import type { Task } from '../board/task.ts'
import { isRalphError, messageOf } from '../errors.ts'
import type { LedgerEntry } from '../feature-memory/ledger/ledger.ts'
import type { ShownLearning } from '../learnings/display.ts'
import type { Notice } from '../notices.ts'
import { ErrorBook } from '../telling/error-book.ts'
import { loadTokenizer } from '../text/tokens.ts'
import type { MemoryOffer } from './agent/command.ts'
import { handOver } from './hand-over.ts'
import type { FeatureHistory } from './history.ts'
import type { LoopParts } from './parts.ts'
import type { Prompt } from './prompt/assemble.ts'
import { promptFiles } from './prompt/files.ts'
import { type KnowledgeBlock, type TaskBriefing, taskPrompt } from './prompt/prompt.ts'
import { errorsFor, solversOf } from './task-errors.ts'

/** More would be history: the hand-over tells of the last one, these of what else was tried. */
const MOST_ATTEMPTS = 5
const MOST_ERRORS = 5
/** How far back it matters that another run changed the same files. */
const RECENT_RUNS = 30

export interface BriefedPrompt {
  prompt: Prompt
  knowledge: KnowledgeBlock | undefined
  /** Context files that are listed but gone. */
  stale: string[]
}

export interface BriefingOptions {
  budget: number
  /** What of memory the agent can call. */
  memoryTools: MemoryOffer
  /** False to show nothing of what earlier iterations did. */
  memory?: boolean | undefined
  signal?: AbortSignal | undefined
}

/** Gathers what is known about a task and makes the prompt of it. Changes nothing. */
export async function briefTask(
  parts: Pick<LoopParts, 'project' | 'board' | 'learnings' | 'knowledge' | 'notices'>,
  task: Task,
  history: FeatureHistory,
  { budget, memoryTools, memory = true, signal }: BriefingOptions,
): Promise<BriefedPrompt> {
  const { board, project } = parts
  const tokenizer = await loadTokenizer()
  const feature = await board.findFeature(task.feature)
  const remembered = memory ? await remembers(parts, task, history) : NOTHING
  const files = await promptFiles(project, feature, tokenizer)
  const isTold = tellingOf(remembered)
  const { open } = remembered.errors
  const knowledge = memory ? await knowledgeFor(parts, task, open, { signal, isTold }) : undefined
  const prompt = taskPrompt(
    {
      task,
      feature,
      discipline: await board.findDiscipline(task.discipline),
      currentState: await board.currentState(task.feature),
      feedback: await feedbackFor(parts, task),
      ...remembered,
      knowledge,
      files,
      memoryAccess: {
        ask: memory && memoryTools !== 'nothing' && !isEmpty(history, remembered),
        note: memory && memoryTools === 'everything',
      },
    },
    budget,
    tokenizer,
  )
  return { prompt, knowledge, stale: files.stale }
}

type Remembered = Pick<TaskBriefing, 'handOver' | 'last' | 'failedAttempts' | 'errors' | 'learnings'>

const NOTHING: Remembered = { failedAttempts: [], errors: { open: [], nearby: [] }, learnings: [] }

/** What the feature's own memory has to say on the task. */
async function remembers(
  parts: Pick<LoopParts, 'learnings' | 'notices'>,
  task: Task,
  history: FeatureHistory,
): Promise<Remembered> {
  const attempts = history.attempts(task.id)
  const recent = history.recent(RECENT_RUNS)
  const handedOver = handOver(task, attempts, recent)
  const solvers = solversOf(history.ledger)
  const failedAttempts = history
    .failedAttempts(task.id)
    .filter((record) => record !== handedOver?.run && !solvers.has(record.iterationNumber))
    .slice(0, MOST_ATTEMPTS)
  const told = [...(handedOver ? [handedOver.run] : []), ...failedAttempts]
  const { open, nearby } = errorsFor(task, history.ledger, { attempts, told, recent })
  return {
    handOver: handedOver,
    last: recent[0],
    failedAttempts,
    errors: { open: open.slice(0, MOST_ERRORS), nearby: nearby.slice(0, MOST_ERRORS) },
    learnings: await learningsFor(parts, task, history),
  }
}

/** Whether a problem is told from this feature's own memory, with what solved it. */
function tellingOf({ errors }: Remembered): (problem: string) => boolean {
  const book = new ErrorBook(
    [...errors.open, ...errors.nearby].filter(({ solutions }) => solutions.length > 0),
  )
  return (problem) => book.repeats(problem)
}

function isEmpty(history: FeatureHistory, { learnings }: Remembered): boolean {
  return history.latest === 0 && learnings.length === 0
}

/** Key of the notice: whatever asks the storage in a loop meets the same trouble, which is told once. */
export const STORAGE_DOWN = 'storage'

export function storageDown(consequence: string, error: unknown): Notice {
  const hint = (isRalphError(error) && error.hint) || 'ralph doctor'
  return { key: STORAGE_DOWN, message: `${consequence}: ${messageOf(error)}`, hint }
}

/** Memory enriches, it never gates: without it the task is worked on all the same. */
async function knowledgeFor(
  { knowledge, notices }: Pick<LoopParts, 'knowledge' | 'notices'>,
  task: Task,
  openErrors: readonly LedgerEntry[],
  options: Parameters<NonNullable<LoopParts['knowledge']>['contextFor']>[2],
): Promise<KnowledgeBlock | undefined> {
  try {
    return await knowledge?.contextFor(task, openErrors, options)
  } catch (error) {
    notices.once(storageDown('project knowledge is off', error))
    return undefined
  }
}

async function feedbackFor(
  { knowledge, notices }: Pick<LoopParts, 'knowledge' | 'notices'>,
  task: Task,
): Promise<string[]> {
  try {
    const feedback = await knowledge?.feedbackFor(task)
    notices.recovered(STORAGE_DOWN)
    return feedback ?? []
  } catch (error) {
    notices.once(storageDown('project knowledge is off, and with it gates', error))
    return []
  }
}

async function learningsFor(
  { learnings, notices }: Pick<LoopParts, 'learnings' | 'notices'>,
  task: Task,
  history: FeatureHistory,
): Promise<ShownLearning[]> {
  try {
    return await learnings.list(task.feature, { taskId: task.id, iteration: history.latest })
  } catch (error) {
    notices.once({
      key: 'loop:learnings',
      message: `learnings are off: ${messageOf(error)}`,
      hint: 'ralph doctor',
    })
    return []
  }
}
