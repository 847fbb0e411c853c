import { existsSync } from 'node:fs'
import { readFile, realpath, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errnoOf, fileError, RalphError } from '../errors.ts'
import { writeFileAtomically } from '../files/atomic-write.ts'
import { readOwnFile, requireInside } from '../files/own-files.ts'
import { sha256 } from '../text/ids.ts'

export interface EditResult {
  file: string
  action: 'created' | 'changed' | 'unchanged' | 'removed'
}

interface KeptOriginal {
  /** Hash of what we left there. */
  written: string
  /** Absent where there was no file. */
  original?: string
  /** Whether its folder was there. */
  inFolder?: boolean
}

/**
 * A file that belongs to somebody else and into which we write a few lines. The edit is undone exactly when nobody has
 * touched the file since: the original is kept aside until then.
 */
export class EditedFile {
  readonly #path: string
  readonly #project: string
  readonly #undoDir: string

  constructor(options: { path: string; project: string; undoDir: string }) {
    this.#path = options.path
    this.#project = options.project
    this.#undoDir = options.undoDir
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

  /** Puts the original back if the file is as we left it; else takes out only what is ours, by `remove`, which is told it. */
  async undo(remove: (text: string, original: string | undefined) => string): Promise<EditResult> {
    const now = await this.read()
    const kept = await this.#takeOriginal()
    if (now === undefined) return { file: this.#path, action: 'unchanged' }
    const exact = kept !== undefined && kept.written === sha256(now)
    const after = exact ? kept.original : withPlace(this.#path, () => remove(now, kept?.original))
    if (after === now) return { file: this.#path, action: 'unchanged' }
    if (after === undefined || (kept?.original === undefined && isEmptyShell(after))) {
      await rm(this.#path, { force: true })
      // A folder that was made for it goes with it; one that holds anything, or was there before, stays.
      if (kept?.inFolder !== true) await rmdir(dirname(this.#path)).catch(() => undefined)
      return { file: this.#path, action: 'removed' }
    }
    await this.#write(after)
    return { file: this.#path, action: 'changed' }
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
    const inFolder = again ? kept.inFolder : existsSync(dirname(this.#path))
    await writeFileAtomically(
      this.#undoFile,
      JSON.stringify({ path: this.#path, written: sha256(after), original, inFolder }),
      { mode: 0o600, doing: 'keeping the original' },
    )
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
