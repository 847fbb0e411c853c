import { openScene } from './scene.ts'
import type { Surface } from './surfaces/surface.ts'
import { askOnce, emptyTally, type Tally } from './tally.ts'
import type { DriverName } from './world/drivers.ts'
import { fillWorld } from './world/fill.ts'
import { knownIds } from './world/ids.ts'
import { Random } from './world/random.ts'
import { makeWorld, type Size } from './world/world.ts'

export interface Measurement extends Omit<Tally, 'leaks'> {
  driver: DriverName
  surface: string
  leaks: number
}

export interface MeasureOptions {
  driver: DriverName
  size: Size
  seed: number
  surfaces: readonly Surface[]
  /** On this driver, of this surface. */
  searches: (surface: Surface) => number
  onProgress?: (line: string) => void
}

/** Makes a world on one driver, and asks every surface in it. */
export async function measure(options: MeasureOptions): Promise<{ surface: Surface; tally: Tally }[]> {
  const { driver, size, seed, surfaces, onProgress = () => undefined } = options
  const world = await makeWorld(driver, size)
  try {
    await fillWorld(world, (done) =>
      onProgress(`${driver}: ${done} of ${world.projects.length} projects filled`),
    )
    const ids = await knownIds(world)
    const measured: { surface: Surface; tally: Tally }[] = []
    for (const [at, surface] of surfaces.entries()) {
      const searches = options.searches(surface)
      // Each has numbers of its own: with some of them left out, the others ask the same.
      const scene = openScene(world, new Random(seed + surface.name.length * 7_919), { searches, ids })
      const where = { driver, surface: surface.name }
      const tally = emptyTally()
      const opened = await surface.open(scene)
      for (let asked = 1; asked <= searches; asked++) {
        await askOnce(opened, tally, where)
        if (asked % 250 === 0) world.backends.tidy()
        if (asked % 1_000 === 0 || asked === searches)
          onProgress(
            `${driver}: ${surface.name} ${asked} of ${searches}, ${tally.leaks.length} from elsewhere (${at + 1}/${surfaces.length})`,
          )
      }
      for (const other of (await opened.close?.()) ?? []) add(tally, other)
      measured.push({ surface, tally })
    }
    return measured
  } finally {
    await world.close()
  }
}

function add(tally: Tally, other: Tally): void {
  tally.searches += other.searches
  tally.own += other.own
  tally.refused += other.refused
  tally.leaks.push(...other.leaks)
}
