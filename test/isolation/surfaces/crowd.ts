import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Tally } from '../tally.ts'
import type { WorldShape } from '../world/world.ts'
import { library } from './library.ts'
import type { Scene, Surface } from './surface.ts'

/** Beside the one that asks: each searches, and records after every few searches. */
const PROCESSES = 3

export interface CrowdTask extends WorldShape {
  seed: number
  searches: number
}

export const crowd: Surface = {
  name: 'crowd',
  asks: 'the calls of the library, while three other processes search and record in the same projects',
  elsewhere: 'as for the library, in each of the processes',
  share: 0.01,
  async open(scene) {
    const { ask } = await library.open(scene)
    const { searches } = scene
    const others = Array.from({ length: PROCESSES }, (_, at) => started(scene, at, searches))
    return { ask, close: () => Promise.all(others) }
  },
}

async function started({ world, random }: Scene, at: number, searches: number): Promise<Tally> {
  const { driver, sharesStorage, folder, people, projects, features, size } = world
  const task: CrowdTask = {
    ...{ driver, sharesStorage, folder, people, projects, features, size, searches },
    seed: random.below(2 ** 31),
  }
  const file = join(folder, `crowd-${at}.json`)
  writeFileSync(file, JSON.stringify(task))
  const program = join(import.meta.dirname, '..', 'crowd-process.ts')
  const child = spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const said = await text(child.stdout)
  return JSON.parse(said) as Tally
}
