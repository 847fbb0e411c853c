import type { LedgerEntry } from '../feature-memory/ledger/ledger.ts'
import { loadTokenizer } from '../text/tokens.ts'
import type { BriefingOptions } from './briefing.ts'
import type { FeatureHistory } from './history.ts'
import type { LoopParts } from './parts.ts'
import type { Prompt } from './prompt/assemble.ts'
import { reviewPrompt } from './prompt/review-prompt.ts'
import { inOrder } from './task-errors.ts'

/** Every so many reviews the learnings themselves are checked against the code. */
const LEARNINGS_EVERY = 5
const RECENT = 15
const MOST_ERRORS = 10

/** Gathers what a reviewer of a feature needs, and makes the prompt of it. */
export async function briefReview(
  { board, learnings }: Pick<LoopParts, 'board' | 'learnings'>,
  featureName: string,
  history: FeatureHistory,
  { budget, memoryTools, memory = true }: BriefingOptions,
): Promise<{ prompt: Prompt }> {
  const prompt = reviewPrompt(
    {
      featureName,
      feature: await board.findFeature(featureName),
      currentState: await board.currentState(featureName),
      recent: memory ? history.recent(RECENT) : [],
      errors: memory ? errorsToReview(history) : [],
      learnings: !memory ? [] : await learnings.list(featureName, { iteration: history.latest }),
      checkLearnings: (history.reviews + 1) % LEARNINGS_EVERY === 0,
      memoryTools: memoryTools === 'everything',
    },
    budget,
    await loadTokenizer(),
  )
  return { prompt }
}

/** What is there, and what is gone with evidence; nothing is claimed of the rest. */
function errorsToReview({ ledger }: FeatureHistory): LedgerEntry[] {
  return inOrder(ledger.entries().filter(({ life }) => life !== 'not_seen_since')).slice(0, MOST_ERRORS)
}
