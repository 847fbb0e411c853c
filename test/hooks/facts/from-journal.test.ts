import { describe, expect, it } from 'vitest'
import type { NewIteration } from '../../../src/feature-memory/record.ts'
import { factsFromJournal } from '../../../src/hooks/facts/from-journal.ts'
import { iteration } from '../../support/records.ts'
import { TEST_FAILED } from '../support.ts'

const factsOf = (...runs: Partial<NewIteration>[]) =>
  factsFromJournal(
    runs.map((fields, at) => iteration({ ...fields, iterationNumber: at + 1 })),
    { feature: 'auth', journal: 'x', project: '/shop' },
  )
const lines = (...runs: Partial<NewIteration>[]) =>
  Object.fromEntries(
    factsOf(...runs).sections.map(({ title, lines }) => [title, lines.map(({ text }) => text)]),
  )
const CHECK = TEST_FAILED.checks![0]!
const DONE: Partial<NewIteration> = { outcome: 'success', summary: 'Renamed the module.', errors: [] }

describe('what a newcomer is told', () => {
  it('of a run that was stopped from outside: how, and what it had changed by then', () => {
    const { 'Left unfinished:': [left] = [] } = lines(DONE, {
      outcome: 'partial',
      taskTitle: 'Add tax',
      summary: 'Half way through.',
      ending: { kind: 'stopped', cause: 'interrupted' },
      filesTouched: [{ path: 'src/pay.ts', action: 'modified' }],
    })
    expect(left).toContain('iteration 2')
    expect(left).toContain('was ended with Ctrl-C. By then it had changed src/pay.ts.')
    expect(left).toContain('Half way through.')
  })

  it('nothing is unfinished after a run that was done', () => {
    expect(lines(TEST_FAILED, DONE)['Left unfinished:']).toEqual([])
  })

  it('an error stands once; elsewhere its name stands for it', () => {
    const summary = 'The test fails with AssertionError: expected 100 to be 120 and I do not know why.'
    const told = Object.values(lines({ ...TEST_FAILED, summary }))
      .flat()
      .join('\n')
    expect(told.split('expected 100 to be 120')).toHaveLength(2)
    expect(told.split('[error 1]')).toHaveLength(3)
  })
})

describe('what a change of a file led to', () => {
  const DOCS = Array.from({ length: 8 }, (_, at) => ({ path: `docs/${at}.md`, action: 'modified' as const }))

  const said = (...runs: Partial<NewIteration>[]) =>
    factsOf(...runs)
      .changes['src/pay.ts']?.parts.map(({ text }) => text)
      .join(' ')

  it('says whether the failure was there before', () => {
    expect(said(TEST_FAILED)).toContain('"npx vitest run" failed after that,')
    expect(said(TEST_FAILED, TEST_FAILED)).toContain(
      'iteration 2 (2026-02-07, "Add tax") changed it, and "npx vitest run" still failed after that',
    )
  })

  it('quotes the error once, also where the run quotes it', () => {
    const text = said({ ...TEST_FAILED, summary: 'It says AssertionError: expected 100 to be 120 still.' })
    expect(text?.split('expected 100 to be 120')).toHaveLength(2)
    expect(text).toContain('"It says [that error] still."')
  })

  it('of many files only those that the error speaks of', () => {
    const many = { ...TEST_FAILED, filesTouched: [...TEST_FAILED.filesTouched!, ...DOCS] }
    expect(Object.keys(factsOf(many).changes)).toEqual(['src/pay.ts'])
  })

  it('is unknown when no check ran after it', () => {
    expect(factsOf({ ...TEST_FAILED, checks: [{ ...CHECK, changedAfter: true }] }).changes).toEqual({})
    expect(factsOf({ ...TEST_FAILED, checks: [] }).changes).toEqual({})
  })
})

describe('of an error that is met again', () => {
  it('nothing is said when its words would fit any other', () => {
    const bare = { message: 'Tests 1 failed | 3 passed (4)', command: 'npm test' }
    const { errors } = factsOf(
      { errors: [bare] },
      { errors: [{ message: 'TypeError: tax is not a function' }] },
    )
    expect(Object.keys(errors)).toEqual(['typeerror: tax is not a function'])
  })

  it('the file is named in which it was: the same words may be met in another one', () => {
    const { errors } = factsOf({
      errors: [{ message: 'TypeError: tax is not a function', filePath: 'src/pay.ts' }],
    })
    expect(Object.values(errors)[0]?.parts[0]?.text).toContain('met before in this feature (src/pay.ts), ')
  })
})
