import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ContextFile } from '../../src/board/feature.ts'
import { Journal } from '../../src/feature-memory/journal.ts'
import {
  type IterationRecord,
  type NewIteration,
  parseRecord,
  toJournalLine,
} from '../../src/feature-memory/record.ts'
import { enrichedContextFiles, isNoise } from '../../src/loop/after/context-files.ts'
import { retryAt } from '../../src/loop/back-off.ts'
import { FeatureHistory } from '../../src/loop/history.ts'

describe('context files', () => {
  const touches = new Map([
    ['src/form.ts', 4],
    ['src/rare.ts', 2],
    ['src/gone.ts', 9],
    ['package-lock.json', 9],
  ])
  const exists = (path: string) => path !== 'src/gone.ts'
  const auto = (path: string, touchCount: number): ContextFile => ({ path, source: 'auto', touchCount })

  it('are joined by what is touched often, exists and says something', () => {
    expect(enrichedContextFiles([], [], touches, exists)).toEqual([auto('src/form.ts', 4)])
    expect(enrichedContextFiles([], ['src/form.ts'], touches, exists)).toBeUndefined()
    expect(enrichedContextFiles([auto('src/form.ts', 3)], [], touches, exists)).toBeUndefined()
  })

  it('make room at the cap, but never for less, and never what somebody chose', () => {
    const human: ContextFile = { path: 'mine.ts', source: 'human', touchCount: 0 }
    const many = Array.from({ length: 28 }, (_, index) => auto(`src/${index}.ts`, 10))
    const next = enrichedContextFiles([human, auto('src/least.ts', 3), ...many], [], touches, exists)!
    expect(next).toHaveLength(30)
    expect(next.map(({ path }) => path)).toContain('mine.ts')
    expect(next.map(({ path }) => path)).toContain('src/form.ts')
    expect(next.map(({ path }) => path)).not.toContain('src/least.ts')
    const chosen = Array.from(
      { length: 30 },
      (_, index): ContextFile => ({ path: `${index}.ts`, source: 'human', touchCount: 0 }),
    )
    expect(enrichedContextFiles(chosen, [], touches, exists)).toBeUndefined()
    expect(enrichedContextFiles([human, auto('a', 9), ...many], [], touches, exists)).toBeUndefined()
  })

  it.each([
    'package.json',
    'web/package-lock.json',
    'yarn.lock',
    'Cargo.toml',
    'go.sum',
    'tsconfig.build.json',
    'vite.config.ts',
    '.eslintrc.json',
    '.github/workflows/ci.yml',
    'dist/index.js',
    'node_modules/x/index.js',
    'src/api.generated.ts',
    'app.min.js',
    'a/__snapshots__/b.snap',
    'Makefile',
    '.ralph/db/tasks.yaml',
    'requirements-dev.txt',
    'poetry.lock',
    'api.pb.go',
  ])('leave out %s', (path) => expect(isNoise(path)).toBe(true))

  it.each([
    'src/form.ts',
    'src/config/load.ts',
    'lib/generator.rb',
    'docs/build.md',
    'src/lockfile.ts',
    'app/models/package.rb',
    'src/out-of-band.ts',
  ])('take %s', (path) => expect(isNoise(path)).toBe(false))
})

describe('waiting for a rate limit', () => {
  const limits = { firstMs: 30_000, longestMs: 900_000, longestResetMs: 8 * 86_400_000 }
  const at = (resetsAt: string | undefined, attempt: number) =>
    retryAt(
      { retries: 0, resetsAt } as never,
      attempt,
      Date.parse('2026-02-07T10:00:00Z'),
      limits,
      () => 0,
    ).toISOString()

  it('honours the time of the reset', () => {
    expect(at('2026-02-07T14:00:00Z', 1)).toBe('2026-02-07T14:00:05.000Z')
  })

  it('backs off when there is none, or none that can be believed', () => {
    expect(at(undefined, 1)).toBe('2026-02-07T10:00:30.000Z')
    expect(at(undefined, 3)).toBe('2026-02-07T10:02:00.000Z')
    expect(at(undefined, 20)).toBe('2026-02-07T10:15:00.000Z')
    expect(at('2026-02-07T09:00:00Z', 1)).toBe('2026-02-07T10:00:30.000Z')
    expect(at('2099-01-01T00:00:00Z', 1)).toBe('2026-02-07T10:00:30.000Z')
  })
})

