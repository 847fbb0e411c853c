import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Notice, Notices } from '../../src/notices.ts'
import { accountOf, pieceEndings, usedOf } from '../../src/receipts/judge.ts'
import { ReceiptLog } from '../../src/receipts/log.ts'
import { readReceipt, readReceipts } from '../../src/receipts/read.ts'
import type { NewReceipt } from '../../src/receipts/receipt.ts'
import { ReceiptCounts } from '../../src/receipts/totals.ts'
import { countTokens } from '../../src/text/tokens.ts'

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'receipts-')), 'receipts')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const receipt = (run: string, extra: Partial<NewReceipt> = {}): NewReceipt => ({
  surface: 'loop',
  event: 'prompt',
  run,
  feature: 'auth',
  items: [
    { kind: 'learning', source: 'learning 1', why: 'reviewed', score: 0.7, tokens: 12, text: 'use argon2' },
  ],
  ...extra,
})

describe('receipts', () => {
  it('come back newest first, with how their run ended', async () => {
    const log = new ReceiptLog({ folder })
    log.append(receipt('a'))
    log.append(receipt('b', { taskId: 7 }))
    log.ended({ run: 'a', outcome: 'failure', iterationNumber: 3, used: ['learning 1'] })
    const { receipts } = await readReceipts(folder)
    expect(receipts.map(({ run }) => run)).toEqual(['b', 'a'])
    expect(receipts[0]).toMatchObject({ taskId: 7, tokens: 12 })
    expect(receipts[0]).not.toHaveProperty('ending')
    expect(receipts[1]?.ending).toMatchObject({
      outcome: 'failure',
      iterationNumber: 3,
      used: ['learning 1'],
    })
  })

  it('shows the latest ending when a run is ended twice', async () => {
    const log = new ReceiptLog({ folder })
    log.append(receipt('a'))
    log.ended({ run: 'a', outcome: 'partial' })
    log.ended({ run: 'a', outcome: 'success' })
    expect((await readReceipts(folder)).receipts[0]?.ending?.outcome).toBe('success')
  })

  it('filters by feature, run and surface, and stops at the limit', async () => {
    const log = new ReceiptLog({ folder })
    for (let i = 0; i < 10; i++) log.append(receipt(`run-${i}`, { surface: i % 2 ? 'mcp' : 'hook' }))
    log.append(receipt('other', { feature: 'payments' }))
    expect((await readReceipts(folder, { feature: 'payments' })).receipts).toHaveLength(1)
    expect((await readReceipts(folder, { surface: 'mcp' })).receipts).toHaveLength(5)
    expect((await readReceipts(folder, { run: 'run-3' })).receipts).toHaveLength(1)
    expect((await readReceipts(folder, { limit: 4 })).receipts).toHaveLength(4)
  })

  it('come page by page, each once, with their endings, also over several files', async () => {
    const log = new ReceiptLog({ folder, segmentBytes: 900 })
    for (let at = 0; at < 9; at++) log.append(receipt(`run-${at}`, { surface: at % 3 ? 'mcp' : 'hook' }))
    for (let at = 0; at < 9; at++) log.ended({ run: `run-${at}`, outcome: 'success' })
    const seen: string[] = []
    for (let after: string | undefined, pages = 0; pages < 5; pages++) {
      const page = await readReceipts(folder, { limit: 2, surface: 'mcp', after })
      for (const { run, ending } of page.receipts) seen.push(`${run} ${ending?.outcome}`)
      after = page.next
      if (after === undefined) break
      log.append(receipt(`later-${pages}`, { surface: 'mcp' }))
    }
    expect(seen).toEqual([8, 7, 5, 4, 2, 1].map((at) => `run-${at} success`))
    await expect(readReceipts(folder, { after: 'gone' })).rejects.toThrow('has been deleted')
  })

  it('can be read one by one, in full', async () => {
    const { id } = new ReceiptLog({ folder }).append(receipt('a', { text: 'All that was said.' }))
    expect(await readReceipt(folder, id)).toMatchObject({ id, run: 'a', text: 'All that was said.' })
    await expect(readReceipt(folder, 'none')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('add up by kind: what was told, what was used, how the runs ended', async () => {
    const log = new ReceiptLog({ folder, segmentBytes: 900 })
    const item = (kind: string, source: string) => ({ kind, source, why: 'words' })
    log.append(receipt('a', { items: [item('error', 'e1'), item('error', 'e2'), item('learning', 'l1')] }))
    log.append(receipt('b', { items: [item('error', 'e1')], feature: 'payments' }))
    log.append(receipt('c', { items: [item('error', 'e1')], surface: 'hook' }))
    log.ended({ run: 'a', outcome: 'success', used: ['e2', 'l1'], iterationNumber: 4 })
    log.ended({ run: 'b', outcome: 'failure' })
    const counts = new ReceiptCounts(folder)
    expect(await counts.read()).toMatchObject({
      ...{ receipts: 3, told: 5, used: 2, judged: 4 },
      kinds: [
        { kind: 'error', told: 4, used: 1, judged: 3, outcomes: { success: 2, failure: 1 } },
        { kind: 'learning', told: 1, used: 1, judged: 1, outcomes: { success: 1 } },
      ],
      runs: [
        { run: 'c', told: 1, used: 0 },
        { run: 'b', told: 1, used: 0, outcome: 'failure', feature: 'payments' },
        { run: 'a', told: 3, used: 2, outcome: 'success', iterationNumber: 4 },
      ],
      features: ['auth', 'payments'],
    })
    expect(await counts.read({ feature: 'payments' })).toMatchObject({ receipts: 1, told: 1, judged: 1 })
    log.ended({ run: 'c', outcome: 'success', used: ['e1'] })
    expect(await counts.read()).toMatchObject({ used: 3, judged: 5 })
    rmSync(folder, { recursive: true })
    expect(await counts.read()).toMatchObject({ receipts: 0, kinds: [], runs: [] })
  })

  it('counts the tokens that a writer in a hurry left out', async () => {
    const items = [{ kind: 'failed_attempt', source: 'iteration 2', why: 'same command', text: 'npm test' }]
    new ReceiptLog({ folder }).append(receipt('a', { items }))
    const [read] = (await readReceipts(folder)).receipts
    expect(read?.items[0]?.tokens).toBe(2)
    expect(read?.tokens).toBe(2)
  })

  it('counts all that was said, not only what it was made of', async () => {
    const text = 'Memory, from the records of earlier work.\n- use argon2'
    new ReceiptLog({ folder }).append(receipt('a', { text }))
    const { receipts } = await readReceipts(folder)
    expect(receipts).toMatchObject([{ tokens: await countTokens(text), items: [{ tokens: 12 }] }])
    expect(receipts[0]).not.toHaveProperty('text')
  })

  it('survives a line cut short by a crash, before and after it', async () => {
    const log = new ReceiptLog({ folder })
    log.append(receipt('before'))
    appendFileSync(join(folder, readdirSync(folder)[0]!), '{"version":1,"receipt":{"id":"x","time')
    log.append(receipt('after'))
    const page = await readReceipts(folder)
    expect(page.receipts.map(({ run }) => run)).toEqual(['after', 'before'])
    expect(page.damagedLines).toBe(1)
  })

  it('stays within its size however many are written', async () => {
    const log = new ReceiptLog({ folder, segmentBytes: 2_000, segments: 3 })
    for (let i = 0; i < 200; i++) log.append(receipt(`run-${i}`))
    const names = readdirSync(folder)
    expect(names.length).toBeLessThanOrEqual(3)
    for (const name of names) expect(statSync(join(folder, name)).size).toBeLessThan(3_000)
    const { receipts } = await readReceipts(folder, { limit: 5 })
    expect(receipts.map(({ run }) => run)).toEqual(['run-199', 'run-198', 'run-197', 'run-196', 'run-195'])
  })

  it('bounds a single huge receipt', async () => {
    const items = Array.from({ length: 1_000 }, (_, i) => ({
      kind: 'file',
      source: `f${i}`,
      why: 'listed',
      tokens: 1,
      text: 'x'.repeat(100_000),
    }))
    new ReceiptLog({ folder }).append(receipt('a', { items }))
    expect(statSync(join(folder, readdirSync(folder)[0]!)).size).toBeLessThan(2_000_000)
  })

  it('says once that they cannot be kept, and never throws', () => {
    const blocked = join(folder, '..', 'file')
    writeFileSync(blocked, 'not a folder')
    const said: Notice[] = []
    const log = new ReceiptLog({
      folder: join(blocked, 'receipts'),
      notices: new Notices((notice) => said.push(notice)),
    })
    log.append(receipt('a'))
    log.append(receipt('b'))
    expect(said).toHaveLength(1)
    expect(said[0]?.message).toContain('receipts are not being kept')
  })

  it('reads an absent folder as no receipts', async () => {
    expect(await readReceipts(folder)).toEqual({ receipts: [], damagedLines: 0 })
  })
})

describe('what was used', () => {
  const item = (source: string, text?: string) => ({
    kind: 'learning',
    source,
    why: 'x',
    ...(text && { text }),
  })

  it('is seen in the words and files of the run', () => {
    const items = [
      item('learning 1', 'hashPassword must call argon2.hash, see src/auth/hash.ts'),
      item('learning 2', 'the PaymentGateway retries on ETIMEDOUT via retry_policy'),
      item('docs/auth.md'),
      item('learning 3', 'be careful with the form'),
    ]
    const texts = ['I changed hashPassword in src/auth/hash.ts and was careful with the form.']
    const record = { filesTouched: [{ path: 'docs/auth.md' }], errors: [], checks: [] }
    const account = accountOf(record, { texts, project: '/shop' })
    expect(usedOf(pieceEndings([{ items }], account))).toEqual(['learning 1', 'docs/auth.md'])
    // Nobody has used what was kept back; that the run shows traces of it all the same is told piece by piece.
    const withheld = pieceEndings([{ items, withheld: true }], account)
    expect(usedOf(withheld)).toEqual([])
    expect(withheld.filter(({ traced }) => traced).map(({ source }) => source)).toEqual([
      'learning 1',
      'docs/auth.md',
    ])
  })
})
