import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { messageOf } from '../../../src/errors.ts'
import { type Book, type Tally, tally } from './book.ts'
import { embedderFor } from './embedder.ts'
import { type Tortured, torture } from './killer.ts'
import type { Random } from './random.ts'
import { makeWorld, opened, removeIndexes, type World } from './world.ts'
import { type Found, type PathName, pathOf, type WritePath } from './write-path.ts'

/** What every trial is given. */
export interface TrialContext {
  /** Of its own, and empty. */
  folder: string
  random: Random
  /** How many acknowledged writes it is for. */
  writes: number
  /** Aborted when its time is up, or somebody stops the soak. */
  signal: AbortSignal
  progress: (acknowledged: number) => void
}

export interface TrialResult extends Omit<Tally, 'lost' | 'doubled' | 'damaged'> {
  name: string
  what: string
  kills: number
  doubled: number
  damaged: number
  /** Writes that were refused with a reason, as on a full disk. */
  refused: number
  /** Whether an index that was built again answers the same; undefined where nothing is searched. */
  rebuilt?: 'same' | 'different'
  /** What is wrong, each in a line; empty when all is well. */
  failures: string[]
  /** Why it was not run here. */
  skipped?: string
}

/** A kind of trouble, or a path under kill -9. */
export interface Trial {
  name: string
  what: string
  /** Its part of all writes. */
  share: number
  run(context: TrialContext): Promise<TrialResult>
}

/** A few of them are enough to be named. */
const NAMED = 5
const SEARCHED = 12

/** Kill -9 at random points of one path. */
export function killedPath(name: PathName, share: number, processes = 2): Trial & { path: PathName } {
  return {
    name,
    what: `kill -9: ${name}`,
    share,
    path: name,
    async run({ folder, random, writes, signal, progress }) {
      const path = await pathOf(name)
      await using embedder = await embedderFor([path])
      const world = makeWorld(folder, embedder.env)
      await opened(world, async (ralph) => path.prepare?.(ralph, world))
      const repeats = path.repeats ?? false
      const how = { world, random, writes, processes, repeats, signal, progress }
      const tortured = await torture({ pathsOf: () => [name], ...how })
      return await settled({ name, what: path.what, world, random }, [path], tortured)
    },
  }
}

export interface Settling {
  name: string
  what: string
  world: World
  random: Random
  /** Refusals are part of the trial. */
  mayRefuse?: boolean
  /** What the trial itself found wrong. */
  failures?: string[]
  /** How the index is lost; default: its files are deleted. */
  loseIndex?: () => void
}

/** Opens everything as whoever comes next would, counts, and compares searches before and after the index was deleted. */
export async function settled(
  { name, what, world, random, mayRefuse = false, failures = [], loseIndex }: Settling,
  paths: readonly WritePath[],
  { book, kills, crashed }: Tortured,
): Promise<TrialResult> {
  const found = { ids: [] as string[], damaged: [] as string[] }
  for (const path of paths) {
    const { ids, damaged = [] } = await opened(world, async (ralph) => {
      await path.settle?.(ralph, world)
      return path.find(ralph, world, book.acknowledged)
    })
    found.ids.push(...ids)
    found.damaged.push(...damaged)
  }
  const counted = tally(book, found)
  const searches = await searchedTwice(world, paths, {
    ids: sample(book, random),
    loseIndex: loseIndex ?? (() => removeIndexes(world)),
  })
  const all = [
    ...failures,
    ...crashed.slice(0, NAMED).map((how) => `a writer ${how}`),
    ...(mayRefuse ? [] : [...book.refused].slice(0, NAMED).map(([id, why]) => `${id} was refused: ${why}`)),
    ...named('acknowledged and lost', counted.lost),
    ...named('there more than once', counted.doubled),
    ...named('damaged', counted.damaged),
    ...named('acknowledged and not found by a search', searches?.missed ?? []),
    ...named('found differently after the index was built again', searches?.different ?? []),
    ...(counted.acknowledged === 0 ? ['nothing was ever acknowledged'] : []),
  ]
  const { lost: _, ...counts } = counted
  return {
    ...{ name, what, kills, ...counts, refused: book.refused.size },
    ...{ doubled: counted.doubled.length, damaged: counted.damaged.length },
    ...(searches && {
      rebuilt: searches.different.length === 0 ? ('same' as const) : ('different' as const),
    }),
    failures: all,
  }
}

