import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isRalphError, RalphError } from '../errors.ts'
import type { Notices } from '../notices.ts'
import { deterministicUuid } from '../text/ids.ts'
import { isSameRepository } from './git-relation.ts'
import { type Place, type Places, ProjectPlaces } from './places.ts'
import {
  keepProjectId,
  makeProjectFile,
  type ProjectFile,
  projectFileTrouble,
  readProjectFile,
  replaceProjectFile,
} from './project-file.ts'

/** The key of the notice that something about the project's id is for a person to look at. */
export const PROJECT_IDENTITY = 'project identity'

/** What a project's memory is filed under. */
export interface ProjectKey {
  /** Where it lies: what people see. */
  path: string
  /** Its id; its path where none can be kept. */
  key: string
  /** Whatever is still filed under these is its own as well. */
  formerly: readonly string[]
}

export interface IdentifiedProject extends ProjectKey {
  /**
   * `apart`: it carries the id of a project that lies elsewhere on this machine, and nobody has said yet whether it is the
   * same one. `unnamed`: no id is kept.
   */
  state: 'named' | 'apart' | 'unnamed'
  id?: string
  /** Other folders on this machine with this id. */
  elsewhere: string[]
  problem?: { message: string; hint: string }
}

export interface ProjectIdentityOptions {
  project: string
  paths: { identity: string; database: string; places: string }
  notices: Notices
}

/** Which project this is: by the id that it carries, held against what this machine knows of that id. */
export class ProjectIdentity {
  readonly #options: ProjectIdentityOptions
  readonly #places: ProjectPlaces
  #known: Promise<IdentifiedProject> | undefined

  /** @internal */
  constructor(options: ProjectIdentityOptions) {
    this.#options = options
    this.#places = new ProjectPlaces(options.paths.places)
  }

