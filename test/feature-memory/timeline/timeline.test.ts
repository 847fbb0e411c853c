import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { JournalFold } from '../../../src/feature-memory/journal-fold.ts'
import { Journals } from '../../../src/feature-memory/journals.ts'
import { ErrorLedger } from '../../../src/feature-memory/ledger/error-ledger.ts'
import { keptLedger } from '../../../src/feature-memory/ledger/kept-ledger.ts'
import { type NewIteration, toJournalLine } from '../../../src/feature-memory/record.ts'
import { OUTLINE } from '../../../src/feature-memory/timeline/outline.ts'
import { Timeline } from '../../../src/feature-memory/timeline/timeline.ts'
import { sha256 } from '../../../src/text/ids.ts'
import { iteration } from '../../support/records.ts'
import { temporaryFolder } from '../../support/temporary.ts'

type Fields = Partial<NewIteration> & { iterationNumber?: number }

async function journalOf(records: readonly Fields[] = []) {
  const folder = await temporaryFolder()
  const journals = new Journals(join(folder, 'memory'), join(folder, 'cache'))
  const journal = journals.of('shop')
  let number = 0
  const add = (fields: Fields) =>
    journal.append((next) => {
      number = fields.iterationNumber ?? next
      return [iteration({ feature: 'shop', ...fields, iterationNumber: number })]
    })
  for (const fields of records) await add(fields)
  const fold = new JournalFold(journal, OUTLINE)
  const timeline = async (one = fold) => new Timeline(journal, await one.current())
  return { journal, add, timeline, cacheFile: journal.cacheFile('outline.json') }
}

const numbers = (page: { iterations: { record: { iterationNumber: number } }[] }) =>
  page.iterations.map(({ record }) => record.iterationNumber)

const day = (date: string, fields: Fields = {}): Fields => ({ timestamp: `${date}T12:00:00Z`, ...fields })

