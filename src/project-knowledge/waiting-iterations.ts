import { join } from 'node:path'
import { writeFileAtomically } from '../files/atomic-write.ts'
import { withFileLock } from '../files/file-lock.ts'
import { keptJson, keptJsonToChange, removeKeptJson } from '../files/kept-json.ts'
import { shortHash } from '../text/ids.ts'
import { z } from '../text/schema.ts'

/** An iteration of this machine that project knowledge has not heard of yet. The journal has what happened in it. */
const WaitingIteration = z.object({
  feature: z.string(),
  iteration: z.int(),
  /** Of its record: the number may be another one's after a merge. */
  timestamp: z.string(),
  /** Ids of the knowledge that its prompt showed. */
  patterns: z.array(z.string()),
})
export type WaitingIteration = z.infer<typeof WaitingIteration>

const Stored = z.object({ version: z.literal(1), iterations: z.array(WaitingIteration) })

/**
 * Which iterations were recorded while the storage of project knowledge was down. With the user, not in the project: what
 * a clone brings in its journals is not handed on as if it had happened here, and no cache is needed for it.
 */
export class WaitingIterations {
  readonly #file: string

  constructor({ home, project }: { home: string; project: string }) {
    this.#file = join(home, 'waiting', `${shortHash(project, 16)}.json`)
  }

  /** The longest waiting first. */
  all(): WaitingIteration[] {
    return keptJson(this.#file, Stored.parse)?.iterations ?? []
  }

  add(iteration: WaitingIteration): Promise<void> {
    return this.#change((before) => [...before.filter((one) => !isSame(one, iteration)), iteration])
  }

  remove(iteration: WaitingIteration): Promise<void> {
    return this.#change((before) => before.filter((one) => !isSame(one, iteration)))
  }

  forget(): void {
    removeKeptJson(this.#file)
  }

  async #change(change: (before: readonly WaitingIteration[]) => WaitingIteration[]): Promise<void> {
    await withFileLock(`${this.#file}.lock`, async () => {
      const before = keptJsonToChange(this.#file, Stored.parse)?.iterations ?? []
      const text = `${JSON.stringify({ version: 1, iterations: change(before) }, null, 1)}\n`
      await writeFileAtomically(this.#file, text, { mode: 0o600 })
    })
  }
}

function isSame(one: WaitingIteration, other: WaitingIteration): boolean {
  return (
    one.feature === other.feature && one.iteration === other.iteration && one.timestamp === other.timestamp
  )
}
