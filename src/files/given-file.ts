import { createWriteStream, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { fileError } from '../errors.ts'
import { chunksOf } from './lines.ts'

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

/** Writes a file that only its owner may read; returns how many lines. */
export async function writeGiven(path: string, lines: AsyncIterable<string>, doing: string): Promise<number> {
  let count = 0
  const ended = async function* () {
    for await (const line of lines) {
      count++
      yield `${line}\n`
    }
  }
  try {
    await pipeline(ended, createWriteStream(path, { mode: 0o600 }))
  } catch (error) {
    throw fileError(error, path, doing)
  }
  return count
}
