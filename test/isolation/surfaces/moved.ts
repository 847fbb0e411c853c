import { cpSync, renameSync } from 'node:fs'
import type { Ralph } from '../../../src/ralph.ts'
import { iterationOf, originOf } from '../world/fill.ts'
import type { WorldProject } from '../world/world.ts'
import type { Scope } from './scopes.ts'
import type { Scene, Surface } from './surface.ts'

/** What is remembered of a project after it was copied or moved counts as of another one, by these added to its number. */
const AFTER = { original: 200, copy: 300, moved: 400 } as const

interface Place {
  project: WorldProject
  /** Of the project that it was made of. */
  was: number
  after: number
}

export const moved: Surface = {
  name: 'moved',
  asks: 'projects that were copied, moved to another place and had another put in their place, with work in each of them since; also while an index is built again or all of a feature is forgotten',
  elsewhere:
    'what was remembered in the original since the copy was made, and the other way round; any other project',
  share: 0.01,
  async open(scene) {
    const places = await movedPlaces(scene)
    const { world, random, questions } = scene
    const forgotten = new Set<string>()
    return {
      async ask() {
        const place = random.of(places)
        const ralph = await world.ralph(place.project)
        const feature = random.of(world.features)
        const deed = random.below(60)
        if (deed === 0) await ralph.featureMemory.rebuild(feature)
        // Of a copy alone, so that the original has something to lose.
        const isForgotten = deed === 1 && place.after === AFTER.copy
        if (isForgotten) await ralph.featureMemory.forget(feature)
        const key = `${place.project.path} ${feature}`
        if (isForgotten) forgotten.add(key)
        const own = scopeOf(place, world.features.indexOf(feature))
        return {
          asked: `search in ${JSON.stringify(feature)} of ${place.project.path}`,
          shown: await searched(ralph, feature, questions.any()),
          // What the board says of the feature stays when its records go.
          may: (origin) => own(origin) && !(forgotten.has(key) && origin.kind === 'iteration'),
        }
      },
    }
  },
}

function searched(ralph: Ralph, feature: string, question: string): Promise<unknown> {
  return ralph.featureMemory.recall(feature, question, { minScore: 0, limit: 100 })
}

function scopeOf({ was, after }: Place, feature: number): Scope {
  return (origin) =>
    origin.kind !== 'forgotten' &&
    origin.feature === feature &&
    (origin.project === was || origin.project === was + after)
}

/** Of every person one project is copied; another is moved, and a copy of the first put where it was. */
async function movedPlaces(scene: Scene): Promise<Place[]> {
  const { world } = scene
  const chosen = world.people.flatMap((person) => [world.projects.filter(({ of }) => of === person)])
  // Nobody moves a folder in which a program works.
  await world.closeAll()
  const places: Place[] = []
  for (const [first, second] of chosen) {
    const copy = at(first!, `${first!.path}-copy`)
    cpSync(first!.path, copy.path, { recursive: true })
    places.push({ project: first!, was: first!.project, after: AFTER.original })
    places.push({ project: copy, was: first!.project, after: AFTER.copy })
    if (!second) continue
    const away = at(second, `${second.path}-moved`)
    renameSync(second.path, away.path)
    cpSync(copy.path, second.path, { recursive: true })
    places.push({ project: away, was: second.project, after: AFTER.moved })
    places.push({ project: second, was: first!.project, after: AFTER.moved })
  }
  for (const place of places) await workOn(scene, place)
  return places
}

function at(project: WorldProject, path: string): WorldProject {
  return { ...project, path }
}

/** What is found in one of them must not be found in the other. */
async function workOn({ world }: Scene, { project, was, after }: Place): Promise<void> {
  const ralph = await world.ralph(project)
  for (const [feature, name] of world.features.entries()) {
    const origin = { ...originOf(project, feature, 'iteration'), project: was + after }
    await ralph.featureMemory.recordIteration(iterationOf(origin, name, 0))
  }
}
