import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { isRalphError } from '../../src/errors.ts'
import type { SearchIndex } from '../../src/search-index/search-index.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { deterministicUuid, sha256 } from '../../src/text/ids.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'
import { temporaryFolder } from '../support/temporary.ts'

const WORDS = 'login form crash user session token cache index search vector order invoice tax queue'.split(
  ' ',
)
const embedder = new FakeEmbedder()
const SPEC = { name: 'notes', embedderId: embedder.id, dimensions: embedder.dimensions, filterable: ['kind'] }

async function filled(path: string, count: number): Promise<void> {
  const index = openSqliteIndex({ path })
  const texts = Array.from({ length: count }, (_, at) =>
    [3, 5, 7].map((step) => WORDS[(at * step + (at >> 3)) % WORDS.length]).join(' '),
  )
  const vectors = await embedder.embed(texts, 'document')
  const put = texts.map((text, at) => ({
    id: deterministicUuid('note', String(at)),
    text: `${text} number${at}`,
    textHash: sha256(text),
    vector: vectors[at]!,
    payload: { text, kind: at % 3 === 0 ? 'odd' : 'even' },
  }))
  for (let at = 0; at < count; at += 100)
    await index.write(SPEC, { put: put.slice(at, at + 100), state: { at } })
  await index.write(SPEC, { remove: put.slice(10, 20).map(({ id }) => id) })
  await index.close()
}

async function answers(index: SearchIndex): Promise<string> {
  const all: unknown[] = [await index.collections()]
  for (const [at, word] of WORDS.entries()) {
    const text = `${word} number${at * 30}`
    const [vector] = await embedder.embed([text], 'query')
    const filter = at % 2 === 0 ? { kind: { in: ['odd'] } } : {}
    const found = await index.search('notes', { text, vector: vector!, limit: 10, filter })
    all.push(found.sort((a, b) => (a.id < b.id ? -1 : 1)))
  }
  return JSON.stringify(all)
}

/** Deterministic: a failure can be looked at. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

it('flipped bits are damage, never other results', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'index.db')
  await filled(path, 400)
  const sound = await readFile(path)
  const whole = openSqliteIndex({ path })
  const expected = await answers(whole)
  await whole.close()
  const outcomes = { same: 0, damaged: 0 }
  for (let trial = 0; trial < 40; trial++) {
    const roll = dice(trial + 1)
    const bytes = Buffer.from(sound)
    for (let flip = 0; flip < 20; flip++) bytes[100 + roll(bytes.length - 100)]! ^= 1 << roll(8)
    const damagedPath = join(folder, `damaged-${trial}.db`)
    await writeFile(damagedPath, bytes)
    const index = openSqliteIndex({ path: damagedPath })
    try {
      expect(await answers(index), `trial ${trial}`).toBe(expected)
      outcomes.same++
    } catch (error) {
      if (!isRalphError(error)) throw error
      expect(error.code, `trial ${trial}: ${error.message}`).toBe('damaged')
      outcomes.damaged++
    } finally {
      await index.close()
    }
  }
  expect(outcomes.damaged).toBeGreaterThan(10)
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
