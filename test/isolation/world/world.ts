import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRalph, type Ralph } from '../../../src/ralph.ts'
import type { DecisionWay } from '../../../src/trust/decision.ts'
import { type Backends, type DriverName, startBackends } from './drivers.ts'
import { FEATURES, PROJECT_IDS } from './names.ts'

/** How many there are of everything. */
export interface Size {
  teams: number
  /** Of each team. */
  people: number
  /** Of each person. */
  projects: number
  /** Of each project, the first of all names. */
  features: number
  /** Of each feature. */
  iterations: number
  /** Of each person. */
  conversations: number
}

export interface WorldPerson {
  team: number
  /** Counted over the whole world, as projects are. */
  person: number
  name: string
  home: string
  /** Where their documents lie. */
  papers: string
  env: Record<string, string>
}

export interface WorldProject {
  of: WorldPerson
  project: number
  path: string
}

/** One feature of one project of one person: from where something is asked. */
export interface Asker extends WorldProject {
  feature: number
  name: string
}

/** Many people with many projects, all on the same drivers, each opened as a program of its own would. */
export interface World extends AskedWorld {
  backends: Backends
  close(): Promise<void>
}

export interface AskedWorld extends WorldShape {
  ralph(project: WorldProject, via?: DecisionWay): Promise<Ralph>
  /** Closes what is open, as when every program ends. */
  closeAll(): Promise<void>
}

export interface WorldShape {
  driver: DriverName
  sharesStorage: boolean
  folder: string
  people: readonly WorldPerson[]
  projects: readonly WorldProject[]
  features: readonly string[]
  size: Size
}

export async function makeWorld(driver: DriverName, size: Size): Promise<World> {
  const backends = await startBackends(driver, size.teams)
  // As processes name it that ask where they are.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-isolation-')))
  const people: WorldPerson[] = []
  const projects: WorldProject[] = []
  for (let team = 0; team < size.teams; team++)
    for (let one = 0; one < size.people; one++) {
      const person = people.length
      const place = join(folder, `person-${person}`)
      // Somebody who works for every team, from one home folder: nothing of one database may be met in another.
      const isConsultant = backends.sharesStorage && one === 0
      const home = join(isConsultant ? join(folder, 'consultant') : place, 'home')
      const of = {
        ...{ team, person, name: `person-${person}`, home, papers: join(place, 'papers') },
        env: { ...backends.env(team), RALPH_USER: `person-${person}` },
      }
      people.push(of)
      // The same names of folders for everybody.
      for (let at = 0; at < size.projects; at++) {
        const path = join(place, `shop-${at}`)
        mkdirSync(join(path, '.ralph', 'db'), { recursive: true })
        projects.push({ of, project: projects.length, path })
      }
    }
  // The first and the last have ids that hash alike; the others get theirs by the first record.
  for (const [at, id] of PROJECT_IDS.entries())
    writeFileSync(join(projects.at(-at)!.path, '.ralph', 'project.json'), JSON.stringify({ id }))
  const { sharesStorage } = backends
  const features = FEATURES.slice(0, size.features)
  const opened = openedProjects()
  return {
    ...{ driver, sharesStorage, folder, people, projects, features, size, backends },
    ralph: opened.ralph,
    closeAll: opened.closeAll,
    async close() {
      await opened.closeAll()
      await backends.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** Each is opened once for each way. */
export function openedProjects() {
  const opened = new Map<string, Promise<Ralph>>()
  return {
    ralph({ path, of }: WorldProject, via: DecisionWay = 'library'): Promise<Ralph> {
      const key = `${via} ${path}`
      const known =
        opened.get(key) ??
        openRalph({ project: path, home: of.home, env: of.env, via, onNotice: () => undefined })
      opened.set(key, known)
      return known
    },
    async closeAll() {
      const all = [...opened.values()]
      opened.clear()
      for (const one of all) await (await one).close()
    },
  }
}
