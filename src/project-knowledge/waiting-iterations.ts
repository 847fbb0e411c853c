import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomically } from '../files/atomic-write.ts'
import { withFileLock } from '../files/file-lock.ts'
import { readOwnFile } from '../files/own-files.ts'
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
    try {
      return Stored.parse(JSON.parse(readOwnFile(this.#file).toString('utf8'))).iterations
    } catch {
      return [] // mostly there is none; it is written whole or not at all
    }
  }

  add(iteration: WaitingIteration): Promise<void> {
    return this.#change((before) => [...before.filter((one) => !isSame(one, iteration)), iteration])
  }

  remove(iteration: WaitingIteration): Promise<void> {
    return this.#change((before) => before.filter((one) => !isSame(one, iteration)))
  }

  forget(): void {
    for (const file of [this.#file, `${this.#file}.lock`]) rmSync(file, { force: true })
  }

  async #change(change: (before: readonly WaitingIteration[]) => WaitingIteration[]): Promise<void> {
    await withFileLock(`${this.#file}.lock`, async () => {
      const text = `${JSON.stringify({ version: 1, iterations: change(this.all()) }, null, 1)}\n`
      await writeFileAtomically(this.#file, text, { mode: 0o600 })
    })
  }
}

function isSame(one: WaitingIteration, other: WaitingIteration): boolean {
  return (
    one.feature === other.feature && one.iteration === other.iteration && one.timestamp === other.timestamp
  )
}
