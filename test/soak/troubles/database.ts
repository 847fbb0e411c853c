import { cpSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRalphError } from '../../../src/errors.ts'
import { Book } from '../core/book.ts'
import { torture } from '../core/killer.ts'
import { type Random, sentenceOf } from '../core/random.ts'
import { settled, type Trial } from '../core/trial.ts'
import { makeWorld, openProduct, type World } from '../core/world.ts'
import { type Found, pathOf, type WritePath } from '../core/write-path.ts'

const PAGE = 4_096

/** What becomes of the file; `isOpen`: while its newest transactions still lie beside it, as a kill leaves them. */
const HARMS: Record<string, { isOpen?: true; harm: (harmed: Harmed) => void }> = {
  cut: { harm: ({ file, size, random }) => truncateSync(file, random.between(1, size - 1)) },
  zeros: {
    harm({ file, size, random }) {
      const bytes = readFileSync(file)
      for (let pages = random.between(1, 4); pages > 0; pages--) {
        const at = random.between(1, Math.floor(size / PAGE) - 1) * PAGE
        bytes.fill(0, at, at + PAGE)
      }
      writeFileSync(file, bytes)
    },
  },
  garbage: { harm: ({ file, random }) => writeFileSync(file, `no database ${random.next()}\n`.repeat(99)) },
  beginning: { harm: ({ file }) => writeFileSync(file, readFileSync(file).fill(0, 0, PAGE)) },
  earlier: { harm: ({ file, before }) => cpSync(join(before, 'ralph.db'), file) },
  'without the newest': { isOpen: true, harm: ({ file }) => rmSync(`${file}-wal`, { force: true }) },
  'the newest cut': {
    isOpen: true,
    harm({ file, random }) {
      const size = existsSync(`${file}-wal`) ? readFileSync(`${file}-wal`).length : 0
      if (size > 0) truncateSync(`${file}-wal`, random.between(0, size - 1))
    },
  },
}

interface Harmed {
  file: string
  size: number
  random: Random
  /** How it was a round ago. */
  before: string
}

/** The database of the user, damaged between runs in every way; each time it is looked at, mended, and restored from a copy. */
export const database: Trial = {
  name: 'database',
  what: 'ralph.db cut, zeroed, overwritten, put back in time, without its newest transactions',
  share: 6,
  async run({ folder, random, writes, signal, progress }) {
    const world = makeWorld(folder)
    const path = await pathOf('conversations')
    const book = new Book()
    const failures: string[] = []
    const crashed: string[] = []
    let kills = 0
    const kinds = Object.keys(HARMS)
    for (let round = 0; round <= kinds.length && !signal.aborted; round++) {
      const until = Math.round((writes * (round + 1)) / (kinds.length + 1))
      const how = { pathsOf: () => ['conversations'] as const, processes: 2, repeats: true }
      const tortured = await torture({ ...how, world, random, writes: until, signal, progress, book })
      crashed.push(...tortured.crashed)
      kills += tortured.kills
      const kind = kinds[round - 1]
      if (kind) failures.push(...(await harmed(world, { kind, random, path, book })))
      await looked(world, path, book)
      keep(world.home, join(folder, 'before'))
    }
    const settling = { name: database.name, what: database.what, world, random, failures }
    return settled(settling, [path], { book, kills, crashed })
  },
}

interface Harming {
  kind: string
  random: Random
  path: WritePath
  book: Book
}

/** What it is like after the harm, and after it was mended; then a person puts the copy back. */
async function harmed(world: World, { kind, random, path, book }: Harming): Promise<string[]> {
  const { home, folder } = world
  const [file, copy] = [join(home, 'ralph.db'), join(folder, 'copy')]
  const { isOpen, harm } = HARMS[kind]!
  if (!isOpen) await looked(world, path, book)
  keep(home, copy)
  harm({ file, size: readFileSync(file).length, random, before: join(folder, 'before') })
  const left = readFileSync(file)
  const problems: string[] = []
  const first = await looked(world, path, book)
  const isWhole = ({ ids }: Found) => [...book.acknowledged].every((id) => ids.includes(id))
  if ('refused' in first) {
    if (!first.hint) problems.push(`refused without a word on what to do: ${first.refused}`)
    if (!readFileSync(file).equals(left)) problems.push('refused, and written over all the same')
  } else if (!isWhole(first) && first.isFine && !first.isSaid) problems.push('lost some without a word')
  if (!('refused' in first)) problems.push(...(first.damaged ?? []))
  if ('refused' in first || !first.isFine) problems.push(...(await mended(world, { kind, path, book, left })))
  // As a person does who has a backup.
  for (const name of readdirSync(home)) if (/^ralph\.db/.test(name)) rmSync(join(home, name))
  for (const name of readdirSync(copy)) cpSync(join(copy, name), join(home, name))
  return problems.map((problem) => `${kind}: ${problem}`)
}

/** Nothing that can be read is lost, nothing is made up, and the damaged one is kept. */
async function mended(
  world: World,
  { kind, path, book, left }: Pick<Harming, 'kind' | 'path' | 'book'> & { left: Buffer },
): Promise<string[]> {
  const file = join(world.home, 'ralph.db')
  const ralph = await openProduct(world)
  const finding = await ralph.health.check('storage', { fix: true })
  await ralph.close()
  if (finding.level !== 'ok') {
    if (kind === 'beginning' || !/nothing can be read/.test(finding.detail))
      return [`was not mended: ${finding.detail}`]
    return readFileSync(file).equals(left) ? [] : ['nothing could be read, and it was written over']
  }
  const after = await looked(world, path, book)
  if ('refused' in after) return [`was called mended, and refuses: ${after.refused}`]
  const kept = existsSync(`${file}.damaged`) && readFileSync(`${file}.damaged`).equals(left)
  // Only where the tables begin was lost.
  const missed = kind === 'beginning' ? [...book.acknowledged].filter((id) => !after.ids.includes(id)) : []
  return [
    ...missed.map((id) => `${id} was lost with the first page`),
    ...(kept || !finding.mended?.includes('.damaged') ? [] : ['the damaged one was not kept as it was']),
    ...(after.isFine ? [] : ['was called mended, and is not']),
    ...(after.damaged ?? []),
    ...after.ids.filter((id) => !book.isTried(id)).map((id) => `${id} was written by nobody`),
  ]
}

type Looked = (Found & { isFine: boolean; isSaid: boolean }) | { refused: string; hint: string | undefined }

/** As whoever comes next: a search, all that there is, and the doctor. */
async function looked(world: World, path: WritePath, book: Book): Promise<Looked> {
  const said = new Set<string>()
  const ralph = await openProduct(world, ({ key }) => said.add(key))
  try {
    await ralph.conversations.search(sentenceOf('anything'), { limit: 1 })
    const found = await path.find(ralph, world, book.acknowledged)
    const { level } = await ralph.health.check('storage')
    return { ...found, isFine: level === 'ok', isSaid: said.has('storage.older_than_index') }
  } catch (error) {
    if (!isRalphError(error) && (error as Error).name !== 'RalphError') throw error
    const { message, hint } = error as { message: string; hint?: string }
    return { refused: message, hint }
  } finally {
    await ralph.close()
  }
}

function keep(home: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  for (const name of readdirSync(home))
    if (/^ralph\.db(-wal|-shm)?$/.test(name)) cpSync(join(home, name), join(to, name))
}
