import { rmSync } from 'node:fs'
import { link, open, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { errnoOf, fileError, isRalphError } from '../errors.ts'
import { makeOwnFolder, openOwnFile, writeOwnFile } from './own-files.ts'
import { renameFile, renameFileNow } from './rename.ts'
import { sweepTemporaries } from './sweep-temporaries.ts'
import { temporaryBeside } from './temporary-name.ts'

export interface WriteOptions {
  mode?: number
  /** Can be made again, so it is not worth waiting for the disk: after a power cut it may be empty. */
  disposable?: boolean
  /** For the error: "writing" unless told. */
  doing?: string
}

/** Replaces a file so that a reader, also after a power cut, sees the old content or the new, never a mixture. */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  options: WriteOptions = {},
): Promise<void> {
  const { doing = 'writing' } = options
  const isAtHand = typeof content === 'string' || content instanceof Uint8Array
  try {
    await replaceFile(path, content, options).catch((error) => {
      // A sweep takes away what is old by the clock, and clocks jump: what is at hand is written again.
      if (!isAtHand || errnoOf(error) !== 'ENOENT') throw error
      return replaceFile(path, content, options)
    })
  } catch (error) {
    throw fileError(error, path, doing)
  }
}

async function replaceFile(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
  { mode, disposable = false }: WriteOptions,
): Promise<void> {
  const temporary = temporaryBeside(path)
  try {
    makeOwnFolder(dirname(path))
    sweepTemporaries(dirname(path), basename(path))
    const file = await openOwnFile(temporary, 'create', mode)
    try {
      await file.writeFile(content)
      if (!disposable) await file.sync()
    } finally {
      await file.close()
    }
    await renameFile(temporary, path)
    if (!disposable) await syncDirectory(dirname(path))
  } catch (error) {
    // In a folder that cannot be written there is nothing to take away either; the first error says why.
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
}

/** Makes a file that is not there yet, whole at once. False when it is there: somebody was faster. */
export async function createFileAtomically(path: string, content: string): Promise<boolean> {
  const temporary = temporaryBeside(path)
  try {
    await writeFileAtomically(temporary, content)
    await link(temporary, path)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    if (isRalphError(error)) throw error
    // Awaited here: what fails while the rest below is awaited would be nobody's.
    return await createWithoutLink(path, content)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Some disks know no second name for a file. */
async function createWithoutLink(path: string, content: string): Promise<boolean> {
  try {
    writeOwnFile(path, content, { access: 'create' })
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw fileError(error, path, 'writing')
  }
}

/** The same for something disposable, at once: hooks have no time for a turn of the event loop. */
export function writeDisposableFile(path: string, content: string): void {
  const temporary = temporaryBeside(path)
  try {
    makeOwnFolder(dirname(path))
    sweepTemporaries(dirname(path), basename(path))
    writeOwnFile(temporary, content, { access: 'create' })
    renameFileNow(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw fileError(error, path, 'writing')
  }
}

/** Makes a new or renamed directory entry survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  try {
    const directory = await open(path, 'r')
    try {
      await directory.sync()
    } finally {
      await directory.close()
    }
  } catch (error) {
    // Windows neither opens nor needs to sync directories.
    if (!['EISDIR', 'EPERM', 'EINVAL', 'EACCES', 'ENOTSUP'].includes(errnoOf(error) ?? '')) throw error
  }
}
