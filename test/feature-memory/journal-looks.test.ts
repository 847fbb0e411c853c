import { appendFileSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Journal } from '../../src/feature-memory/journal.ts'
import { JournalLooks } from '../../src/feature-memory/journal-looks.ts'
import { iteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

async function readJournal() {
  const folder = await temporaryFolder()
  const path = join(folder, 'auth.jsonl')
  const journal = new Journal({ path, cacheDir: join(folder, 'cache'), name: 'auth' })
  await journal.append((iterationNumber) => [iteration({ iterationNumber })])
  const looks = new JournalLooks()
  /** To its end, as whoever brings an index level does. */
  const readOn = async () => {
    const readTo = looks.begin(journal)
    const position = await journal.read(undefined, async (reading) => {
      for await (const _ of reading.items);
      return reading.position()
    })
    readTo(position)
    return position
  }
  const settle = () => utimesSync(path, new Date('2026-01-01'), new Date('2026-01-01'))
  settle()
  return { path, journal, looks, readOn, settle, position: await readOn() }
}

it('a journal that looks as it did when it was read to its end holds nothing new', async () => {
  const { journal, looks, position } = await readJournal()
  expect(looks.isAtEnd(journal, position)).toBe(true)
  expect(looks.isAtEnd(journal, { ...position, offset: position.offset - 1 })).toBe(false)
  expect(looks.isAtEnd(journal, { ...position, fingerprint: 'of another state' })).toBe(false)
  expect(new JournalLooks().isAtEnd(journal, position)).toBe(false)
})

it.each([
  ['is longer', (path: string) => appendFileSync(path, '{')],
  [
    'is changed in place, its time set back',
    (path: string) => {
      const { atime, mtime } = statSync(path)
      writeFileSync(path, readFileSync(path, 'utf8').replace('success', 'failure'))
      utimesSync(path, atime, mtime)
    },
  ],
  [
    'is another file',
    (path: string) => {
      writeFileSync(`${path}.new`, readFileSync(path))
      renameSync(`${path}.new`, path)
    },
  ],
])('one that %s is read again', async (_, change) => {
  const { path, journal, looks, position } = await readJournal()
  change(path)
  expect(looks.isAtEnd(journal, position)).toBe(false)
})

it('nobody relies on looks just after a change, nor before the end', async () => {
  const { path, journal, looks, readOn, settle } = await readJournal()
  utimesSync(path, new Date(), new Date())
  expect(looks.isAtEnd(journal, await readOn())).toBe(false)
  appendFileSync(path, '{"unfinished')
  settle()
  expect(looks.isAtEnd(journal, await readOn())).toBe(false)
})
