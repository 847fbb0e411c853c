import { z } from 'zod'
import { writeFileAtomically } from '../files/atomic-write.ts'
import { readOwnFile } from '../files/own-files.ts'

const Place = z.object({
  since: z.string(),
  /** While nobody has said whether it is the same project: what its memory is filed under until then. */
  apart: z.uuid().optional(),
  /** What its memory was filed under before somebody said so. */
  formerly: z.array(z.uuid()).optional(),
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

  /** Under a lock: `decide` sees what others have noted meanwhile, and changes it. */
  async change(id: string, decide: (places: Places) => void): Promise<void> {
    // Only here: whoever only reads has no need to load a lock.
    const { withFileLock } = await import('../files/file-lock.ts')
    await withFileLock(`${this.#file}.lock`, async () => {
      const stored = this.#read()
      const places = stored.projects[id] ?? {}
      decide(places)
      stored.projects[id] = places
      await writeFileAtomically(this.#file, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
    })
  }

  #read(): Stored {
    try {
      return Stored.parse(JSON.parse(readOwnFile(this.#file).toString('utf8')))
    } catch {
      return { version: 1, projects: {} } // absent or damaged: each project is noted again where it is next used
    }
  }
}
