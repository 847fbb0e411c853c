import { writeFileAtomically } from '../files/atomic-write.ts'
import { keptJson, keptJsonToChange } from '../files/kept-json.ts'
import { z } from '../text/schema.ts'

const Place = z.object({
  since: z.string(),
  /** While nobody has said whether it is the same project: what its memory is filed under until then. */
  apart: z.optional(z.uuid()),
  /** What its memory was filed under before somebody said so. */
  formerly: z.optional(z.array(z.uuid())),
})
export type Place = z.infer<typeof Place>
/** By the folder in which it lies. */
export type Places = { [path: string]: Place }

const Stored = z.object({
  version: z.literal(1),
  projects: z.record(z.string(), z.record(z.string(), Place)),
})
type Stored = z.infer<typeof Stored>

/** Where on this machine which project lies, kept in the user's own folder: what a clone claims is held against it. */
export class ProjectPlaces {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  of(id: string): Places {
    return this.#read().projects[id] ?? {}
  }

  /** Whether the folder was noted as a project of its own, with another id. */
  isKnownApartFrom(id: string, path: string): boolean {
    return Object.entries(this.#read().projects).some(
      ([other, places]) => other !== id && Object.hasOwn(places, path) && places[path]!.apart === undefined,
    )
  }

  /** Whatever is noted of a folder is forgotten. */
  async forget(path: string): Promise<void> {
    if (!Object.values(this.#read().projects).some((places) => path in places)) return
    await this.#rewrite((projects) => {
      for (const [id, places] of Object.entries(projects)) {
        delete places[path]
        if (Object.keys(places).length === 0) delete projects[id]
      }
    })
  }

  /** Under a lock: `decide` sees what others have noted meanwhile, and changes it. */
  async change(id: string, decide: (places: Places) => void): Promise<void> {
    await this.#rewrite((projects) => {
      const places = projects[id] ?? {}
      decide(places)
      projects[id] = places
    })
  }

  async #rewrite(edit: (projects: Stored['projects']) => void): Promise<void> {
    // Only here: whoever only reads has no need to load a lock.
    const { withFileLock } = await import('../files/file-lock.ts')
    await withFileLock(`${this.#file}.lock`, async () => {
      const stored = keptJsonToChange(this.#file, Stored.parse) ?? { version: 1, projects: {} }
      edit(stored.projects)
      await writeFileAtomically(this.#file, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
    })
  }

  /** Absent or damaged: each project is noted again where it is next used. */
  #read(): Stored {
    return keptJson(this.#file, Stored.parse) ?? { version: 1, projects: {} }
  }
}
