import { type FileHandle, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { errnoOf } from '../errors.ts'
import type { FeatureMemory } from '../feature-memory/feature-memory.ts'
import { chunksOf, textLinesOf } from '../files/lines.ts'
import { openOwnFile } from '../files/own-files.ts'
import { plural } from '../text/plural.ts'

interface Watched {
  feature: string
  path: string
  file: FileHandle
  inode: bigint
  size: bigint
  /** Absent where there is too much of it. */
  content?: Buffer | undefined
}

/** So much is also kept in memory, the smallest first, for whoever cuts a journal short in place. */
const KEPT_BYTES = 8n * 1024n * 1024n

/**
 * Keeps the journals in hand while an agent runs. `git stash`, `git reset --hard` and `git clean` replace or delete files
 * that are not committed yet; what was in them can still be read through the open file, and is put back.
 */
export class JournalWatch {
  readonly #watched: readonly Watched[]

  private constructor(watched: readonly Watched[]) {
    this.#watched = watched
  }

  static async open(memory: FeatureMemory): Promise<JournalWatch> {
    const watched: Watched[] = []
    for (const feature of await memory.features()) {
      const { path } = memory.journal(feature)
      const file = await openOwnFile(path, 'read')
      const { ino: inode, size } = await file.stat({ bigint: true })
      watched.push({ feature, path, file, inode, size })
    }
    let kept = 0n
    for (const journal of watched.toSorted((a, b) => Number(a.size - b.size))) {
      kept += journal.size
      if (kept > KEPT_BYTES) break
      journal.content = await journal.file.readFile()
    }
    return new JournalWatch(watched)
  }

  /** What had to be put back, or is lost, in words. */
  async restore(memory: FeatureMemory): Promise<string[]> {
    const said: string[] = []
    for (const watched of this.#watched) {
      const what = await whatHappened(watched)
      if (what === undefined) continue
      const journal = `the journal of "${watched.feature}" was ${what}`
      const before =
        what === CUT ? watched.content && Readable.from([watched.content]) : chunksOf(watched.file)
      if (!before) {
        said.push(`${journal}: the rest is lost`)
        continue
      }
      const { imported } = await memory.import(textLinesOf(before), { feature: watched.feature })
      if (imported > 0) said.push(`${journal}: ${plural(imported, 'record')} put back`)
    }
    return said
  }

  async close(): Promise<void> {
    for (const { file } of this.#watched) await file.close()
  }
}

const CUT = 'cut short'

async function whatHappened({ path, inode, size }: Watched): Promise<string | undefined> {
  const now = await statOf(path)
  if (!now) return 'deleted'
  if (now.ino !== inode) return 'replaced by another version'
  return now.size < size ? CUT : undefined
}

async function statOf(path: string) {
  try {
    return await stat(path, { bigint: true })
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}
