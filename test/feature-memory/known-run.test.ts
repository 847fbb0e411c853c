import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { extract } from '../../src/feature-memory/extract/extract.ts'
import { FeatureMemory } from '../../src/feature-memory/feature-memory.ts'
import { Notices } from '../../src/notices.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { readTranscript } from '../../src/transcripts/read-transcript.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'
import { temporaryFolder } from '../support/temporary.ts'

const FIXTURES = join(import.meta.dirname, '../fixtures')
const fixture = (name: string) => join(FIXTURES, `${name}.jsonl`)
const TASK = { feature: 'shop', taskId: 7, taskTitle: 'Two files' }

async function open() {
  const folder = await temporaryFolder()
  const index = openSqliteIndex({ path: join(folder, 'cache', 'index.db') })
  onTestFinished(() => index.close())
  const memory = new FeatureMemory({
    project: '/home/dev/shop',
    memoryDir: join(folder, 'memory'),
    cacheDir: join(folder, 'cache'),
    index,
    embedder: async () => new FakeEmbedder(),
    notices: new Notices(() => undefined),
  })
  const record = (name: string) => memory.record({ file: fixture(name), ...TASK })
  const files = async () =>
    (await memory.recent('shop', 10))
      .toReversed()
      .map(({ filesTouched }) => filesTouched.map(({ path }) => path))
  return { folder, memory, record, files }
}

describe('recording a run', () => {
  it('a second time is recognised, and stores nothing', async () => {
    const { memory, record } = await open()
    const first = await record('stream-json/40-resume-first')
    expect(first).toMatchObject({
      status: 'recorded',
      record: {
        kind: 'task',
        agent: 'claude-code',
        sessionId: 'b094f3fb-5885-48d2-8f86-8ae6204ebaf4',
        ending: { kind: 'done' },
      },
    })
    expect(await record('stream-json/40-resume-first')).toEqual({ ...first, status: 'known' })
    const run = await readTranscript(fixture('stream-json/40-resume-first'))
    expect((await memory.record({ run, ...TASK })).status).toBe('known')
    expect((await memory.statistics('shop')).iterations).toBe(1)
  })

  it('takes it apart once', async () => {
    const { memory } = await open()
    const run = await readTranscript(fixture('stream-json/40-resume-first'))
    let looks = 0
    const toolCalls = new Proxy(run.toolCalls, {
      get: (target, key) => {
        if (key === 'map') looks++
        return Reflect.get(target, key)
      },
    })
    const counted = { ...run, toolCalls }
    extract(counted, { project: '/home/dev/shop' })
    const once = looks
    expect(once).toBeGreaterThan(0)
    await memory.record({ run: counted, ...TASK })
    expect(looks).toBe(2 * once)
  })

  it('is recognised by processes at the same time', async () => {
    const { memory, record } = await open()
    const all = await Promise.all(Array.from({ length: 5 }, () => record('stream-json/32-checks')))
    expect(all.map(({ status }) => status).sort()).toEqual(['known', 'known', 'known', 'known', 'recorded'])
    expect((await memory.statistics('shop')).iterations).toBe(1)
  })

  it('that goes on with an earlier session is a further stretch of it, in any order', async () => {
    const { record, files } = await open()
    expect((await record('stream-json/41-resume-second')).status).toBe('recorded')
    expect((await record('stream-json/40-resume-first')).status).toBe('recorded')
    expect(await files()).toEqual([['b.txt'], ['a.txt']])
  })

  it('whose session file has grown stores only what is new in it', async () => {
    const { folder, memory, files } = await open()
    const lines = (await readFile(fixture('session-files/resumed-with-work'), 'utf8')).split('\n')
    const half = lines.findIndex((line) => line.includes('Now b.txt.'))
    const file = join(folder, 'session.jsonl')
    await writeFile(file, `${lines.slice(0, half).join('\n')}\n`)
    const first = await memory.record({ file, ...TASK })
    expect((await memory.record({ file, ...TASK })).status).toBe('known')
    await writeFile(file, lines.join('\n'))
    const second = await memory.record({ file, ...TASK })
    expect(await files()).toEqual([['a.txt'], ['b.txt']])
    expect((await memory.record({ file, ...TASK })).status).toBe('known')
    // What each stretch cost, not what the session had cost by then.
    expect(first.record.costUsd).toBeCloseTo(0.12649485, 8)
    expect(second.record.costUsd).toBeCloseTo(0.1273575, 8)
  })

  it('is the same run in the output stream and in the session file', async () => {
    const { record } = await open()
    expect((await record('stream-json/11-hooks')).status).toBe('recorded')
    expect((await record('session-files/headless-hooks-main')).status).toBe('known')
  })

  it('of a program that writes no times is known by its end and its tokens', async () => {
    const { record } = await open()
    expect((await record('stream-json/21-search-v1.0.128')).status).toBe('recorded')
    expect((await record('stream-json/21-search-v1.0.128')).status).toBe('known')
  })

  it('says which errors a check reported by their signatures, with secrets masked', async () => {
    const { memory, folder } = await open()
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
    const text = (await readFile(fixture('stream-json/02-failing-checks'), 'utf8')).replaceAll(
      "Type 'number'",
      `Type '${secret}'`,
    )
    const file = join(folder, 'run.jsonl')
    await writeFile(file, text)
    const { record } = await memory.record({ file, ...TASK })
    const tsc = record.checks.find(({ kind }) => kind === 'typecheck')!
    expect(tsc.signatures).toEqual([expect.stringMatching(/^ts2322: type '\[redacted/)])
    expect(JSON.stringify(record).toLowerCase()).not.toContain(secret.toLowerCase())
  })
})