describe('a timeline', () => {
  it('gives page after page, the newest first, and says how many there are', async () => {
    const { timeline } = await journalOf(Array.from({ length: 7 }, () => ({})))
    const shown = await timeline()
    const first = await shown.page({ limit: 3 })
    expect([numbers(first), first.matching]).toEqual([[7, 6, 5], 7])
    const second = await shown.page({ limit: 3, before: first.next })
    const third = await shown.page({ limit: 3, before: second.next })
    expect([numbers(second), numbers(third), third.next]).toEqual([[4, 3, 2], [1], undefined])
  })

  it('knows no further page when the last one is full', async () => {
    const { timeline } = await journalOf([{}, {}])
    expect((await (await timeline()).page({ limit: 2 })).next).toBeUndefined()
  })

  it('is empty without a journal', async () => {
    const { timeline } = await journalOf()
    const shown = await timeline()
    expect(await shown.page()).toEqual({ iterations: [], matching: 0 })
    expect(await shown.iteration(1)).toBeUndefined()
    expect([shown.trend(), shown.days(), shown.tasks()]).toEqual([[], [], []])
    expect(shown.fileMap({ most: 5 })).toEqual({ files: [], allFiles: 0 })
    expect(shown.totals()).toMatchObject({ iterations: 0, costUsd: 0 })
  })

  it('filters by outcome, kind, task and file', async () => {
    const filesTouched = [{ path: 'src/a.ts', action: 'modified' as const }]
    const { timeline } = await journalOf([
      { outcome: 'success', taskId: 1, filesTouched },
      { outcome: 'failure', taskId: 2 },
      { outcome: 'timeout', taskId: 1 },
      { outcome: 'success', taskId: 0, kind: 'session', filesTouched },
    ])
    const shown = await timeline()
    const found = async (query: object) => numbers(await shown.page(query))
    expect(await found({ outcome: ['failure', 'timeout'] })).toEqual([3, 2])
    expect(await found({ taskId: 1 })).toEqual([3, 1])
    expect(await found({ kind: ['session'] })).toEqual([4])
    expect(await found({ file: 'src/a.ts' })).toEqual([4, 1])
    expect(await found({ file: 'src/nobody.ts' })).toEqual([])
    expect((await shown.page({ taskId: 1, limit: 1 })).matching).toBe(2)
  })

  it('finds one iteration with its neighbours', async () => {
    const { timeline } = await journalOf([{ taskId: 1 }, { taskId: 2 }, { taskId: 1 }, { taskId: 0 }])
    const shown = await timeline()
    expect(await shown.iteration(1)).toMatchObject({ twins: [], next: 2, nextOnTask: 3 })
    expect(await shown.iteration(3)).toMatchObject({ previous: 2, previousOnTask: 1, next: 4 })
    expect(Object.keys((await shown.iteration(4))!).sort()).toEqual(['id', 'previous', 'record', 'twins'])
  })

  it('tells records of one number apart by their id', async () => {
    const { journal, timeline } = await journalOf([{ summary: 'ours' }])
    const theirs = iteration({ feature: 'shop', summary: 'theirs', iterationNumber: 1 })
    appendFileSync(journal.path, `${toJournalLine(theirs)}\n`)
    const shown = await timeline()
    const latest = (await shown.iteration(1))!
    expect(latest.record.summary).toBe('theirs')
    const other = (await shown.iteration(1, latest.twins[0]!.id))!
    expect(other.record.summary).toBe('ours')
    expect(await shown.iteration(1, 'ffffffff')).toBeUndefined()
  })

  it('counts of how many a draw decided, also as kept and read again', async () => {
    const { timeline } = await journalOf([
      day('2026-02-07', { memory: { given: true, pieces: 2, holdout: 0.1 } }),
      day('2026-02-07', { memory: { given: false, pieces: 2, holdout: 0.1 } }),
      day('2026-02-07', { memory: { given: false, pieces: 0 } }),
      day('2026-02-07', { memory: { given: true, pieces: 2 } }),
      day('2026-02-07', {}),
    ])
    expect((await timeline()).totals().draws).toEqual({ drawn: 2, without: 1 })
    expect((await timeline()).totals().draws).toEqual({ drawn: 2, without: 1 })
  })

  it('adds up, and keeps what is not known apart from nothing', async () => {
    const { timeline } = await journalOf([
      day('2026-02-07', { costUsd: 0.5, tokensUsed: 100, outcome: 'success' }),
      day('2026-02-05', { kind: 'review', taskId: 0 }),
      day('2026-02-07', { costUsd: 0.25, tokensUsed: 50, outcome: 'success', durationMs: 10 }),
    ])
    const shown = await timeline()
    expect(shown.totals()).toEqual({
      iterations: 3,
      outcomes: { success: 2, failure: 1, partial: 0, timeout: 0, rate_limited: 0 },
      kinds: { task: 2, review: 1, session: 0 },
      costUsd: 0.75,
      tokens: 150,
      durationMs: 10,
      first: '2026-02-05T12:00:00.000Z',
      last: '2026-02-07T12:00:00.000Z',
      latestIteration: 3,
      withoutCost: 1,
      draws: { drawn: 0, without: 0 },
      damagedLines: 0,
    })
    expect(shown.days().map(({ day: date, iterations }) => [date, iterations])).toEqual([
      ['2026-02-05', 1],
      ['2026-02-07', 2],
    ])
    expect(shown.days(1)).toHaveLength(1)
    expect(
      shown.tasks().map(({ taskId, iterations, latestIteration }) => [taskId, iterations, latestIteration]),
    ).toEqual([
      [42, 2, 3],
      [0, 1, 2],
    ])
  })

  it('shows few iterations one by one, and many in equal stretches', async () => {
    const { timeline } = await journalOf(Array.from({ length: 10 }, () => ({ costUsd: 1 })))
    const shown = await timeline()
    expect(shown.trend()).toHaveLength(10)
    const points = shown.trend({ points: 4 })
    expect(points.map(({ from, to, iterations, costUsd }) => [from, to, iterations, costUsd])).toEqual([
      [1, 5, 5, 5],
      [6, 10, 5, 5],
    ])
    expect(shown.trend({ last: 2 }).map(({ from }) => from)).toEqual([9, 10])
  })

  it('maps files against iterations', async () => {
    const touching = (...paths: string[]) => ({
      filesTouched: paths.map((path) => ({ path, action: 'modified' as const })),
    })
    const { timeline } = await journalOf([
      touching('a.ts', 'b.ts'),
      touching('a.ts'),
      touching('c.ts', 'a.ts'),
      touching('b.ts'),
    ])
    const shown = await timeline()
    expect(shown.fileMap({ most: 2 })).toEqual({
      files: [
        { path: 'a.ts', iterations: [1, 2, 3] },
        { path: 'b.ts', iterations: [1, 4] },
      ],
      from: 1,
      to: 4,
      allFiles: 3,
    })
    expect(shown.fileMap({ most: 9, last: 1 })).toEqual({
      files: [{ path: 'b.ts', iterations: [4] }],
      from: 4,
      to: 4,
      allFiles: 1,
    })
  })
})

