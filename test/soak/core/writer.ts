/** A process that writes until it is killed, or has done so many: `node writer.ts '{"path": "record", "name": "w1", …}'`. */
import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../../src/errors.ts'
import type { Ralph } from '../../../src/index.ts'
import { openProduct, type World } from './world.ts'
import { type PathName, pathOf, type WritePath } from './write-path.ts'

export interface WriterOrder {
  /** What it writes; several at the same time. */
  paths: readonly PathName[]
  /** Ids begin with it: no other process has it. */
  name: string
  world: World
  /** Ids that somebody was killed over, to be done again. */
  again?: readonly string[]
  /** Then it ends by itself. */
  most?: number
  /** Rests after a refusal: whoever is told that the disk is full does not try a thousand times a second. */
  restMs?: number
}

const {
  paths,
  name,
  world,
  again = [],
  most = Number.POSITIVE_INFINITY,
  restMs = 5,
} = JSON.parse(process.argv[2]!) as WriterOrder

/** Of what may be done again; then the next one has its turn. */
const MOST_ATTEMPTS = 5

/** In one call, and only when it is true: whoever reads it may kill us for it. */
const say = (word: 'try' | 'ok' | 'no', id: string, why = '') =>
  writeSync(1, `${`${word} ${id} ${why.replace(/\s+/g, ' ')}`.trimEnd()}\n`)

const ralph = await openPatiently()
await Promise.all(paths.map(async (one, lane) => write(one, lane)))
await ralph.close()

async function write(pathName: PathName, lane: number): Promise<void> {
  const path = await pathOf(pathName)
  const prefix = `${name}${pathName}${lane}`
  for (let turn = 0; turn < most; turn++) {
    const id = (lane === 0 ? again[turn] : undefined) ?? `${prefix}n${turn}`
    for (let attempt = 1; !(await isDone(path, id)) && path.repeats && attempt < MOST_ATTEMPTS; attempt++);
  }
}

/** Also a project that cannot be opened now is refused with a reason, and may be well in a moment. */
async function openPatiently(): Promise<Ralph> {
  for (;;) {
    try {
      return await openProduct(world)
    } catch (error) {
      say('no', `${name}-open`, messageOf(error))
      await sleep(10 * restMs)
    }
  }
}

async function isDone(path: WritePath, id: string): Promise<boolean> {
  say('try', id)
  try {
    await path.write(ralph, id, { world, acknowledge: (other) => say('ok', other) })
    say('ok', id)
    return true
  } catch (error) {
    say('no', id, messageOf(error))
    await sleep(restMs)
    return false
  }
}
