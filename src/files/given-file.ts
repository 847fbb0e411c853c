import { createWriteStream, readFileSync, realpathSync, statSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { fileError } from '../errors.ts'
import { chunksOf } from './lines.ts'
import { renameFile } from './rename.ts'
import { temporaryBeside } from './temporary-name.ts'

/** Files that the caller names. They may lie anywhere; what is wrong with one is the caller's to mend, and said so. */

/** `-` is standard input. */
export async function* chunksOfGiven(path: string, doing: string): AsyncGenerator<Buffer> {
  if (path === '-') return yield* process.stdin as AsyncIterable<Buffer>
  try {
    const file = await open(path, 'r')
    try {
      yield* chunksOf(file)
    } finally {
      await file.close()
    }
  } catch (error) {
    throw fileError(error, path, doing)
  }
}

/** Its text, without the line break at its end. */
export function textOfGiven(path: string, doing: string): string {
  try {
    return readFileSync(path, 'utf8').trimEnd()
  } catch (error) {
    throw fileError(error, path, doing)
  }
}

/**
 * Writes a file that only its owner may read; returns how many lines. What was there under this name stays until all of it
 * is written.
 */
export async function writeGiven(path: string, lines: AsyncIterable<string>, doing: string): Promise<number> {
  let count = 0
  const ended = async function* () {
    for await (const line of lines) {
      count++
      yield `${line}\n`
    }
  }
  const target = replaced(path)
  const written = target === undefined ? path : temporaryBeside(target)
  try {
    await pipeline(ended, createWriteStream(written, { mode: 0o600, flush: target !== undefined }))
    if (target !== undefined) await renameFile(written, target)
  } catch (error) {
    if (target !== undefined) await rm(written, { force: true }).catch(() => undefined)
    throw fileError(error, path, doing)
  }
  return count
}

/** The file behind a link; undefined for what is no file and can only be written to, such as a terminal. */
function replaced(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return path
  return found.isFile() ? realpathSync(path) : undefined
}