describe('history', () => {
  let folder: string
  let number: number
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'history-'))
    number = 0
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const record = (fields: Partial<NewIteration> & { iterationNumber?: number }) =>
    parseRecord({
      iterationNumber: ++number,
      taskId: 1,
      taskTitle: 'T',
      feature: 'auth',
      discipline: 'general',
      timestamp: '2026-02-07T14:30:00Z',
      outcome: 'failure',
      summary: 's',
      errors: [],
      decisions: [],
      filesTouched: [],
      modelTier: 'haiku',
      ...fields,
    })
  const error = (line: number) => ({
    errors: [{ message: `TypeError: x is not a function at /home/a/src/form.ts:${line}:7` }],
  })

  async function history(...records: IterationRecord[]) {
    const journal = new Journal({ path: join(folder, 'auth.jsonl'), cacheDir: folder, name: 'auth' })
    const made = new FeatureHistory(journal, folder)
    const append = async (...more: IterationRecord[]) => {
      await mkdir(folder, { recursive: true })
      await appendFile(journal.path, more.map((one) => `${toJournalLine(one)}\n`).join(''))
      await made.refresh()
    }
    await append(...records)
    return { made, append }
  }

  it('keeps the ledger of errors as the journal grows', async () => {
    const { made, append } = await history(record(error(10)), record({}))
    expect(made.ledger.entries()).toMatchObject([{ times: 1 }])
    await append(record(error(25)))
    expect(made.ledger.entries()).toMatchObject([{ life: 'open', times: 2 }])
  })

  it('counts only what worked and was not done as a failed attempt', async () => {
    const { made } = await history(
      record({}),
      record({ outcome: 'failure', ending: { kind: 'service_failed', cause: 'credit' } }),
      record({ outcome: 'failure', ending: { kind: 'stopped', cause: 'interrupted' } }),
      record({ outcome: 'timeout' }),
      record({ outcome: 'rate_limited' }),
    )
    expect(made.failedAttempts(1).map((one) => one.iterationNumber)).toEqual([1])
    expect(made.attempts(1)).toHaveLength(5)
  })

  it('lets a session by hand neither pass for a review nor bring one nearer', async () => {
    const session = { kind: 'session' as const, taskId: 0, outcome: 'success' as const }
    const review = { kind: 'review' as const, taskId: 0, outcome: 'success' as const }
    const { made, append } = await history(record({}), record(session), record({}), record(session))
    expect([made.reviews, made.iterationsSinceReview]).toEqual([0, 2])
    await append(record(review), record(session), record({}))
    expect([made.reviews, made.iterationsSinceReview]).toEqual([1, 1])
    expect(made.attempts(0)).toEqual([])
  })

  it('knows failed attempts per task, touches per file, and how many reviews there were', async () => {
    const { made } = await history(
      record({ taskId: 1, filesTouched: [{ path: 'a.ts', action: 'modified' }] }),
      record({ taskId: 2, outcome: 'timeout' }),
      record({ taskId: 1, outcome: 'partial', filesTouched: [{ path: 'a.ts', action: 'read' }] }),
      record({ kind: 'review', taskId: 0, outcome: 'success' }),
      record({ taskId: 1 }),
    )
    expect(made.failedAttempts(1).map((one) => one.iterationNumber)).toEqual([5, 1])
    expect(made.failedAttempts(2)).toEqual([])
    expect([made.recentFailures(1), made.recentFailures(2)]).toEqual([2, 1])
    expect(made.touches.get('a.ts')).toBe(2)
    expect([made.latest, made.reviews, made.iterationsSinceReview]).toEqual([5, 1, 1])
  })

  it('counts nothing twice, however often and at once it is asked', async () => {
    const { made, append } = await history(record({ filesTouched: [{ path: 'a.ts', action: 'read' }] }))
    await Promise.all([
      made.refresh(),
      made.refresh(),
      append(record({ filesTouched: [{ path: 'a.ts', action: 'read' }] })),
      made.refresh(),
    ])
    await made.refresh()
    expect(made.touches.get('a.ts')).toBe(2)
  })

  it('begins anew when the journal was rewritten', async () => {
    const { made } = await history(record({}), record({}))
    await rm(join(folder, 'auth.jsonl'))
    await appendFile(
      join(folder, 'auth.jsonl'),
      `${toJournalLine(record({ iterationNumber: 1, taskId: 9 }))}\n`,
    )
    await made.refresh()
    expect(made.failedAttempts(1)).toEqual([])
    expect(made.failedAttempts(9)).toHaveLength(1)
  })
})
