import { lstatSync } from 'node:fs'
import { type FileHandle, readdir } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { isOfOthers, type KnownWrites } from '../board/guard/attribution.ts'
import { errnoOf } from '../errors.ts'
import { writeFileAtomically } from '../files/atomic-write.ts'
import { chunksOf } from '../files/lines.ts'
import { openOwnFile, readOwnFile } from '../files/own-files.ts'

interface Held {
  /** From `.ralph` on, with slashes. */
  name: string
  path: string
  inode: bigint
  mode: number
  /** Large ones and those that grow stay open: what is deleted can still be read there. */
  kept: Buffer | FileHandle
}

/** Small enough for memory: on Windows nobody can replace a file that is open. */
const SMALL = 256n * 1024n

/** Disposable, or in the care of the guard of the board, of the settings' guard and of the watch over the journals. */
const NOT_HERE =
  /^\.ralph\/(?:cache(?:\/|$)|db\/[^/]*\.yaml$|db\/memory\/[^/]*\.jsonl$|rag_config\.json$)|\.(?:lock|tmp)$/
/** They grow, and the oldest goes when there are too many: that one alone is gone means nothing. */
const RECEIPTS = /^\.ralph\/receipts\//

/** In `.ralph` itself: committed, and nothing that an agent has to change. */
const AT_THE_TOP = /^\.ralph\/[^/]+$/

/** Keeps everything else in `.ralph` in hand while an agent runs: what it deletes is put back. */
export class FolderWatch {
  readonly #held: readonly Held[]

  private constructor(held: readonly Held[]) {
    this.#held = held
  }

  static async open(folder: string): Promise<FolderWatch> {
    const held: Held[] = []
    for (const path of await filesIn(folder, folder)) {
      const file = await openOwnFile(path, 'read').catch(() => undefined) // a link, or gone by now: nothing to keep
      if (!file) continue
      const { ino: inode, mode, size } = await file.stat({ bigint: true })
      const kept = size <= SMALL && !grows(path) ? await file.readFile() : file
      if (kept !== file) await file.close()
      held.push({ name: nameIn(folder, path), path, inode, mode: Number(mode & 0o777n), kept })
    }
    return new FolderWatch(held)
  }

  /** What was put back, and what somebody else changed, in words. */
  async restore(writes: (path: string) => KnownWrites): Promise<{ undone: string[]; others: string[] }> {
    const gone = this.#gone()
    const changed = this.#held.filter(
      ({ name, path, kept }) => AT_THE_TOP.test(name) && Buffer.isBuffer(kept) && !isSame(path, kept),
    )
    const others = changed.filter((held) => !gone.includes(held) && isOfOthers(writes(held.path)))
    const restored = changed.filter((held) => !gone.includes(held) && !others.includes(held))
    for (const held of [...gone, ...restored]) await putBack(held)
    return {
      undone: [
        ...(gone.length > 0 ? [`${gone.map(({ name }) => name).join(', ')} had vanished: put back`] : []),
        ...restored.map(({ name }) => `${name} was changed: restored`),
      ],
      others: others.map(({ name }) => `${name} changed`),
    }
  }

  #gone(): Held[] {
    const isThere = ({ path, inode }: Held) =>
      lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino === inode
    const keepsReceipts = this.#held.some((held) => RECEIPTS.test(held.name) && isThere(held))
    return this.#held.filter((held) => {
      if (RECEIPTS.test(held.name)) return !keepsReceipts
      return lstatSync(held.path, { throwIfNoEntry: false }) === undefined
    })
  }

  async close(): Promise<void> {
    for (const { kept } of this.#held) if (!Buffer.isBuffer(kept)) await kept.close()
  }
}

async function filesIn(folder: string, top: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => {
    if (errnoOf(error) === 'ENOENT') return []
    throw error
  })
  const found: string[] = []
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (NOT_HERE.test(nameIn(top, path))) continue
    if (entry.isDirectory()) found.push(...(await filesIn(path, top)))
    else if (entry.isFile()) found.push(path)
  }
  return found
}

function nameIn(top: string, path: string): string {
  return `.ralph/${relative(top, path).replaceAll('\\', '/')}`
}

/** Only ever at its end. */
function grows(path: string): boolean {
  return extname(path) === '.jsonl'
}

function isSame(path: string, content: Buffer): boolean {
  return current(path)?.equals(content) === true
}

function current(path: string): Buffer | undefined {
  try {
    return readOwnFile(path)
  } catch {
    return undefined // gone, or no file any more
  }
}

/** Lines that were written meanwhile come after those that were there. */
async function putBack({ path, mode, kept }: Held): Promise<void> {
  const since = grows(path) ? current(path) : undefined
  const whole = async function* () {
    if (Buffer.isBuffer(kept)) yield kept
    else yield* chunksOf(kept)
    if (since) yield since
  }
  await writeFileAtomically(path, whole(), { mode })
}
