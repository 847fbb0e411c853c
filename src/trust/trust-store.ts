import { isDeepStrictEqual } from 'node:util'
import { writeFileAtomically } from '../files/atomic-write.ts'
import { keptJson, keptJsonToChange } from '../files/kept-json.ts'
import { z } from '../text/schema.ts'
import type { Demand } from './demand.ts'
import { plainly } from './plain-text.ts'

const Trusted = z.object({
  hash: z.string(),
  lines: z.array(z.string()),
  /** Of the project's own files that it names, as they were then. */
  files: z._default(z.record(z.string(), z.string()), {}),
  trusted_at: z.string(),
})
const Stored = z.object({
  version: z.literal(1),
  /** By the project's folder: another copy of it is another project. */
  projects: z.record(z.string(), z.record(z.string(), Trusted)),
})
type Stored = z.infer<typeof Stored>

/** What a person has trusted, in the user's own folder: a hash for each demand, and its lines to show what changed since. */
export class TrustStore {
  readonly #file: string
  readonly #project: string

  constructor(options: { file: string; project: string }) {
    this.#file = options.file
    this.#project = options.project
  }

  isTrusted = (demand: Demand): boolean => {
    const trusted = this.#trusted()[demand.name]
    return trusted?.hash === demand.hash && isDeepStrictEqual(trusted.files, demand.files(this.#project))
  }

  /** The demand as it is at this moment, with a line for each file that it names: what is shown is what is trusted. */
  withFiles(demand: Demand): Demand {
    const files = demand.files(this.#project)
    const named = Object.entries(files).map(
      ([name, hash]) => `file ${plainly(name)} (content ${hash.slice(0, 12)})`,
    )
    return { ...demand, lines: [...demand.lines, ...named], files: () => files }
  }

  /** What was trusted under this name before; undefined when nothing was. */
  linesBefore(name: string): string[] | undefined {
    return this.#trusted()[name]?.lines
  }

  names(): string[] {
    return Object.keys(this.#trusted())
  }

  /** Exactly these from now on; whatever was trusted before and is not among them is forgotten. */
  async trustOnly(demands: readonly Demand[]): Promise<void> {
    const trusted_at = new Date().toISOString()
    // Only here: hooks read what is trusted, and have no time to load a lock.
    const { withFileLock } = await import('../files/file-lock.ts')
    await withFileLock(`${this.#file}.lock`, async () => {
      const stored = keptJsonToChange(this.#file, Stored.parse) ?? { version: 1, projects: {} }
      const entries = demands.map(({ name, hash, lines, files }) => [
        name,
        { hash, lines, files: files(this.#project), trusted_at },
      ])
      if (entries.length > 0) stored.projects[this.#project] = Object.fromEntries(entries)
      else delete stored.projects[this.#project]
      await writeFileAtomically(this.#file, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
    })
  }

  #trusted(): Stored['projects'][string] {
    // Absent or damaged: then nothing is trusted, and a person is asked again.
    return keptJson(this.#file, Stored.parse)?.projects[this.#project] ?? {}
  }
}
