import { describe, expect, it } from 'vitest'
import { ledgerOf } from '../../src/feature-memory/ledger/error-ledger.ts'
import { solvedErrors } from '../../src/loop/solved-errors.ts'
import {
  BROKEN_LOGIN,
  BROKEN_TOTAL,
  failed,
  journal,
  modified,
  passed,
} from '../feature-memory/ledger/journal.ts'

const meeting = {
  ...{ errors: [BROKEN_TOTAL], checks: [failed('npm test', [BROKEN_TOTAL])], outcome: 'failure' as const },
  filesTouched: modified('src/cart.ts'),
}
const solving = {
  ...{ errors: [], checks: [passed('npm test')], outcome: 'success' as const },
  filesTouched: modified('src/cart.ts', 'src/tax.ts'),
  summary: 'The discount now comes before the tax.',
  decisions: [{ description: 'Tax is computed last' }],
}
const finishing = {
  ...solving,
  checks: [],
  filesTouched: modified('src/menu.ts'),
  summary: 'Added the menu.',
}

/** What the last of these runs settled. */
function settled(...runs: Parameters<typeof journal>) {
  const records = journal(...runs)
  const attempts = (taskId: number) => records.filter((record) => record.taskId === taskId).reverse()
  return solvedErrors({ ledger: ledgerOf(records), attempts }, records.at(-1)!)
}

describe('what a run settled', () => {
  it('is an error that the task failed on, with what the run that solved it said and changed', () => {
    expect(settled(meeting, meeting, solving)).toEqual([
      {
        taskId: 1,
        error: {
          id: expect.any(String),
          message: BROKEN_TOTAL.message,
          solvedBy: {
            iteration: 3,
            summary: 'The discount now comes before the tax.',
            decisions: ['Tax is computed last'],
            files: ['src/cart.ts', 'src/tax.ts'],
          },
        },
      },
    ])
  })

  it('is also what an earlier run had done, once a check of another task shows it', () => {
    const unchecked = { ...solving, checks: [] }
    expect(settled(meeting, unchecked)).toEqual([])
    const elsewhere = { ...finishing, taskId: 2, taskTitle: 'Menu', checks: [passed('npm test')] }
    expect(settled(meeting, unchecked, elsewhere)).toMatchObject([
      { taskId: 1, error: { solvedBy: { iteration: 2, summary: 'The discount now comes before the tax.' } } },
    ])
  })

  it('is each error once', () => {
    const both = {
      ...meeting,
      errors: [BROKEN_TOTAL, BROKEN_LOGIN],
      checks: [failed('npm test', [BROKEN_TOTAL, BROKEN_LOGIN])],
    }
    expect(settled(both, solving).map(({ error }) => error.message)).toEqual(
      expect.arrayContaining([BROKEN_TOTAL.message, BROKEN_LOGIN.message]),
    )
    expect(settled(both, solving)).toHaveLength(2)
    expect(settled(both, solving, { ...finishing, taskId: 2, taskTitle: 'Menu' })).toEqual([])
  })

  it.each([
    ['nothing shows it', [meeting, { ...solving, checks: [] }]],
    ['the task is not done', [meeting, { ...solving, outcome: 'partial' as const }]],
    ['the task never failed on it', [{ ...solving, errors: [BROKEN_TOTAL] }]],
    [
      'the run that changed it ended with it failing',
      [
        meeting,
        { ...meeting, checks: [failed('npm test', [BROKEN_TOTAL], { changedAfter: true })] },
        { ...finishing, filesTouched: [], checks: [passed('npm test')] },
      ],
    ],
    [
      'the run that did it was let down by its service',
      [
        meeting,
        {
          ...{ ...solving, checks: [], outcome: 'rate_limited' as const, summary: 'API Error: 429' },
          ending: { kind: 'service_failed' as const, cause: 'rate_limit' as const },
        },
        { ...finishing, filesTouched: [], checks: [passed('npm test')] },
      ],
    ],
    [
      'the error says nothing',
      [
        {
          ...meeting,
          errors: [{ message: 'exit code 1', command: 'npm test' }],
          checks: [failed('npm test', [])],
        },
        solving,
      ],
    ],
  ])('is nothing when %s', (_why, runs) => {
    expect(settled(...runs)).toEqual([])
  })
})