/** For a trial that looks for what is left by itself. */
export function counted(
  { name, what }: Pick<Trial, 'name' | 'what'>,
  { book, kills, found, failures = [] }: { book: Book; kills: number; found: Found; failures?: string[] },
): TrialResult {
  const { lost, ...counts } = tally(book, found)
  return {
    ...{ name, what, kills, ...counts, refused: book.refused.size },
    ...{ doubled: counts.doubled.length, damaged: counts.damaged.length },
    failures: [
      ...failures,
      ...named('acknowledged and lost', lost),
      ...named('there more than once', counts.doubled),
      ...named('damaged', counts.damaged),
      ...(counts.acknowledged === 0 ? ['nothing was ever acknowledged'] : []),
    ],
  }
}

function named(what: string, ids: readonly string[]): string[] {
  if (ids.length === 0) return []
  return [`${ids.length} ${what}: ${ids.slice(0, NAMED).join(', ')}${ids.length > NAMED ? ', …' : ''}`]
}

function sample(book: Book, random: Random): string[] {
  const ids = [...book.acknowledged].sort()
  return ids.length === 0 ? [] : Array.from({ length: SEARCHED }, () => random.of(ids))
}

/** Searches for these, then again with an index that had to be built anew. */
async function searchedTwice(
  world: World,
  paths: readonly WritePath[],
  { ids, loseIndex }: { ids: readonly string[]; loseIndex: () => void },
): Promise<{ missed: string[]; different: string[] } | undefined> {
  const searchable = paths.filter((path) => path.search !== undefined)
  if (searchable.length === 0 || ids.length === 0) return undefined
  const answers = () =>
    opened(world, async (ralph) => {
      const all = new Map<string, unknown>()
      for (const path of searchable) {
        await path.settle?.(ralph, world)
        // Where several write, their ids say which.
        for (const id of ids.filter((one) => paths.length === 1 || one.includes(path.name))) {
          const answer = await path.search!(ralph, id)
          if (answer !== undefined) all.set(id, JSON.parse(JSON.stringify(answer)))
        }
      }
      return all
    })
  const before = await answers()
  loseIndex()
  const after = await answers()
  const different = [...before.keys()].filter((id) => !isDeepStrictEqual(before.get(id), after.get(id)))
  // For whoever has to find out why.
  const compared = different.map((id) => ({ id, before: before.get(id), after: after.get(id) }))
  if (different.length > 0)
    writeFileSync(join(world.folder, 'different.json'), JSON.stringify(compared, null, 1))
  return {
    missed: [...before].filter(([id, answer]) => !JSON.stringify(answer).includes(id)).map(([id]) => id),
    different,
  }
}

/** What could not even be looked at afterwards is as bad as what is lost. */
export async function runTrial(trial: Trial, context: TrialContext): Promise<TrialResult> {
  try {
    return await trial.run(context)
  } catch (error) {
    const { name, what } = trial
    const nothing = { kills: 0, acknowledged: 0, found: 0, doubled: 0, damaged: 0, refused: 0 }
    return { name, what, ...nothing, failures: [`it could not be ended: ${messageOf(error)}`] }
  }
}

export function skipped({ name, what }: Pick<Trial, 'name' | 'what'>, why: string): TrialResult {
  const nothing = { kills: 0, acknowledged: 0, found: 0, doubled: 0, damaged: 0, refused: 0 }
  return { name, what, ...nothing, failures: [], skipped: why }
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}
