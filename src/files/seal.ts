import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { linkSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { errnoOf } from '../errors.ts'
import { makeOwnFolder, readOwnFile, writeOwnFile } from './own-files.ts'
import { renameFileNow } from './rename.ts'
import { temporaryBeside } from './temporary-name.ts'

const KEY_BYTES = 32
/** Of whoever has no key file: what it seals it opens itself, and nobody else does. */
const ofProcess = randomBytes(KEY_BYTES)

/**
 * Tells what we have put into a project's cache from what a clone brought or an agent wrote there, by a key that lies with the
 * user. Without its key, or with another one, nothing is opened: what is kept in a cache is then worked out again.
 */
export class Seal {
  readonly #keyFile: string | undefined
  #key: Buffer | undefined

  constructor(keyFile?: string) {
    this.#keyFile = keyFile
  }

  /** Text that only opens at the same place. */
  sealed(place: string, text: string): string {
    return `${this.mark(place, text)}\n${text}`
  }

  /** Undefined for what is not ours. */
  opened(place: string, content: string): string | undefined {
    const end = content.indexOf('\n')
    const text = content.slice(end + 1)
    return end > 0 && this.isOurs(place, text, content.slice(0, end)) ? text : undefined
  }

  mark(place: string, text: string): string {
    this.#key ??= this.#read() ?? this.#made()
    return markOf(this.#key, place, text)
  }

  isOurs(place: string, text: string, mark: string): boolean {
    const isBy = (key: Buffer | undefined) => key !== undefined && isSame(mark, markOf(key, place, text))
    this.#key ??= this.#read()
    // Somebody may have made another key since this one was read.
    return isBy(this.#key) || (this.#key !== undefined && isBy(this.#read()))
  }

  #read(): Buffer | undefined {
    if (this.#keyFile === undefined) return ofProcess
    try {
      const key = Buffer.from(readOwnFile(this.#keyFile).toString('utf8').trim(), 'hex')
      return key.length === KEY_BYTES ? key : undefined
    } catch {
      return undefined // not made yet, or not for us to read
    }
  }

  /** Where it cannot be kept, it serves this process. */
  #made(): Buffer {
    const path = this.#keyFile!
    const made = randomBytes(KEY_BYTES)
    const temporary = temporaryBeside(path)
    try {
      makeOwnFolder(dirname(path), 0o700)
      writeOwnFile(temporary, `${made.toString('hex')}\n`, { access: 'create', mode: 0o600 })
      putInPlace(temporary, path)
      // Another process may have been faster: one key is everybody's.
      const key = this.#read()
      if (!key) renameFileNow(temporary, path) // what stood there is no key
      return key ?? made
    } catch {
      return made
    } finally {
      rmSync(temporary, { force: true })
    }
  }
}

/** Whole at once, and never in place of another. */
function putInPlace(temporary: string, path: string): void {
  try {
    linkSync(temporary, path)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') renameFileNow(temporary, path) // some disks know no second name for a file
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function markOf(key: Buffer, place: string, text: string): string {
  return createHmac('sha256', key).update(place).update('\0').update(text).digest('base64url')
}
