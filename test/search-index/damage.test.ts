import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { isRalphError, RalphError } from '../../src/errors.ts'
import type { SearchIndex } from '../../src/search-index/search-index.ts'
import { checksumOf } from '../../src/search-index/sqlite/checksum.ts'
import { asFloats, unpackVector } from '../../src/search-index/sqlite/rounded-vector.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { deterministicUuid, sha256 } from '../../src/text/ids.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'
import { temporaryFolder } from '../support/temporary.ts'

const WORDS = 'login form crash user session token cache index search vector order invoice tax queue'.split(
  ' ',
)
const PAGE = 8_192
const embedder = new FakeEmbedder()
const SPEC = { name: 'notes', embedderId: embedder.id, dimensions: embedder.dimensions, filterable: ['kind'] }
const SMALL = { ...SPEC, name: 'small' }
const noteId = (name: string, at: number) => deterministicUuid(name, String(at))

/** Packed documents and loose ones, and some that were removed from either. */
async function fill(index: SearchIndex, spec: typeof SPEC, count: number): Promise<void> {
  const texts = Array.from({ length: count }, (_, at) =>
    [3, 5, 7].map((step) => WORDS[(at * step + (at >> 3)) % WORDS.length]).join(' '),
  )
  const vectors = await embedder.embed(texts, 'document')
  const put = texts.map((text, at) => ({
    id: noteId(spec.name, at),
    text: `${text} number${at}`,
    textHash: sha256(text),
    vector: vectors[at]!,
    detail: Uint8Array.from({ length: 40 }, (_, byte) => (at * byte) & 255),
    payload: { text, kind: at % 3 === 0 ? 'odd' : 'even', of: sha256(text) },
  }))
  for (let at = 0; at < count; at += 100)
    await index.write(spec, { put: put.slice(at, at + 100), state: { at } })
  await index.write(spec, { remove: put.slice(10, 20).map(({ id }) => id) })
}

async function answers(index: SearchIndex): Promise<string> {
  const all: unknown[] = [await index.collections()]
  for (const [at, { name }] of [SPEC, SMALL, SPEC].entries()) {
    const text = `${WORDS[at * 4]} ${WORDS[at]} number${at * 30}`
    const [vector] = await embedder.embed([text], 'query')
    const filter = at === 0 ? { kind: { in: ['odd'] } } : {}
    const found = await index.search(name, { text, vector: vector!, limit: 10, filter, details: true })
    all.push(found.sort((a, b) => (a.id < b.id ? -1 : 1)))
  }
  return JSON.stringify(all)
}

/** What a search brings once something was added and something removed. */
async function answersAfterChanges(index: SearchIndex): Promise<string> {
  const [vector] = await embedder.embed(['login crash'], 'document')
  const added = { id: noteId('new', 0), text: 'login crash', textHash: '1', vector: vector!, payload: {} }
  for (const spec of [SPEC, SMALL])
    await index.write(spec, { put: [added], remove: [noteId(spec.name, 0), noteId(spec.name, 28)] })
  return answers(index)
}

/** Deterministic: a failure can be looked at. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

describe('flipped bits', () => {
  let folder: string
  let sound: Buffer
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ralph-damage-'))
    const path = join(folder, 'index.db')
    const index = openSqliteIndex({ path })
    await fill(index, SPEC, 290)
    await fill(index, SMALL, 30)
    await index.close()
    sound = await readFile(path)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  let copies = 0
  async function askOf(bytes: Buffer, ask: (index: SearchIndex) => Promise<string>): Promise<string> {
    const path = join(folder, `copy-${copies++}.db`)
    await writeFile(path, bytes)
    const index = openSqliteIndex({ path })
    try {
      return await ask(index)
    } finally {
      await index.close()
      for (const ending of ['', '-wal', '-shm', '-lease']) rmSync(path + ending, { force: true })
    }
  }

  /** Each either found out, or without any effect. Returns how many were found out. */
  async function tryAll(flips: [at: number, bit: number][][], ask: (index: SearchIndex) => Promise<string>) {
    const expected = await askOf(sound, ask)
    let foundOut = 0
    for (const trial of flips) {
      const bytes = Buffer.from(sound)
      for (const [at, bit] of trial) bytes[at]! ^= 1 << bit
      const answer = await askOf(bytes, ask).catch((error) => {
        if (!isRalphError(error)) throw error
        expect(error.code, `${JSON.stringify(trial)}: ${error.message}`).toBe('damaged')
        return undefined
      })
      if (answer === undefined) foundOut++
      else if (answer !== expected) expect.fail(`other results after ${JSON.stringify(trial)}`)
    }
    return foundOut
  }

  it('in the first bytes of every page are damage, never other results', async () => {
    const roll = dice(7)
    const flips: [number, number][][] = []
    // The first page begins with the header of the file: see below.
    for (let page = PAGE; page < sound.length; page += PAGE)
      for (let at = 0; at < 20; at++) flips.push([[page + at, roll(8)]])
    expect(await tryAll(flips, answers)).toBeGreaterThan(flips.length / 4)
  }, 120_000)

  it('in the header of the file are damage or without effect, none is taken for another version or a lock', async () => {
    // How it may be read and written, and of which program and version it is.
    const trials = [18, 19, 20, 60, 61, 62, 63, 68, 71].flatMap((at) =>
      Array.from({ length: 8 }, (_, bit): [number, number][] => [[at, bit]]),
    )
    const ask = async (index: SearchIndex) => {
      await index.write(SMALL, { state: { at: 1 } })
      return answers(index)
    }
    expect(await tryAll(trials, ask)).toBeGreaterThan(trials.length / 2)
  }, 120_000)

  it('anywhere are damage, never other results, also after something has changed', async () => {
    const roll = dice(1)
    const one = Array.from({ length: 80 }, () => [flip(roll)])
    const twenty = Array.from({ length: 20 }, () => Array.from({ length: 20 }, () => flip(roll)))
    expect(await tryAll([...one, ...twenty], answers)).toBeGreaterThan(20)
    expect(await tryAll([...one, ...twenty], answersAfterChanges)).toBeGreaterThan(20)
  }, 120_000)

  const flip = (roll: (sides: number) => number): [number, number] => [
    100 + roll(sound.length - 100),
    roll(8),
  ]

  it('are found by a thorough look, wherever they change anything', async () => {
    const roll = dice(3)
    const look = async (index: SearchIndex) => {
      const { ok, detail } = await index.check({ thorough: true })
      if (!ok) throw new RalphError('damaged', detail)
      return answers(index)
    }
    expect(
      await tryAll(
        Array.from({ length: 100 }, () => [flip(roll)]),
        look,
      ),
    ).toBeGreaterThan(30)
  }, 120_000)
})

