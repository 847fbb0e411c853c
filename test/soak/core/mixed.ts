import { messageOf } from '../../../src/errors.ts'
import { embedderFor } from './embedder.ts'
import { type TortureOptions, torture } from './killer.ts'
import { settled, type Trial, type TrialContext, type TrialResult } from './trial.ts'
import { makeWorld, opened, type World } from './world.ts'
import { type PathName, pathOf } from './write-path.ts'

/** What goes on beside the writers, until it is told to stop; whatever it throws has gone wrong. */
export type Beside = (world: World, signal: AbortSignal) => Promise<void>

export interface MixedTrial {
  paths: readonly PathName[]
  /** Different from what a trial without any trouble would be. */
  how?: Partial<Pick<TortureOptions, 'processes' | 'kills' | 'child' | 'pathsOf'>>
  env?: Record<string, string>
  beside?: Beside
  /** Before the writers start. */
  prepared?: (world: World) => void
  mayRefuse?: boolean
  loseIndex?: () => void
}

/** Several paths on one project at the same time, and some trouble beside them. */
export async function runMixed(
  { name, what }: Pick<Trial, 'name' | 'what'>,
  { folder, random, writes, signal, progress }: TrialContext,
  { paths, how = {}, env = {}, beside, prepared, mayRefuse = false, loseIndex }: MixedTrial,
): Promise<TrialResult> {
  const all = await Promise.all(paths.map(pathOf))
  await using embedder = await embedderFor(all)
  const world = makeWorld(folder, { ...embedder.env, ...env })
  await opened(world, async (ralph) => {
    for (const path of all) await path.prepare?.(ralph, world)
  })
  prepared?.(world)
  const over = new AbortController()
  const failures: string[] = []
  const besides = beside?.(world, over.signal).catch((error) => {
    over.abort()
    failures.push(`what goes on beside the writers failed: ${messageOf(error)}`)
  })
  const tortured = await torture({
    ...{ pathsOf: () => paths, world, random, writes, processes: 2, progress, ...how },
    signal: AbortSignal.any([signal, over.signal]),
  }).finally(() => over.abort())
  await besides
  return await settled(
    { name, what, world, random, mayRefuse, failures, ...(loseIndex && { loseIndex }) },
    all,
    tortured,
  )
}
