import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errnoOf, fileError } from '../errors.ts'

/** Replaces a file so that a reader, also after a power cut, sees the old content or the new, never a mixture. */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  options: { mode?: number } = {},
): Promise<void> {
  const temporary = `${path}.${process.pid}-${randomUUID().slice(0, 8)}.tmp`
  try {
    await mkdir(dirname(path), { recursive: true })
    const file = await open(temporary, 'w', options.mode)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
    await syncDirectory(dirname(path))
  } catch (error) {
    await rm(temporary, { force: true })
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
