import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ralph } from '../../../src/index.ts'
import { readReceipts } from '../../../src/receipts/read.ts'
import { Book } from '../core/book.ts'
import { torture } from '../core/killer.ts'
import type { Random } from '../core/random.ts'
import { settled, type Trial } from '../core/trial.ts'
import { makeWorld, opened, type World } from '../core/world.ts'
import { pathOf, type WritePath } from '../core/write-path.ts'

const ROUNDS = 4
const PATHS = ['record', 'receipts', 'board'] as const

/** What a power cut leaves on a bad disk: lines without their end, zeros in the middle, and caches of which half is there. */
export const torn: Trial = {
  name: 'torn',
  what: 'files cut and zeroed at random bytes between runs',
  share: 5,
  async run({ folder, random, writes, signal, progress }) {
    const world = makeWorld(folder)
    const paths = await Promise.all(PATHS.map(pathOf))
    await opened(world, async (ralph) => {
      for (const path of paths) await path.prepare?.(ralph, world)
    })
    const book = new Book()
    const harmed = new Set<string>()
    const failures: string[] = []
    const crashed: string[] = []
    for (let round = 1; round <= ROUNDS; round++) {
      const how = { world, random, kills: false, signal, progress, book }
      const until = (part: number) => Math.round((writes * (round - 1 + part)) / ROUNDS)
      // One after the other: receipts wait for no disk, and nobody else would get to anything.
      const shown = await torture({ pathsOf: () => ['receipts'], ...how, writes: until(0.3) })
      const kept = await torture({ pathsOf: () => ['record', 'board'], ...how, writes: until(1) })
      crashed.push(...shown.crashed, ...kept.crashed)
      for (const id of harmLines(world, random)) harmed.add(id)
      cutCaches(world, random)
      failures.push(...(await brokenBoardIsSaid(world, random)))
    }
    failures.push(...(await harmIsSaid(world, harmed)))
    // Of what was harmed nobody can expect anything but to be told.
    for (const id of harmed) book.acknowledged.delete(id)
    const settling = { name: torn.name, what: torn.what, world, random, failures }
    return settled(settling, paths.map(lenient), { book, kills: 0, crashed })
  },
}

/** Cuts the last line of each journal and log of receipts, or zeroes some of a line within. The ids that were in them. */
function harmLines({ project }: World, random: Random): string[] {
  const folders = [join(project, '.ralph', 'db', 'memory'), join(project, '.ralph', 'receipts')]
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => join(folder, name)),
  )
  return files.flatMap((file) => {
    const bytes = readFileSync(file)
    const lines = linesIn(bytes)
    if (lines.length < 3) return []
    const cutsEnd = random.next() < 0.5
    const { from, to } = cutsEnd ? lines.at(-1)! : lines[random.between(0, lines.length - 2)]!
    const id = /w\d+\w+n\d+/.exec(bytes.toString('utf8', from, to))?.[0]
    const at = random.between(from + 1, to - 1)
    if (cutsEnd) truncateSync(file, at)
    else writeFileSync(file, bytes.fill(0, at, Math.min(to, at + random.between(1, 64))))
    return id === undefined ? [] : [id]
  })
}

/** Those that can be read, without their line feeds. */
function linesIn(bytes: Buffer): { from: number; to: number }[] {
  const lines = []
  for (let from = 0, to = bytes.indexOf('\n'); to !== -1; from = to + 1, to = bytes.indexOf('\n', from))
    if (to - from > 2 && !bytes.subarray(from, to).includes(0)) lines.push({ from, to })
  return lines
}

/** What can be made again is cut anywhere, the index too. */
function cutCaches({ project, home }: World, random: Random): void {
  const cache = join(project, '.ralph', 'cache')
  const files = existsSync(cache)
    ? readdirSync(cache, { recursive: true }).map((name) => join(cache, String(name)))
    : []
  for (const file of [...files, join(home, 'index.db')]) {
    const stats = statSync(file, { throwIfNoEntry: false })
    if (!stats?.isFile() || stats.size === 0 || random.next() < 0.5) continue
    truncateSync(file, random.between(0, stats.size - 1))
  }
}

/** Zeros in the middle of the board are no board: whoever reads it is told, and nobody writes over it. */
async function brokenBoardIsSaid(world: World, random: Random): Promise<string[]> {
  const file = join(world.project, '.ralph', 'db', 'tasks.yaml')
  const whole = readFileSync(file)
  const at = random.between(0, whole.length - 1)
  writeFileSync(file, Buffer.from(whole).fill(0, at, Math.min(whole.length, at + random.between(1, 200))))
  const refused = async (what: string, work: (ralph: Ralph) => Promise<unknown>) => {
    const done = await opened(world, work).then(
      () => true,
      () => false,
    )
    return done ? [`a board with zeros at byte ${at} was ${what} without a word`] : []
  }
  const failures = [
    ...(await refused('read', ({ board }) => board.tasks())),
    ...(await refused('written', ({ board }) => board.addTask({ title: 'Task x', feature: 'shop' }))),
  ]
  // A person takes it from git.
  writeFileSync(file, whole)
  return failures
}

async function harmIsSaid(world: World, harmed: ReadonlySet<string>): Promise<string[]> {
  const count = (path: string) => [...harmed].filter((id) => id.includes(path)).length
  return opened(world, async ({ featureMemory, config }) => {
    let lines = 0
    for (const feature of await featureMemory.features()) {
      const { damaged, setAside } = await featureMemory.verify(feature)
      lines += damaged.length + setAside
    }
    const { damagedLines } = await readReceipts(config.paths.receipts, { limit: 1_000_000 })
    return [
      ...(lines < count('record')
        ? [`${count('record')} lines of journals were harmed, ${lines} are told`]
        : []),
      ...(damagedLines < count('receipts')
        ? [`${count('receipts')} receipts were harmed, ${damagedLines} are told`]
        : []),
    ]
  })
}

/** Lines that were harmed on purpose are counted elsewhere. */
function lenient(path: WritePath): WritePath {
  return {
    ...path,
    async find(ralph, world, acknowledged) {
      const { ids, damaged = [] } = await path.find(ralph, world, acknowledged)
      return { ids, damaged: damaged.filter((one) => !one.includes('cannot be read')) }
    },
  }
}