describe('what is kept of a journal', () => {
  it('is read by the next process instead of the journal, and grows with it', async () => {
    const { journal, add, timeline, cacheFile } = await journalOf([{}, {}])
    await timeline()
    const kept = JSON.parse(journal.seal.opened(cacheFile, readFileSync(cacheFile, 'utf8'))!)
    kept.state.iterations[0][5] = 77 // of task 77: only whoever reads the file says so
    writeFileSync(cacheFile, journal.seal.sealed(cacheFile, JSON.stringify(kept)))
    await add({})
    const next = await timeline(new JournalFold(journal, OUTLINE))
    expect(next.tasks().map(({ taskId, iterations }) => [taskId, iterations])).toEqual([
      [42, 2],
      [77, 1],
    ])
  })

  it.each([
    ['no JSON', 'nonsense'],
    ['another form', '{"basis":"outline 2","position":{"offset":0,"line":0,"fingerprint":""},"state":{}}'],
    ['another basis', '{"basis":"outline 0","position":{"offset":0,"line":0,"fingerprint":""},"state":{}}'],
  ])('is worked out anew when the file is damaged: %s', async (_, text) => {
    const { journal, timeline, cacheFile } = await journalOf([{}, {}])
    await timeline()
    writeFileSync(cacheFile, journal.seal.sealed(cacheFile, text))
    expect((await timeline(new JournalFold(journal, OUTLINE))).length).toBe(2)
  })

  it('is worked out anew when a row names a file that is not there', async () => {
    const { journal, timeline, cacheFile } = await journalOf([
      { filesTouched: [{ path: 'a.ts', action: 'read' }] },
    ])
    await timeline()
    const kept = JSON.parse(journal.seal.opened(cacheFile, readFileSync(cacheFile, 'utf8'))!)
    kept.state.paths = []
    writeFileSync(cacheFile, journal.seal.sealed(cacheFile, JSON.stringify(kept)))
    const next = await timeline(new JournalFold(journal, OUTLINE))
    expect(next.fileMap({ most: 1 }).files).toMatchObject([{ path: 'a.ts' }])
  })

  it('follows a journal that was rewritten, in the same process too', async () => {
    const { journal, add, timeline, cacheFile } = await journalOf([
      { taskId: 1 },
      { taskId: 2 },
      { taskId: 3 },
    ])
    expect((await timeline()).length).toBe(3)
    await journal.remove(
      () => true,
      (records) => records.filter(({ taskId }) => taskId === 2),
    )
    await journal.dropWorkedOut()
    expect(existsSync(cacheFile)).toBe(false)
    const shown = await timeline()
    expect(shown.tasks().map(({ taskId }) => taskId)).toEqual([3, 1])
    expect(numbers(await shown.page())).toEqual([3, 1])
    await add({ taskId: 4 })
    expect((await timeline()).length).toBe(3)
  })

  it('counts damaged lines and one that is not finished, which is not kept', async () => {
    const { journal, timeline } = await journalOf([{}])
    appendFileSync(
      journal.path,
      `garbage\n${toJournalLine(iteration({ feature: 'shop', iterationNumber: 2 }))}`,
    )
    const shown = await timeline()
    expect(shown.totals()).toMatchObject({ iterations: 2, damagedLines: 1 })
    appendFileSync(journal.path, '\n')
    expect((await timeline()).totals()).toMatchObject({ iterations: 2, damagedLines: 1 })
  })

  it('passes over a line that was replaced since it was outlined', async () => {
    const { journal, timeline } = await journalOf([{}, {}])
    const shown = await timeline()
    writeFileSync(journal.path, '{"other":"words"}\n')
    expect(await shown.page()).toMatchObject({ iterations: [] })
  })
})