  /** As it is, without making anything. */
  look(): IdentifiedProject {
    const file = readProjectFile(this.#options.paths.identity)
    return this.#judge(file, file.state === 'named' ? this.#places.of(file.id) : {})
  }

  /**
   * For whoever files something: a project with memory gets its id now. What it comes to holds for as long as this process
   * runs, also when an agent takes the file away. Never fails: without an id the path has to do.
   */
  async key(): Promise<IdentifiedProject> {
    this.#known ??= this.#settle()
    const found = await this.#known
    if (found.state === 'unnamed') this.#known = undefined
    return found
  }

  /** A person says that this folder is the project whose id it carries, or one of its own. */
  async decide(as: 'same' | 'new'): Promise<IdentifiedProject> {
    const { project, paths, notices } = this.#options
    notices.alreadySaid({ key: PROJECT_IDENTITY, message: 'whoever decides has been told' })
    const { id } = await this.key()
    if (id === undefined) {
      throw new RalphError('not_found', `${project} has no id yet`, { hint: 'ralph init' })
    }
    if (as === 'same') {
      await this.#places.change(id, (places) => {
        places[project] = joined(places[project])
      })
    } else {
      // What was kept apart until now is the beginning of its own memory.
      const fresh = this.#places.of(id)[project]?.apart ?? randomUUID()
      await this.#places.change(fresh, (places) => {
        places[project] = joined(undefined)
      })
      await replaceProjectFile(paths.identity, fresh)
      await this.#places.change(id, (places) => {
        delete places[project]
      })
    }
    notices.recovered(PROJECT_IDENTITY)
    this.#known = undefined
    return this.key()
  }

  /** A person says under which id this project was filed before; whatever still is belongs to it. */
  async takeOver(former: string): Promise<IdentifiedProject> {
    const { project } = this.#options
    const { id, state } = await this.key()
    if (id === undefined || state !== 'named') {
      throw new RalphError('conflict', `first ${project} has to have an id of its own`, {
        hint: id === undefined ? 'ralph init' : 'ralph project id --same, or --new',
      })
    }
    const owner = Object.keys(this.#places.of(former)).find((path) => path !== project && isAt(path, former))
    if (owner) {
      throw new RalphError('conflict', `${owner} is the project with that id`, {
        hint: 'Only what no project uses any more can be taken over.',
      })
    }
    await this.#places.change(id, (places) => {
      const place = joined(places[project])
      places[project] = { ...place, formerly: [...new Set([...(place.formerly ?? []), former])] }
    })
    this.#known = undefined
    return this.key()
  }

  /** This machine knows nothing of the folder any more. */
  async forget(): Promise<void> {
    await this.#places.forget(this.#options.project)
    this.#known = undefined
  }

  async #settle(): Promise<IdentifiedProject> {
    const { paths, notices } = this.#options
    let file = readProjectFile(paths.identity)
    if (file.state === 'absent' && existsSync(paths.database)) file = await this.#make()
    const found = file.state === 'named' ? await this.#noted(file) : this.#judge(file, {})
    if (found.problem) notices.once({ key: PROJECT_IDENTITY, ...found.problem, harmless: true })
    return found
  }

  async #make(): Promise<ProjectFile> {
    try {
      return await makeProjectFile(this.#options.paths.identity)
    } catch (error) {
      if (!isRalphError(error)) throw error
      return { state: 'absent' } // a project that cannot be written
    }
  }

  /** What it comes to, noted for the next time if that is news. */
  async #noted(file: ProjectFile & { state: 'named' }): Promise<IdentifiedProject> {
    const { project, paths } = this.#options
    const before = this.#places.of(file.id)
    const found = this.#judge(file, before)
    const place = before[project]
    try {
      await keepProjectId(paths.identity, file.id)
      if (place && (place.apart === undefined) === (found.state === 'named')) return found
      await this.#places.change(file.id, (places) => {
        // Asked again under the lock: a copy may have come first.
        const isNamed = this.#judge(file, places).state === 'named'
        const mine = isNamed ? joined(places[project]) : { since: now(), apart: randomUUID() }
        for (const path of Object.keys(places)) if (!isAt(path, file.id)) delete places[path]
        places[project] = mine
      })
    } catch (error) {
      if (!isRalphError(error)) throw error // where it cannot be noted it is found out each time
    }
    return this.#judge(file, this.#places.of(file.id))
  }

  #judge(file: ProjectFile, places: Places): IdentifiedProject {
    const { project: path, paths } = this.#options
    const trouble = projectFileTrouble(paths.identity)
    const problem = trouble && {
      message: `the project's id is not read: ${trouble.problem}`,
      hint: trouble.hint,
    }
    if (file.state !== 'named')
      return { path, key: path, formerly: [], state: 'unnamed', elsewhere: [], ...(problem && { problem }) }
    const { id } = file
    const place = places[path]
    const elsewhere = Object.keys(places).filter(
      (other) => other !== path && places[other]!.apart === undefined && isAt(other, id),
    )
    const isNamed =
      (place && place.apart === undefined) ||
      elsewhere.length === 0 ||
      // A folder that was another project yesterday has been given this id: by whom, only a person can say.
      (!this.#places.isKnownApartFrom(id, path) && elsewhere.some((other) => isSameRepository(path, other)))
    if (isNamed) {
      const formerly = [path, ...(joined(place).formerly ?? [])]
      return { path, key: id, formerly, state: 'named', id, elsewhere, ...(problem && { problem }) }
    }
    return {
      path,
      // Where it cannot be noted, at least always the same.
      key: place?.apart ?? deterministicUuid('apart', id, path),
      formerly: [path],
      state: 'apart',
      id,
      elsewhere,
      problem: {
        message: `this folder has the id of the project in ${elsewhere[0]}; its memory is kept apart until a person says whether it is the same project`,
        hint: 'ralph project id --same, or --new',
      },
    }
  }
}

/** Of the project, with what was kept apart until now. */
function joined(before: Place | undefined): Place {
  const formerly = [...(before?.formerly ?? []), ...(before?.apart ? [before.apart] : [])]
  return { since: before?.since ?? now(), ...(formerly.length > 0 && { formerly }) }
}

/** Moved away, or another project by now: then there is nobody to be confused with. */
function isAt(path: string, id: string): boolean {
  const file = readProjectFile(join(path, '.ralph', 'project.json'))
  return file.state === 'named' && file.id === id
}

function now(): string {
  return new Date().toISOString()
}
