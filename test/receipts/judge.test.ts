import { describe, expect, it } from 'vitest'
import { pieceEndings, type RunAccount } from '../../src/receipts/judge.ts'
import type { PieceSubject } from '../../src/receipts/receipt.ts'

type Check = RunAccount['checks'][number]

const TEST: Check = { command: 'npx vitest run src/pay.test.ts', result: 'passed', signatures: [] }
const ERROR = 'typeerror: total is undefined'
const OF_TEST: PieceSubject = { errors: [ERROR], checks: ['npx vitest run src/pay.test.ts'] }

/** What became of one piece in a run. */
function endingOf(about: PieceSubject, run: Partial<RunAccount> = {}) {
  const item = { kind: 'error', source: 'error 1', why: 'open', about }
  const account = { texts: [], files: [], errors: [], checks: [], project: '/shop', ...run }
  const [ending] = pieceEndings([{ items: [item] }], account)
  const { kind: _, source: __, traced: ___, ...judged } = ending!
  return judged
}

describe('an error that memory told of', () => {
  it('came back where a check or the run itself reports it', () => {
    const failed = { ...TEST, result: 'failed' as const, signatures: [ERROR] }
    expect(endingOf(OF_TEST, { checks: [failed] })).toEqual({ cameBack: true })
    expect(endingOf(OF_TEST, { checks: [{ ...TEST, cleared: [ERROR] }] })).toEqual({ cameBack: true })
    expect(endingOf(OF_TEST, { errors: [ERROR] })).toEqual({ cameBack: true })
  })

  it('stayed away only where what reports it was run, and all of it was seen', () => {
    expect(endingOf(OF_TEST, { checks: [TEST] })).toEqual({ cameBack: false })
    // All tests are sure to run this one.
    expect(endingOf(OF_TEST, { checks: [{ ...TEST, command: 'npx vitest run' }] })).toEqual({
      cameBack: false,
    })
    expect(endingOf(OF_TEST, { checks: [{ ...TEST, command: 'npm run lint' }] })).toEqual({})
    expect(endingOf(OF_TEST, { checks: [{ ...TEST, outputCut: true }] })).toEqual({})
    expect(endingOf({ errors: [ERROR] }, { checks: [TEST] })).toEqual({})
    const two = { ...OF_TEST, checks: [...OF_TEST.checks!, 'npm run build'] }
    expect(endingOf(two, { checks: [TEST] })).toEqual({})
  })

  it('that was open had not gone: there it counts how its check came out in the end', () => {
    const open = { ...OF_TEST, open: true }
    expect(endingOf(open, { errors: [ERROR], checks: [{ ...TEST, cleared: [ERROR] }] })).toEqual({
      cameBack: false,
    })
    const failed = { ...TEST, result: 'failed' as const, signatures: [ERROR] }
    expect(endingOf(open, { checks: [failed] })).toEqual({ cameBack: true })
    expect(endingOf(open, { errors: [ERROR] })).toEqual({ cameBack: true })
  })
})

it('a command that failed before failed again, or did not, or was not run', () => {
  const about = { command: 'node deploy.js', errors: ['error: no bucket'] }
  const deploy = (result: Check['result'], ...signatures: string[]) => ({
    checks: [{ command: 'node deploy.js', result, signatures }],
  })
  expect(endingOf(about, deploy('failed', 'error: no bucket'))).toMatchObject({ failedAgain: true })
  expect(endingOf(about, deploy('failed', 'error: no rights'))).toMatchObject({ failedAgain: false })
  expect(endingOf(about, deploy('passed'))).toMatchObject({ failedAgain: false })
  expect(endingOf(about, { checks: [TEST] })).not.toHaveProperty('failedAgain')
})

it('a file that was named was touched or not', () => {
  const about = { files: ['src/pay.ts', 'src/tax.ts'] }
  expect(endingOf(about, { files: ['src/tax.ts'] })).toEqual({ touched: true })
  expect(endingOf(about, { files: ['src/cart.ts'] })).toEqual({ touched: false })
})

it('judges what was told and what was withheld alike, each piece once', () => {
  const items = [{ kind: 'error', source: 'error 1', why: 'open', about: OF_TEST }]
  const account = { texts: [], files: [], errors: [], checks: [TEST], project: '/shop' }
  const judged = pieceEndings([{ items }, { items }, { items, withheld: true }], account)
  expect(judged).toEqual([
    { kind: 'error', source: 'error 1', traced: false, cameBack: false },
    { kind: 'error', source: 'error 1', withheld: true, traced: false, cameBack: false },
  ])
})
