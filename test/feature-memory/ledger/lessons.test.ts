import { describe, expect, it } from 'vitest'
import { ledgerOf } from '../../../src/feature-memory/ledger/error-ledger.ts'
import { taughtBy } from '../../../src/feature-memory/ledger/lessons.ts'
import { BROKEN_LOGIN, BROKEN_TOTAL, failed, journal, modified, passed } from './journal.ts'

const meeting = { errors: [BROKEN_TOTAL], checks: [failed('npm test', [BROKEN_TOTAL])] }
const solving = {
  errors: [],
  checks: [passed('npm test')],
  filesTouched: modified('src/cart.ts', 'src/tax.ts'),
  outcome: 'success' as const,
  summary: 'The discount now comes before the tax.\nAll tests pass.',
}

/** What the last of these runs taught. */
function taught(...runs: Parameters<typeof journal>) {
  const records = journal(...runs)
  return taughtBy(records.at(-1)!, ledgerOf(records).entries())
}

describe('a lesson', () => {
  it('tells of an error that took several runs: what, where, what solved it, by which evidence', () => {
    expect(taught(meeting, meeting, solving)).toEqual({
      cameBack: [],
      lessons: [
        {
          error: expect.stringMatching(/^[a-p][0-9a-f]{7}$/),
          text: 'cart.test.ts > total: expected 90 to be 100 (src/cart.test.ts): reported by `npm test`, took 2 iterations. What solved it in iteration 3: The discount now comes before the tax. (changed src/cart.ts, src/tax.ts)',
          reason: 'met in iteration 1, 2; `npm test` came out without it in iteration 3',
          iteration: 3,
          taskId: 1,
          files: ['src/cart.ts', 'src/tax.ts'],
        },
      ],
    })
  })

  it('tells of an error that came back what had held before', () => {
    const { lessons } = taught(meeting, solving, meeting, {
      ...solving,
      filesTouched: modified('src/round.ts'),
    })
    expect(lessons[0]?.text).toContain(
      'came back in iteration 3, after a change of src/cart.ts, src/tax.ts had held since iteration 2. What solved it in iteration 4: The discount now comes before the tax. (changed src/round.ts)',
    )
    expect(lessons[0]).not.toHaveProperty('taskId')
  })

  it('names a file once', () => {
    const { lessons } = taught(meeting, meeting, {
      ...solving,
      summary: 'The tax of src/tax.ts comes last now.',
    })
    expect(lessons[0]?.text).toMatch(/: The tax of src\/tax\.ts comes last now\. \(changed src\/cart\.ts\)$/)
  })

  it('holds for the feature when several tasks met the error, or it is not about their code', () => {
    expect(
      taught(meeting, { ...meeting, taskId: 2 }, { ...solving, taskId: 2 }).lessons[0],
    ).not.toHaveProperty('taskId')
    const runtime = { errors: [BROKEN_LOGIN], checks: [failed('npm test', [BROKEN_LOGIN])] }
    expect(taught(runtime, runtime, solving).lessons[0]).not.toHaveProperty('taskId')
  })

  it.each([
    ['an error of one run', [meeting, solving]],
    ['an error met and overcome in one run', [{ ...solving, ...{ errors: [BROKEN_TOTAL] } }]],
    ['an error that is open', [meeting, meeting]],
    ['work on something else', [meeting, meeting, { ...solving, checks: [passed('npx tsc')] }]],
    ['a check that passes with nothing changed', [meeting, meeting, { ...solving, filesTouched: [] }]],
    ['what an earlier run solved', [meeting, meeting, solving, { taskId: 2, checks: [passed('npm test')] }]],
    [
      'a test that was removed',
      [
        meeting,
        meeting,
        { ...solving, filesTouched: [{ path: 'src/cart.test.ts', action: 'deleted' as const }] },
      ],
    ],
    [
      'a decision',
      [{ outcome: 'success' as const, decisions: [{ description: 'Use zod', rationale: 'it is there' }] }],
    ],
  ])('is not learned from %s', (_, runs) => {
    expect(taught(...runs).lessons).toEqual([])
  })

  it('is not learned from words that tell nothing', () => {
    const bare = { message: '`npm test` failed with exit code 1', command: 'npm test' }
    const run = { errors: [bare], checks: [failed('npm test', [bare])] }
    expect(taught(run, run, solving).lessons).toEqual([])
  })
})

it('names the errors that came back', () => {
  const { cameBack } = taught(meeting, solving, meeting)
  expect(cameBack).toEqual([expect.stringMatching(/^[a-p][0-9a-f]{7}$/)])
  expect(taught(meeting, solving, meeting, { taskId: 2 }).cameBack).toEqual([])
})
