import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { fileError, RalphError, throwIfAborted } from '../../errors.ts'
import { sizeText } from './size-text.ts'

export interface ReadBytes {
  bytes: Buffer
  /** SHA-256 of them, and of how they are cut. */
  hash: string
  stamp: string
}

/** Absent on Windows. A link is never followed, and nobody waits for whoever writes into a pipe. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
/** Somebody may be saving it: then it is read once more. */
const TRIES = 3
const CHUNK = 1024 * 1024

/** All of a file as it was at one moment. Its size is looked at before anything is read. */
export async function readWhole(
  path: string,
  { mostBytes, signal }: { mostBytes: number; signal?: AbortSignal | undefined },
): Promise<ReadBytes> {
  let file: FileHandle
  try {
    file = await open(path, FLAGS)
  } catch (error) {
    throw fileError(error, path, 'reading it')
  }
  try {
    for (let tries = 1; ; tries++) {
      const before = await stampOf(file)
      if (!before.isFile) throw new RalphError('invalid_input', 'it is no file')
      if (before.size > mostBytes) throw tooLarge(before.size, mostBytes)
      const bytes = await bytesOf(file, mostBytes, signal)
      if ((await stampOf(file)).text === before.text && bytes.length === before.size) {
        return { bytes, hash: hashOf(bytes), stamp: before.text }
      }
      if (tries === TRIES) throw new RalphError('conflict', 'it changed while it was read')
    }
  } catch (error) {
    throw fileError(error, path, 'reading it')
  } finally {
    await file.close()
  }
}

function tooLarge(size: number, mostBytes: number): RalphError {
  const message = `larger than ${sizeText(mostBytes)} (${sizeText(size)})`
  return new RalphError('limit_reached', message, {
    hint: `Raise the limit: ralph documents add … --max-size ${Math.ceil(size / 1_000_000)}`,
  })
}

/** It may grow meanwhile: never more is held than is allowed. */
async function bytesOf(
  file: FileHandle,
  mostBytes: number,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  for (let at = 0; at <= mostBytes; ) {
    throwIfAborted(signal)
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, at)
    if (bytesRead === 0) break
    chunks.push(buffer.subarray(0, bytesRead))
    at += bytesRead
  }
  return Buffer.concat(chunks)
}

async function stampOf(file: FileHandle): Promise<{ text: string; size: number; isFile: boolean }> {
  const stats = await file.stat({ bigint: true })
  return { text: stampText(stats), size: Number(stats.size), isFile: stats.isFile() }
}

/** How files are cut: what was cut in another way is read again. */
const WAY_OF_CUTTING = 1

function hashOf(bytes: Buffer): string {
  return `${WAY_OF_CUTTING}:${createHash('sha256').update(bytes).digest('hex')}`
}

/** Another one when the file has been written or replaced: a change cannot hide behind a time that was set back. */
export function stampText(stats: { ino: bigint; size: bigint; mtimeNs: bigint; ctimeNs: bigint }): string {
  return `${WAY_OF_CUTTING}:${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`
}
