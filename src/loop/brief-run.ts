import { isDrawn, type RunMemory } from '../feature-memory/record.ts'
import type { ReceiptItem } from '../receipts/receipt.ts'
import { type BriefedPrompt, briefTask } from './briefing.ts'
import type { FeatureHistory } from './history.ts'
import type { IterationContext } from './prepare.ts'
import { briefReview } from './review.ts'
import type { Work } from './work.ts'

/** What a run is told, and what memory had to do with it. */
export interface RunBriefing extends BriefedPrompt {
  memory: RunMemory
  /** What memory would have told, where a draw kept it back. */
  withheld: ReceiptItem[]
}

export type BriefingContext = Pick<IterationContext, 'parts' | 'options' | 'memoryTools' | 'signals'>

/** Stood before every run, with memory or without: a person's word on the task, and files of the board. */
const NOT_OF_MEMORY: ReadonlySet<string> = new Set(['feedback', 'file'])

/** Draws whether a run goes without memory, where that is asked for, and makes its prompt. Changes nothing. */
export async function briefRun(
  context: BriefingContext,
  work: Work,
  history: FeatureHistory,
): Promise<RunBriefing> {
  const { parts, options, memoryTools, signals } = context
  const { memory = true, promptBudget: budget, holdout } = options
  const told = { budget, memoryTools, memory, signal: signals.stop }
  if (work.kind === 'review') {
    const { prompt } = await briefReview(parts, work.feature, history, told)
    const pieces = ofMemory(prompt.items).length
    return { prompt, knowledge: undefined, stale: [], memory: { given: memory, pieces }, withheld: [] }
  }
  const briefed = await briefTask(parts, work.task, history, told)
  const pieces = ofMemory(briefed.prompt.items)
  const had = { pieces: pieces.length }
  if (!memory || !holdout) return { ...briefed, memory: { given: memory, ...had }, withheld: [] }
  const { share, seed } = holdout
  // The number that it will most likely get: whoever records meanwhile takes it, and the draw stands all the same.
  const draw = { seed, iteration: history.latest + 1 }
  const drawn = { ...had, holdout: share, draw }
  if (!isDrawn(holdout, work.task.feature, draw.iteration))
    return { ...briefed, memory: { given: true, ...drawn }, withheld: [] }
  const bare = await briefTask(parts, work.task, history, { ...told, memory: false })
  return { ...bare, memory: { given: false, ...drawn }, withheld: pieces }
}

function ofMemory(items: readonly ReceiptItem[]): ReceiptItem[] {
  return items.filter(({ kind }) => !NOT_OF_MEMORY.has(kind))
}
