import { setTimeout as sleep } from 'node:timers/promises'
import { isSettingAsLeftBy } from '../../../src/configuration/setting-file.ts'
import { VouchedLearnings } from '../../../src/learnings/vouched.ts'
import type { UndoableChange } from '../../../src/noted-change.ts'
import { openRalph } from '../../../src/ralph.ts'
import { ChangeHistory, type LoggedChange } from '../../../src/undo/changes.ts'
import { changedThing } from '../../../src/undo/coalesce.ts'
import { Book } from '../core/book.ts'
import { start } from '../core/children.ts'
import type { Random } from '../core/random.ts'
import { counted, type Trial, type TrialContext } from '../core/trial.ts'
import { makeWorld, type World } from '../core/world.ts'
import type { UndoOrder } from './undo-process.ts'

const TASKS = 12
/** Fewer than the log keeps: each is looked for after the kill. */
const MOST_BETWEEN = 25
const WITHIN_A_WRITE_MS = 25

/** `ralph undo` and what it stands on: kill -9 in the middle of changes and of taking them back. */
export const undo: Trial = {
  name: 'undo',
  what: 'changes through commands and their undoing: what is noted is what was done',
  share: 5,
  async run(context) {
    const { folder, random, writes, signal } = context
    const world = makeWorld(folder)
    await withHistory(world, async ({ board }) => {
      await board.addFeature({ name: 'shop' })
      for (let number = 1; number <= TASKS; number++) await board.addTask({ title: 'Task', feature: 'shop' })
    })
    const book = new Book()
    const seen = new Seen()
    let kills = 0
    while (book.acknowledged.size < writes && !signal.aborted) {
      const order = { name: `w${book.started++}`, seed: random.between(1, 1e9), world, tasks: TASKS }
      const said = await oneLife(order, random, { ...context, book })
      kills++
      await withHistory(world, (_, history) => seen.look(history, said, book))
      for (const problem of await seen.notAsNoted(world)) seen.damaged.push(`after ${order.name}: ${problem}`)
    }
    return counted(undo, { book, kills, found: seen })
  },
}

/** One process from its start to its end: what it has begun, in order. */
async function oneLife(
  order: UndoOrder,
  random: Random,
  { book, signal, progress }: Pick<TrialContext, 'signal' | 'progress'> & { book: Book },
): Promise<string[]> {
  const said: string[] = []
  const lives = random.between(0, MOST_BETWEEN)
  let acknowledged = 0
  const { promise: due, resolve: reached } = Promise.withResolvers<void>()
  const child = start('test/soak/troubles/undo-process.ts', [JSON.stringify(order)], (line) => {
    book.hear(line)
    const [word, id] = line.split(' ') as [string, string]
    if (word === 'try') said.push(id)
    else acknowledged++
    progress(book.acknowledged.size)
    if (acknowledged >= lives) reached()
  })
  const isEnded = child.ended.then((how) =>
    Promise.reject(new Error(`a writer ended (${how}): ${child.errors()}`)),
  )
  const isStopped = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  )
  await Promise.race([due, isEnded, isStopped])
  isEnded.catch(() => undefined)
  await sleep(random.next() * WITHIN_A_WRITE_MS)
  child.process.kill('SIGKILL')
  await child.ended
  return said
}

/** What the log has said so far, and what each thing was left like by its last change. */
class Seen {
  readonly ids: string[] = []
  readonly damaged: string[] = []
  readonly #last = new Map<string, UndoableChange>()
  #newest = 0

  /** Each that was acknowledged is noted, once and in order; the one that was under way is, or is not. */
  async look(history: ChangeHistory, said: readonly string[], book: Book): Promise<void> {
    const news = (await history.list()).filter(({ id }) => id > this.#newest).toReversed()
    for (const [at, change] of news.entries()) {
      const id = said[at]
      if (id === undefined || !isOf(change, id))
        this.damaged.push(`u-${change.id} (${change.label}) instead of ${id}`)
      else this.ids.push(id)
      if (change.cutShort && id !== undefined && book.acknowledged.has(id))
        this.damaged.push(`${id}: was acknowledged, and is noted as ended on the way`)
      for (const part of change.parts) this.#last.set(changedThing(part), part)
    }
    this.#newest = news.at(-1)?.id ?? this.#newest
  }

  /** What is not as the last that was noted of it says. */
  async notAsNoted(world: World): Promise<string[]> {
    return withHistory(world, async ({ board, config }) => {
      const problems: string[] = []
      for (const [subject, part] of this.#last) {
        const isSame =
          part.of === 'board'
            ? await board.isAsLeftBy(part)
            : part.of === 'settings'
              ? isSettingAsLeftBy(config, part)
              : part.of !== 'learnings' || new VouchedLearnings(config).isAsLeftBy(part)
        if (!isSame) problems.push(`${subject} is not as noted`)
      }
      return problems
    })
  }
}

function isOf({ label, undoes }: LoggedChange, id: string): boolean {
  const undone = /-undoes-(\d+)$/.exec(id)?.[1]
  return undone === undefined ? label === `soak ${id}` : undoes === Number(undone)
}

/** From the source, as the process that writes: a bundle would have notes of its own. */
async function withHistory<Result>(
  { project, home, env }: World,
  use: (ralph: Awaited<ReturnType<typeof openRalph>>, history: ChangeHistory) => Promise<Result>,
): Promise<Result> {
  const ralph = await openRalph({ project, home, env })
  try {
    return await use(ralph, new ChangeHistory(ralph))
  } finally {
    await ralph.close()
  }
}
