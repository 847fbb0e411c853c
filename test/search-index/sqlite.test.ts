import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RandomTexts } from '../../bench/support/random-texts.ts'
import { isRalphError } from '../../src/errors.ts'
import type { SearchIndex } from '../../src/search-index/search-index.ts'
import { KnownRows } from '../../src/search-index/sqlite/known-rows.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { describeSearchIndex } from '../contracts/search-index.ts'
import { along, countOf, countPassing, document, id, spec } from './documents.ts'

describeSearchIndex('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ralph-index-'))
  const path = join(folder, 'cache', 'index.db')
  return {
    index: openSqliteIndex({ path }),
    reopen: async () => openSqliteIndex({ path }),
    discard: () => rm(folder, { recursive: true, force: true }),
  }
})

describe('SQLite', () => {
  let folder: string
  let path: string
  const closing: (() => unknown)[] = []

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ralph-index-'))
    path = join(folder, 'index.db')
  })
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
    await rm(folder, { recursive: true, force: true })
  })

  function open(): SearchIndex {
    const index = openSqliteIndex({ path })
    closing.push(() => index.close())
    return index
  }
  async function filled(count = 20): Promise<SearchIndex> {
    const index = open()
    await index.write(spec('a'), { put: manyDocuments(count) })
    return index
  }
  async function rejection(promise: Promise<unknown>) {
    const error = await promise.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (!isRalphError(error)) throw new Error(`expected a RalphError, got ${error}`)
    return error
  }

  it('opens nothing before it is used', async () => {
    open()
    expect(await readdir(folder)).toEqual([])
  })

  describe('a file that cannot be used', () => {
    it('of a newer version is left alone', async () => {
      await (await filled()).close()
      const before = await changeFile((db) =>
        db.exec('ALTER TABLE documents ADD COLUMN later TEXT; PRAGMA user_version = 99'),
      )
      const index = open()
      const error = await rejection(countOf(index, 'a'))
      expect(error.code).toBe('unsupported_version')
      expect(error.hint).toMatch(/update/i)
      expect(await index.check()).toMatchObject({ ok: false, detail: expect.stringContaining('newer') })
      await index.close()
      expect(await readFile(path)).toEqual(before)
    })

    it('of an older version is to be built again', async () => {
      await (await filled()).close()
      await changeFile((db) => db.exec('PRAGMA user_version = 0'))
      expect(await rejection(countOf(open(), 'a'))).toMatchObject({
        code: 'damaged',
        hint: expect.stringContaining('ralph memory rebuild'),
      })
    })

    it('that belongs to somebody else is not touched', async () => {
      const before = await changeFile((db) => db.exec('CREATE TABLE theirs (x)'))
      expect((await rejection(open().write(spec('a'), {}))).code).toBe('invalid_input')
      expect(await readFile(path)).toEqual(before)
    })

    it.each([
      ['no database', async () => writeFile(path, 'x'.repeat(10_000))],
      ['cut short', async () => truncate(path, 20_000)],
      ['overwritten inside', async () => overwrite(8_192, 60_000)],
    ])('because it is %s is reported as disposable, and mended by a reset', async (_, damage) => {
      await (await filled(300)).close()
      await damage()
      const index = open()
      const error = await rejection(
        index
          .search('a', { text: 'note', vector: along(1), limit: 5 })
          .then(() => index.read('a', { limit: 400 })),
      )
      expect(error).toMatchObject({ code: 'damaged', hint: expect.stringContaining('ralph memory rebuild') })
      await index.reset()
      expect(await index.collections()).toEqual([])
      await index.write(spec('a'), { put: manyDocuments(3) })
      expect(await countOf(index, 'a')).toBe(3)
    })

    it('because its folder is a file says so', async () => {
      await writeFile(join(folder, 'file'), '')
      path = join(folder, 'file', 'index.db')
      const written = open().write(spec('a'), { put: manyDocuments(3) })
      expect(await rejection(written)).toMatchObject({ hint: expect.any(String) })
    })
  })

  it('is not made by whoever only looks', async () => {
    const index = open()
    expect(await index.collections()).toEqual([])
    expect(await index.read('a', { ids: ['one'] })).toEqual([])
    expect(await index.search('a', { text: 'a note', limit: 3 })).toEqual([])
    expect(await index.check({ thorough: true })).toMatchObject({
      ok: true,
      detail: expect.stringContaining('yet'),
    })
    expect(await readdir(folder)).toEqual([])
  })

  it('gives the same results, to the last digit, however it came to its documents', async () => {
    const documents = manyDocuments(1_200)
    const grown = open()
    await grown.write(spec('a'), {})
    const muddled = [...documents.slice(600), ...documents.slice(0, 900), ...documents.slice(500)]
    for (let at = 0; at < muddled.length; at += 37)
      await grown.write(spec('a'), { put: muddled.slice(at, at + 37) })
    await grown.write(spec('a'), { put: [document('gone', 'note no7', { axis: 1 })] })
    await grown.write(spec('a'), { remove: [id('gone')] })
    path = join(folder, 'other.db')
    const built = open()
    await built.write(spec('a'), {})
    await built.write(spec('a'), { put: documents })
    for (let at = 0; at < 20; at++) {
      const request = { text: `note no${at} shared`, vector: along(at, at), limit: 5 }
      const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
      expect((await grown.search('a', request)).sort(byId)).toEqual(
        (await built.search('a', request)).sort(byId),
      )
    }
  })

  it('knows what it has read only until somebody writes, itself or another', async () => {
    const index = await filled(700)
    const other = open()
    const ask = () => index.search('a', { text: 'note no7 shared', vector: along(7, 7), limit: 5 })
    const first = await ask()
    const expected = structuredClone(first)
    const change = () => {
      first[0]!.payload['kind'] = 'changed by whoever got it'
    }
    expect(change).toThrow(TypeError)
    expect(await ask()).toEqual(expected)

    await other.write(spec('a'), { put: [document('of another', 'note no7 no7', { axis: 7 })] })
    const names = async () => (await ask()).map(({ payload }) => payload['name'])
    expect(await names()).toContain('of another')
    await index.write(spec('a'), { remove: [id('of another')] })
    expect(await names()).not.toContain('of another')
    expect(await ask()).toEqual(expected)
    await other.drop('a')
    expect(await ask()).toEqual([])
  })

  it('finds the nearest also where all are about equally near, and sketches hardly tell them apart', async () => {
    const texts = new RandomTexts(1)
    const dimensions = 64
    const vectors = Array.from({ length: 3_000 }, () => texts.vector(dimensions))
    const index = open()
    const put = vectors.map((vector, at) => ({ ...document(`random ${at}`, 'x'), vector, payload: { at } }))
    await index.write({ ...spec('a'), dimensions }, { put })
    let found = 0
    for (let asked = 0; asked < 20; asked++) {
      const question = texts.vector(dimensions)
      const likeness = vectors.map((vector) => vector.reduce((sum, x, at) => sum + x * question[at]!, 0))
      const nearest = [...likeness.keys()].sort((a, b) => likeness[b]! - likeness[a]!).slice(0, 10)
      const hits = await index.search('a', { text: '', vector: question, limit: 10 })
      const best = hits.sort((a, b) => b.cosine! - a.cosine!).slice(0, 10)
      found += best.filter(({ payload }) => nearest.includes(payload['at'] as number)).length
    }
    expect(found).toBeGreaterThan(190)
  })

  it('forgets what it has read when there is too much of it, and reads it again', () => {
    const known = new KnownRows(3_000)
    let reads = 0
    const read = (name: number) =>
      known.get(
        'kind',
        name,
        () => ++reads,
        () => 1_000,
      )
    expect([1, 1, 2, 1, 2].map(read)).toEqual([1, 1, 2, 1, 2])
    expect([3, 1, 3].map(read)).toEqual([3, 4, 3])
    known.holdFor('another state')
    expect(read(3)).toBe(5)
  })

  it('keeps finding the rest while most are removed', async () => {
    const index = await filled(1_000)
    const kept = new Set([id('3'), id('511'), id('999')])
    const all = await index.read('a', { limit: 2_000 })
    const gone = all.map((one) => one.id).filter((one) => !kept.has(one))
    for (let at = 0; at < gone.length; at += 100)
      await index.write(spec('a'), { remove: gone.slice(at, at + 100) })
    const found = await index.search('a', { text: 'note', vector: along(1), limit: 10 })
    expect(new Set(found.map((one) => one.id))).toEqual(kept)
    expect(await countPassing(index, 'a', 'note', { number: { from: 500 } })).toBe(2)
  })

  it('leaves nothing readable of what was removed', async () => {
    const index = await filled(300)
    const secret = 'hunter2-very-secret-value'
    await index.write(spec('a'), { put: [document('secret', secret, { payload: { kind: secret } })] })
    await index.write(spec('a'), { put: manyDocuments(600).slice(300) })
    await index.write(spec('a'), { remove: [id('secret')] })
    await index.close()
    for (const file of await readdir(folder)) {
      expect((await readFile(join(folder, file))).includes(secret)).toBe(false)
    }
  })

  describe('with other processes', () => {
    function startWriter(name: string, count: number): ChildProcess {
      const script = join(import.meta.dirname, 'sqlite-writer.ts')
      const child = spawn(process.execPath, [script, path, name, String(count)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      closing.push(() => child.kill('SIGKILL'))
      return child
    }

    it('several write at once while one reads, and nothing is lost', async () => {
      const index = await filled(50)
      const writers = Array.from({ length: 5 }, (_, at) => startWriter(`writer${at}`, 120))
      const ended = Promise.all(writers.map((child) => once(child, 'exit')))
      let running = true
      void ended.then(() => {
        running = false
      })
      while (running) {
        const found = await index.search('a', { text: 'note shared', vector: along(1), limit: 10 })
        expect(found.length).toBeGreaterThanOrEqual(10)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      expect((await ended).map(([code]) => code)).toEqual([0, 0, 0, 0, 0])
      expect(await countOf(index, 'a')).toBe(50 + 5 * 120)
      expect(await countPassing(index, 'a', 'note', { kind: { in: ['writer3'] } })).toBe(120)
    })

    it('every acknowledged document survives a writer that is killed', async () => {
      const index = open()
      await index.write(spec('a'), {})
      for (let round = 0; round < 3; round++) {
        const child = startWriter(`round${round}`, 100_000)
        let acknowledged = 0
        for await (const line of createInterface({ input: child.stdout! })) {
          acknowledged = Number(line)
          if (acknowledged >= 100 + 120 * round) child.kill('SIGKILL')
        }
        const stored = await countPassing(index, 'a', 'note', { kind: { in: [`round${round}`] } })
        expect(stored).toBeGreaterThanOrEqual(acknowledged)
        const numbers = { number: { in: [0, acknowledged - 1] }, kind: { in: [`round${round}`] } }
        const found = await index.search('a', { text: 'note', limit: 10, filter: numbers })
        expect(found).toHaveLength(2)
        expect(await index.check()).toMatchObject({ ok: true })
      }
    })

    it('is not thrown away while one of them uses it', async () => {
      const index = await filled()
      const child = startWriter('busy', 100_000)
      await once(child.stdout!, 'data')
      expect(await rejection(index.reset())).toMatchObject({ code: 'conflict', hint: expect.any(String) })
      expect(await countPassing(index, 'a', 'note', { kind: { in: ['note'] } })).toBe(20)
      child.kill('SIGKILL')
      await once(child, 'exit')
      await index.reset()
      expect(await index.collections()).toEqual([])
    })
  })

  async function changeFile(change: (db: DatabaseSync) => void): Promise<Buffer> {
    const db = new DatabaseSync(path)
    change(db)
    db.close()
    return readFile(path)
  }
  async function overwrite(from: number, to: number): Promise<void> {
    const bytes = await readFile(path)
    bytes.fill(0x5a, from, to)
    await writeFile(path, bytes)
  }
})

function manyDocuments(count: number) {
  return Array.from({ length: count }, (_, at) =>
    document(`${at}`, `note no${at} shared`, { axis: at, payload: { kind: 'note', number: at } }),
  )
}
