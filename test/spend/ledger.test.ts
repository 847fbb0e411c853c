import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { PlannedCall } from '../../src/services/paid-calls.ts'
import { spendLines, spendReport } from '../../src/spend/report.ts'
import { openSqliteStorage } from '../../src/storage/sqlite.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { failureOf } from '../contracts/language-model.ts'
import { openTestLedger } from '../support/ledger.ts'
import { temporaryFolder } from '../support/temporary.ts'

let storage: Storage
let people = 0
beforeEach(async () => {
  storage = await openSqliteStorage({ path: `${await temporaryFolder()}/ralph.db` })
  onTestFinished(() => storage.close())
})

/** Books of somebody who has spent nothing yet. */
const books = (limits = {}, clock = () => new Date('2026-11-30T23:59:00Z'), person = `p${people++}`) =>
  openTestLedger(storage, { limits, clock, person })
const call = (more: Partial<PlannedCall> = {}): PlannedCall => ({
  purpose: 'summaries',
  model: 'openai:m',
  worstUsd: 0.4,
  ...more,
})
const cost = (costUsd: number, isEstimate = false) => ({
  inputTokens: 100,
  outputTokens: 10,
  costUsd,
  isEstimate,
})

describe('the ledger', () => {
  it('has a call at its worst until it is known what it cost', async () => {
    const ledger = books()
    const made = await ledger.begin(call())
    expect((await spendReport(ledger)).workers).toMatchObject({ spentUsd: 0.4, estimatedUsd: 0.4 })
    await made.settle(cost(0.1))
    expect((await spendReport(ledger)).lines).toEqual([
      {
        month: '2026-11',
        purpose: 'summaries',
        model: 'openai:m',
        calls: 1,
        inputTokens: 100,
        outputTokens: 10,
        usd: 0.1,
        estimatedUsd: 0,
        unpricedCalls: 0,
      },
    ])
  })

  it('forgets a call that was refused, and marks what is estimated', async () => {
    const ledger = books()
    await (await ledger.begin(call())).settle()
    expect((await spendReport(ledger)).lines).toEqual([])
    await (await ledger.begin(call())).settle(cost(0.2, true))
    expect((await spendReport(ledger)).workers).toMatchObject({ spentUsd: 0.2, estimatedUsd: 0.2 })
  })

  it('never lets more be set aside than the limit, however many ask at once', async () => {
    const person = `p${people++}`
    const ledgers = Array.from({ length: 5 }, () => books({ workersUsd: 1 }, undefined, person))
    const begun = await Promise.allSettled(ledgers.map((ledger) => ledger.begin(call())))
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect((await spendReport(ledgers[0]!)).workers.spentUsd).toBeCloseTo(0.8, 9)
  })

  it('begins anew with the month, where the limit is of a month', async () => {
    let now = new Date('2026-11-30T23:59:00Z')
    const person = `p${people++}`
    const monthly = books({ workersUsd: 0.5 }, () => now, person)
    const once = books({ workersUsd: 0.5, period: 'total' }, () => now, person)
    const first = await monthly.begin(call())
    const error = await failureOf(monthly.begin(call()))
    expect(error).toMatchObject({
      code: 'limit_reached',
      message:
        'max_spend of $0.50 for November 2026 is reached: $0.40 are spent or set aside, and the next call may cost $0.40',
      hint: 'It begins anew on 2026-12-01 (UTC). To go on now: ralph config set language_model.max_spend 1',
    })
    now = new Date('2026-12-01T00:00:00Z')
    await (await monthly.begin(call())).settle(cost(0.4))
    // Settled in the month in which it was set aside.
    await first.settle(cost(0.3))
    expect((await spendLines(monthly)).map(({ month, usd }) => [month, usd])).toEqual([
      ['2026-12', 0.4],
      ['2026-11', 0.3],
    ])
    expect((await spendReport(monthly)).workers.spentUsd).toBe(0.4)
    expect((await failureOf(once.begin(call()))).hint).toBe(
      'To go on now: ralph config set language_model.max_spend 1.1',
    )
  })

  it('has the chat apart, and the embeddings with the summaries', async () => {
    const ledger = books({ workersUsd: 0.5, chatUsd: 0.9 })
    for (let round = 0; round < 2; round++) await ledger.begin(call({ purpose: 'chat' }))
    await ledger.begin(call({ purpose: 'embedding' }))
    expect((await failureOf(ledger.begin(call()))).message).toMatch(/^max_spend/)
    expect((await failureOf(ledger.begin(call({ purpose: 'chat' })))).hint).toContain(
      'ralph config set language_model.chat_max_spend 1.8',
    )
  })

  it('lets what costs nothing go on at a limit of nothing', async () => {
    const ledger = books({ workersUsd: 0 })
    await (await ledger.begin(call({ worstUsd: 0 }))).settle(cost(0))
    expect((await spendReport(ledger)).lines).toMatchObject([{ calls: 1, usd: 0 }])
  })

  it('runs no model of unknown price under a limit, but embeddings, which are counted', async () => {
    const unknown = { worstUsd: undefined }
    const ledger = books({ workersUsd: 1 })
    expect((await failureOf(ledger.begin(call(unknown)))).hint).toMatch(/^Run: ralph config set/)
    const made = await ledger.begin(call({ ...unknown, purpose: 'embedding' }))
    await made.settle({ inputTokens: 5, outputTokens: 0, isEstimate: false })
    await (await ledger.begin(call({ ...unknown, purpose: 'chat' }))).settle()
    expect(await spendReport(ledger)).toMatchObject({
      workers: { spentUsd: 0, unpricedCalls: 1 },
      chat: { unpricedCalls: 0 },
    })
  })

  it('is of each person alone', async () => {
    await books({}, undefined, 'one').begin(call())
    expect((await spendReport(books({}, undefined, 'another'))).lines).toEqual([])
  })
})