describe('the kept ledger of errors', () => {
  const test = 'npx vitest run'
  const failing = (message: string, filePath?: string): Fields => ({
    errors: [{ message, command: test, ...(filePath && { filePath }) }],
    checks: [{ command: test, kind: 'test', result: 'failed', signatures: [message.toLowerCase()] }],
    filesTouched: [{ path: 'src/cart.ts', action: 'modified' }],
  })
  const passing: Fields = {
    outcome: 'success',
    checks: [{ command: test, kind: 'test', result: 'passed', signatures: [], changedBefore: true }],
    filesTouched: [{ path: 'src/cart.ts', action: 'modified' }],
  }
  const story: Fields[] = [
    failing('cart total is undefined in src/cart.ts', 'src/cart.ts'),
    failing('rounding of prices goes wrong in src/price.ts'),
    passing,
    failing('cart total is undefined in src/cart.ts', 'src/cart.ts'),
    { filesTouched: [{ path: 'src/price.ts', action: 'deleted' }] },
    passing,
    failing('the session has no user in src/session.ts'),
  ]

  it('comes out the same wherever its reading was interrupted', async () => {
    const { journal } = await journalOf(story)
    const records = await Array.fromAsync(journal.records())
    const whole = new ErrorLedger({ project: '/shop' })
    for (const record of records) whole.add(record)
    expect(new Set(whole.entries().map(({ life }) => life))).toContain('solved')
    const { save, load } = keptLedger('/shop')
    for (let at = 0; at <= records.length; at++) {
      let ledger = new ErrorLedger({ project: '/shop' })
      for (const record of records.slice(0, at)) ledger.add(record)
      ledger = load(JSON.parse(JSON.stringify(save(ledger))))
      for (const record of records.slice(at)) ledger.add(record)
      expect(ledger.entries(), `interrupted after ${at}`).toEqual(whole.entries())
    }
  })

  it('is worked out anew by whoever judges otherwise', async () => {
    const { journal } = await journalOf(story)
    const { basis, start, add, save } = keptLedger('/shop')
    const ledger = start()
    for await (const item of journal.items()) add(ledger, item)
    // Another sum: then the version in kept-ledger.ts has to be another one too, or old judgements stay in caches.
    expect([basis, sha256(JSON.stringify(save(ledger))).slice(0, 12)]).toEqual([
      'errors 1 of /shop',
      '27d037433613',
    ])
  })

  it('is not taken over by a project that lies elsewhere', async () => {
    const { journal } = await journalOf(story)
    const here = await new JournalFold(journal, keptLedger('/shop')).current()
    const there = await new JournalFold(journal, keptLedger('/elsewhere')).current()
    expect(there.entries()).toEqual(here.entries())
    expect(readFileSync(journal.cacheFile('errors.json'), 'utf8')).toContain('of /elsewhere')
  })
})
