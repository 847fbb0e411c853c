import { setTimeout as sleep } from 'node:timers/promises'
import { Book } from './book.ts'
import { type ChildOptions, startWriter } from './children.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'
import type { PathName } from './write-path.ts'

export interface TortureOptions {
  /** What each process writes, by its number; several at the same time. */
  pathsOf: (number: number) => readonly PathName[]
  world: World
  random: Random
  /** Until so many are acknowledged, or the time is up. */
  writes: number
  /** How many write at the same time, each in a process of its own. */
  processes?: number
  /** Whether whoever comes next does again what the killed had not ended. */
  repeats?: boolean
  /** Whether writers are killed at all: not by those who have other troubles. */
  kills?: boolean
  /** Hears of every process that starts; what it returns is how that one is started. */
  child?: (number: number) => ChildOptions
  signal: AbortSignal
  progress?: (acknowledged: number) => void
  book?: Book
}

export interface Tortured {
  book: Book
  kills: number
  /** Writers that ended by themselves, which none should: what they said last. */
  crashed: string[]
}

/** So many writes at most between two kills; each process is killed somewhere in its next one. */
const MOST_BETWEEN = 40
/** One in so many is killed before it has written anything, while it still opens. */
const EARLY = 6
const WHILE_OPENING_MS = 400
const WITHIN_A_WRITE_MS = 12

/** Starts writers and kills them at random moments, again and again. */
export async function torture(options: TortureOptions): Promise<Tortured> {
  const { processes = 1, book = new Book() } = options
  const tortured: Tortured = { book, kills: 0, crashed: [] }
  const lane = async () => {
    let again: string[] = []
    while (book.acknowledged.size < options.writes && !options.signal.aborted) {
      again = await oneLife(options, tortured, { number: book.started++, again })
    }
  }
  await Promise.all(Array.from({ length: processes }, lane))
  return tortured
}

/** One writer from its start to its end. Returns what it had begun and not ended. */
async function oneLife(
  options: TortureOptions,
  tortured: Tortured,
  { number, again }: { number: number; again: readonly string[] },
): Promise<string[]> {
  const { pathsOf, world, random, writes, kills = true, repeats = false, signal } = options
  const { book } = tortured
  const early = kills && random.between(1, EARLY) === 1
  const lives = early ? 0 : random.between(1, MOST_BETWEEN)
  let acknowledged = 0
  const mine = new Set<string>()
  const { promise: due, resolve: reached } = Promise.withResolvers<void>()
  const hear = (line: string) => {
    book.hear(line)
    const [word, id] = line.split(' ') as [string, string]
    if (word === 'try') mine.add(id)
    if (word === 'ok') {
      mine.delete(id)
      acknowledged++
      options.progress?.(book.acknowledged.size)
    }
    if (kills ? !early && acknowledged >= lives : book.acknowledged.size >= writes) reached()
  }
  const child = startWriter(
    { paths: pathsOf(number), name: `w${number}`, world, again },
    hear,
    options.child?.(number),
  )
  const early$ = early ? sleep(random.next() * WHILE_OPENING_MS) : undefined
  const ended = await Promise.race([
    child.ended.then((how) => ({ how })),
    due.then(() => undefined),
    aborted(signal).then(() => undefined),
    ...(early$ ? [early$.then(() => undefined)] : []),
  ])
  if (ended) tortured.crashed.push(`ended by itself (${ended.how}): ${summed(child.errors())}`)
  else {
    if (!early) await sleep(random.next() * WITHIN_A_WRITE_MS)
    child.process.kill('SIGKILL')
    if (kills) tortured.kills++
    await child.ended
  }
  return repeats ? [...mine].filter((id) => !id.includes('-')) : []
}

/** The line that says what it was, of all that a crash prints. */
function summed(errors: string): string {
  const lines = errors.trim().split('\n')
  return lines.find((line) => /Error\b/.test(line)) ?? lines.at(-1)!
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
