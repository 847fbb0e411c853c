import { existsSync } from 'node:fs'
import { readdir, readFile, realpath, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { errnoOf, fileError, RalphError } from '../errors.ts'
import { writeFileAtomically } from '../files/atomic-write.ts'
import { readOwnFile, requireInside } from '../files/own-files.ts'
import { sha256 } from '../text/ids.ts'
import { parseObject } from '../text/json.ts'

export interface EditResult {
  file: string
  action: 'created' | 'changed' | 'unchanged' | 'removed'
}

interface KeptOriginal {
  /** Hash of what we left there. */
  written: string
  /** Absent where there was no file. */
  original?: string | undefined
  /** Whether its folder was there. */
  inFolder?: boolean | undefined
  /** The topmost of the folders that were made for it. */
  made?: string | undefined
  /** What of ours is in it. */
  parts?: string[]
}

/**
 * A file that belongs to somebody else and into which we write a few lines. The edit is undone exactly when nobody has
 * touched the file since: the original is kept aside until then. Where several things of ours are in one file, each goes
 * for itself, and with the last of them the original is back.
 */
export class EditedFile {
  readonly #path: string
  readonly #project: string
  readonly #undoDir: string
  readonly #part: string

  /** `part`: which of the things of ours that may be in the file. */
  constructor(options: { path: string; project: string; undoDir: string; part: string }) {
    this.#path = options.path
    this.#project = options.project
    this.#undoDir = options.undoDir
    this.#part = options.part
  }

  /** Undefined when there is no such file. */
  async read(): Promise<string | undefined> {
    try {
      // A clone brings links, and the user's own folder is where they would lead.
      requireInside(this.#path, this.#project)
      return wholeText(readOwnFile(this.#path), this.#path)
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined
      throw fileError(error, this.#path, 'reading')
    }
  }

  async edit(change: (text: string) => string): Promise<EditResult> {
    const before = await this.read()
    const after = withPlace(this.#path, () => change(before ?? ''))
    if (after === before) return { file: this.#path, action: 'unchanged' }
    await this.#keepOriginal(before, after)
    await this.#write(after)
    return { file: this.#path, action: before === undefined ? 'created' : 'changed' }
  }

  /**
   * Puts the original back if the file is as we left it; else takes out only what is ours, by `remove`, which is told it: empty
   * where there was no file, undefined where nobody knows.
   */
  async undo(remove: (text: string, original: string | undefined) => string): Promise<EditResult> {
    const now = await this.read()
    const kept = await this.#takeOriginal()
    if (now === undefined) return { file: this.#path, action: 'unchanged' }
    const exact = kept !== undefined && kept.written === sha256(now)
    const removed = withPlace(this.#path, () => remove(now, kept && (kept.original ?? '')))
    if (removed === now) {
      if (kept) await this.#keep(kept)
      return { file: this.#path, action: 'unchanged' }
    }
    const others = exact ? (kept.parts?.filter((part) => part !== this.#part) ?? []) : []
    if (exact && others.length > 0) await this.#keep({ ...kept, written: sha256(removed), parts: others })
    const after = exact && others.length === 0 ? kept.original : removed
    if (after === undefined || (kept?.original === undefined && isEmptyShell(after))) {
      await rm(this.#path, { force: true })
      if (kept?.inFolder !== true) await this.#removeFolders(kept?.made ?? dirname(this.#path))
      return { file: this.#path, action: 'removed' }
    }
    await this.#write(after)
    return { file: this.#path, action: 'changed' }
  }

  /** Folders that were made for it go with it; one that holds anything, or was there before, stays. */
  async #removeFolders(topmost: string): Promise<void> {
    for (let folder = dirname(this.#path); ; folder = dirname(folder)) {
      const gone = await rmdir(folder).then(
        () => true,
        () => false,
      )
      if (!gone) return this.#leaveFolders(topmost)
      if (folder === topmost) return
    }
  }

  /** Another file of ours is still in them: they go with that one. */
  async #leaveFolders(topmost: string): Promise<void> {
    for (const name of await readdir(this.#undoDir).catch(() => [])) {
      const file = join(this.#undoDir, name)
      const kept = parseObject(await readFile(file, 'utf8').catch(() => ''))
      if (!String(kept?.['path']).startsWith(`${topmost}${sep}`)) continue
      await writeFileAtomically(file, JSON.stringify({ ...kept, inFolder: false, made: topmost }), {
        mode: 0o600,
      })
    }
  }

  /** Through links of the user's and with its permissions: people keep these files in dotfile repositories. */
  async #write(text: string): Promise<void> {
    const target = await realpath(this.#path).catch(() => this.#path)
    const mode = (await stat(target).catch(() => undefined))?.mode
    await writeFileAtomically(target, text, mode === undefined ? {} : { mode: mode & 0o777 })
  }

  get #undoFile(): string {
    return join(this.#undoDir, `${sha256(this.#path).slice(0, 16)}.json`)
  }

  /** Keeps the first original over several edits of ours, as long as nobody else came between. */
  async #keepOriginal(before: string | undefined, after: string): Promise<void> {
    const kept = await this.#takeOriginal()
    const again = kept && before !== undefined && kept.written === sha256(before)
    const original = again ? kept.original : before
    const made = again ? kept.made : firstMissing(dirname(this.#path))
    const inFolder = again ? kept.inFolder : made === undefined
    const parts = [...new Set([...((again && kept.parts) || []), this.#part])]
    await this.#keep({ written: sha256(after), original, inFolder, made, parts })
  }

  async #keep(kept: KeptOriginal): Promise<void> {
    await writeFileAtomically(this.#undoFile, JSON.stringify({ path: this.#path, ...kept }), {
      mode: 0o600,
      doing: 'keeping the original',
    })
  }

  async #takeOriginal(): Promise<KeptOriginal | undefined> {
    try {
      const kept = JSON.parse(await readFile(this.#undoFile, 'utf8'))
      await rm(this.#undoFile, { force: true })
      return kept
    } catch {
      return undefined // not there, or damaged: then only our own lines are taken out
    }
  }
}

/** The topmost folder on the way that is not there. */
function firstMissing(folder: string): string | undefined {
  if (existsSync(folder)) return undefined
  const above = dirname(folder)
  return above === folder ? folder : (firstMissing(above) ?? folder)
}

/** What is no UTF-8 could not be written back as it was. */
function wholeText(bytes: Buffer, path: string): string {
  const text = bytes.toString('utf8')
  if (Buffer.from(text, 'utf8').equals(bytes)) return text
  throw new RalphError('invalid_input', `${path} is not text in UTF-8`, {
    hint: 'Save it as UTF-8, then run the command again. It was not changed.',
  })
}

/** Errors about what is in a file name the file. */
export function withPlace<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof RalphError)) throw error
    throw new RalphError(error.code, `${path}: ${error.message}`, {
      hint: error.hint ?? 'Mend the file, then run the command again. It was not changed.',
      cause: error,
    })
  }
}

function isEmptyShell(text: string): boolean {
  return /^\s*(\{\s*("[^"]*"\s*:\s*\{\s*\}\s*)?\})?\s*$/.test(text)
}