it('an index of the version before checksums is read on, and gets them', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'index.db')
  const packed = await readFile(new URL('../fixtures/index-version-1.db.gz', import.meta.url))
  await writeFile(path, gunzipSync(packed))
  const index = openSqliteIndex({ path })
  onTestFinished(() => index.close())
  const request = { text: 'login number0', limit: 5 }
  const before = await index.search('notes', request)
  expect(before.length).toBeGreaterThan(0)
  const [vector] = await embedder.embed(['login'], 'document')
  const put = [{ id: deterministicUuid('new'), text: 'login', textHash: '1', vector: vector!, payload: {} }]
  await index.write(SPEC, { put })
  expect((await index.search('notes', request)).length).toBeGreaterThanOrEqual(before.length)
  const file = new DatabaseSync(path, { readOnly: true })
  onTestFinished(() => file.close())
  expect(file.prepare('SELECT count(checksum) AS checked FROM loose').get()).toEqual({ checked: 1 })
})

describe('an index of an older version is read on', () => {
  let path: string
  let before: string

  beforeEach(async () => {
    path = join(await temporaryFolder(), 'index.db')
    const index = openSqliteIndex({ path })
    await fill(index, SMALL, 300)
    before = await answers(index)
    await index.close()
  })

  function changeFile(change: (file: DatabaseSync) => void): void {
    const file = new DatabaseSync(path)
    change(file)
    file.close()
  }

  function reopened(): SearchIndex {
    const index = openSqliteIndex({ path })
    onTestFinished(() => index.close())
    return index
  }

  /** Vectors of floats, and in the payload the hash that stands beside it. */
  function asVersion4(file: DatabaseSync): void {
    file.exec('ALTER TABLE vectors RENAME COLUMN steps TO vector')
    const keep = file.prepare('UPDATE vectors SET vector = ?, checksum = ? WHERE document = ?')
    for (const row of file.prepare('SELECT document, vector, detail_checksum FROM vectors').all()) {
      const document = row['document'] as number
      const rounded = unpackVector(row['vector'] as Uint8Array, SPEC.dimensions)!
      const floats = new Uint8Array(asFloats(rounded).buffer)
      const signed = [document, floats, ...(row['detail_checksum'] ? [row['detail_checksum'] as number] : [])]
      keep.run(floats, checksumOf(...signed), document)
    }
    const rewrite = file.prepare('UPDATE documents SET payload = ?, checksum = ? WHERE id = ?')
    for (const row of file.prepare('SELECT id, text_hash, payload FROM documents').all()) {
      const [id, hash, packed] = [row['id'] as string, row['text_hash'] as string, row['payload'] as string]
      const payload = packed.replaceAll('\u0001', JSON.stringify(hash))
      expect(payload.length).toBeGreaterThan(packed.length + 60)
      rewrite.run(payload, checksumOf(id, hash, payload), id)
    }
    file.exec('PRAGMA user_version = 4')
  }

  it('before vectors were rounded, with the same answers in a smaller file', async () => {
    changeFile(asVersion4)
    changeFile((file) => file.exec('VACUUM'))
    const { size } = statSync(path)
    const index = reopened()
    expect(await answers(index)).toBe(before)
    expect((await index.check({ thorough: true })).ok).toBe(true)
    await index.close()
    expect(statSync(path).size).toBeLessThan(size)
  })

  it('before there were details, with the vectors it has', async () => {
    changeFile((file) => {
      file.exec('UPDATE vectors SET detail_checksum = NULL')
      asVersion4(file)
      file.exec(
        `DROP TABLE details; ALTER TABLE vectors DROP COLUMN detail_checksum; PRAGMA user_version = 3`,
      )
    })
    const index = reopened()
    expect((await index.check({ thorough: true })).ok).toBe(true)
    expect(await answers(index)).toBe(before.replaceAll(/,"detail":\{[^}]*\}/g, ''))
  })

  it('unless a row of it is damaged, which no new checksum hides', async () => {
    changeFile((file) => {
      asVersion4(file)
      file.exec('UPDATE vectors SET checksum = checksum + 1 WHERE document = 7')
    })
    await expect(answers(reopened())).rejects.toMatchObject({ code: 'damaged' })
  })
})
