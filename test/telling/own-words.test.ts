import { describe, expect, it } from 'vitest'
import { type NewIteration, parseRecord } from '../../src/feature-memory/record.ts'
import { ownWords } from '../../src/telling/own-words.ts'

const words = (summary: string, fields: Partial<NewIteration> = {}) =>
  ownWords(
    parseRecord({
      iterationNumber: 1,
      taskId: 1,
      taskTitle: 'Add tax',
      feature: 'shop',
      timestamp: '2026-02-07T14:30:00Z',
      outcome: 'partial',
      summary,
      ...fields,
    }),
  )

describe('what a run left to do, in its own words', () => {
  it.each([
    ['Added the rate.\n\nNext: apply it in total().', 'apply it in total().'],
    ['Added the rate. Left to do: apply it.', 'apply it.'],
    ['Added the rate.\n\n**Next steps:**\n- apply it\n- test it', 'apply it; test it'],
    ['Added the rate.\n\n## Remaining work\n\n1. apply it\n2. test it', 'apply it; test it'],
    ['Added the rate. Refunds are still to be done.', 'Refunds are still to be done.'],
    ['Added the rate. I did not get to the refunds.', 'I did not get to the refunds.'],
    ['Added the rate.\nStill missing: refunds', 'refunds'],
  ])('%j', (summary, left) => {
    expect(words(summary)).toEqual({ said: 'Added the rate.', left })
  })

  it.each([
    'The next button works now.',
    'Moved the left column to the right.',
    'Replaced the TODO comment by code.',
    'The remaining tests pass.',
    'What is left of the old code was removed.',
  ])('is not: %s', (summary) => expect(words(summary)).toEqual({ said: summary, left: '' }))
})

describe('what it said', () => {
  it('is without the title, and without what is told from the facts', () => {
    expect(words('Add tax: added the rate.').said).toBe('added the rate.')
    const filesTouched = [{ path: 'src/pay.ts', action: 'modified' as const }]
    expect(
      words('First the rate. Modified src/pay.ts. The run was interrupted.', { filesTouched }).said,
    ).toBe('First the rate.')
    expect(words('Modified src/other.ts by hand.', { filesTouched }).said).toBe(
      'Modified src/other.ts by hand.',
    )
  })

  it('is without what the service said, which the ending tells', () => {
    const ending = { kind: 'service_failed', cause: 'api', detail: 'API Error: 500 internal' } as const
    expect(words('API Error: 500 internal', { ending }).said).toBe('')
    expect(words('API Error: 500 internal\n\nBefore that: added the rate.', { ending }).said).toBe(
      'added the rate.',
    )
    expect(words('Added the rate.', { ending }).said).toBe('Added the rate.')
  })
})
