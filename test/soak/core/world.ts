import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Notice, Ralph } from '../../../src/index.ts'

/** One project and one home that a trial writes into; can be handed to another process as JSON. */
export interface World {
  folder: string
  project: string
  home: string
  /** What the settings are. Nothing else of the environment reaches the product. */
  env: Record<string, string>
}

export function makeWorld(folder: string, env: Record<string, string> = {}): World {
  const world = {
    ...{ folder, project: join(folder, 'project'), home: join(folder, 'home') },
    env: { RALPH_EMBEDDER: 'none', ...env },
  }
  mkdirSync(join(world.project, '.ralph', 'db'), { recursive: true })
  mkdirSync(world.home, { recursive: true })
  return world
}

export function fromRoot(path: string): string {
  return fileURLToPath(new URL(`../../../${path}`, import.meta.url))
}

/** The library as it is shipped. Built before, by whoever starts a trial. */
export function product(): Promise<typeof import('../../../src/index.ts')> {
  return import(fromRoot('dist/index.js'))
}

export async function openProduct(
  { project, home, env }: World,
  onNotice: (notice: Notice) => void = () => undefined,
): Promise<Ralph> {
  const { openRalph } = await product()
  return openRalph({ project, home, env, onNotice })
}

/** Opens it as whoever comes next would, and closes it again. */
export async function opened<Result>(world: World, use: (ralph: Ralph) => Promise<Result>): Promise<Result> {
  const ralph = await openProduct(world)
  try {
    return await use(ralph)
  } finally {
    await ralph.close()
  }
}

/** Everything that is said to be disposable: the project's cache, the user's index. */
export function removeIndexes({ project, home }: World): void {
  rmSync(join(project, '.ralph', 'cache'), { recursive: true, force: true, maxRetries: 50 })
  for (const ending of ['', '-wal', '-shm']) rmSync(join(home, `index.db${ending}`), { force: true })
}
