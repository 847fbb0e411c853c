import { describe, expect, it } from 'vitest'
import { reviewPrompt } from '../../src/loop/prompt/review-prompt.ts'
import { entry, failure, feature, golden, learning, tokenizer } from './briefings.ts'

describe('a review', () => {
  const review = (fields = {}) =>
    reviewPrompt(
      {
        featureName: 'auth',
        feature,
        currentState: '1/3 tasks complete.',
        recent: [failure(6, { outcome: 'success', summary: 'Built it.', errors: [] }), failure(5)],
        errors: [entry(1)],
        learnings: [learning(1), learning(2, { remarks: ['[STALE]'] })],
        checkLearnings: false,
        memoryTools: true,
        ...fields,
      },
      8_000,
      tokenizer,
    )

  it('looks at the last iterations', async () => {
    await expect(`${review().text}\n`).toMatchFileSnapshot(golden('review'))
  })

  it('every fifth time checks each learning', async () => {
    await expect(`${review({ checkLearnings: true }).text}\n`).toMatchFileSnapshot(
      golden('review-of-learnings'),
    )
  })
})
