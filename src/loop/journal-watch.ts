import { type FileHandle, stat } from 'node:fs/promises'
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
}

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
    return new JournalWatch(watched)
  }

  /** What had to be put back, or is lost, in words. */
  async restore(memory: FeatureMemory): Promise<string[]> {
    const said: string[] = []
    for (const { feature, path, file, inode, size } of this.#watched) {
      const now = await statOf(path)
      if (now?.ino === inode) {
        // Cut short in place: nobody has the rest any more.
        if (now.size < size)
          said.push(`the journal of "${feature}" was cut from ${size} to ${now.size} bytes`)
        continue
      }
      const { imported } = await memory.import(textLinesOf(chunksOf(file)), { feature })
      const what = now ? 'replaced by another version' : 'deleted'
      if (imported > 0)
        said.push(`the journal of "${feature}" was ${what}: ${plural(imported, 'record')} put back`)
    }
    return said
  }

  async close(): Promise<void> {
    for (const { file } of this.#watched) await file.close()
  }
}

async function statOf(path: string) {
  try {
    return await stat(path, { bigint: true })
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}
