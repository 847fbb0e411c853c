import { closeSync, existsSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { errnoOf, messageOf } from '../../errors.ts'
import { writeFileAtomically } from '../../files/atomic-write.ts'
import type { Notice } from '../../notices.ts'

const CHECKSUM_BYTES = 4

/** Read and checked in pieces of this size: small enough to stay in the processor's cache. */
const PIECE_BYTES = 256 * 1024

/**
 * What was worked out from the model's files, from the cache, or built now and put there. The file ends with its own checksum:
 * a torn or damaged one is built again, and the result is the same bytes either way. Without a writable cache it works
 * from memory, only slower.
 */
export async function checkedCache(
  path: string,
  build: () => Uint8Array,
  onNotice: (notice: Notice) => void,
): Promise<Uint8Array> {
  const cached = readVerified(path)
  if (cached) return cached
  const built = build()
  await keepIfInUse(dirname(path), onNotice, () => keepChecked(path, built))
  return built
}

export interface CachedPair {
  /** As it must be for others to read: without a checksum of its own. */
  path: string
  /** Lies beside it; ends with the checksum of both. */
  besides: string
}

/**
 * Sees to it that two files lie in the cache that others read from there, the second mapped into memory. False where they
 * cannot be kept.
 */
export async function checkedPair(
  { path, besides }: CachedPair,
  build: () => readonly [Uint8Array, Uint8Array],
  onNotice: (notice: Notice) => void,
): Promise<boolean> {
  if (isVerifiedPair(path, besides)) return true
  return keepIfInUse(dirname(path), onNotice, async () => {
    const [first, second] = build()
    await writeFileAtomically(path, first, { disposable: true })
    await keepChecked(besides, second, crc32(first))
  })
}

async function keepIfInUse(
  folder: string,
  onNotice: (notice: Notice) => void,
  keep: () => Promise<void>,
): Promise<boolean> {
  if (!isInUse(folder)) return false
  try {
    await keep()
    return true
  } catch (error) {
    onNotice({
      key: 'embedding-cache',
      message: `The embedding model could not be cached in ${folder} (${messageOf(error)}); every start takes longer.`,
      hint: `Make ${folder} writable.`,
    })
    return false
  }
}

/** Whoever only looks, before anything was ever stored, leaves the user's folder as it is. */
function isInUse(folder: string): boolean {
  try {
    return existsSync(folder) || readdirSync(dirname(folder)).length > 0
  } catch (error) {
    return errnoOf(error) !== 'ENOENT' // whoever comes to write there says what is the matter
  }
}

/** In one go: in pieces, as the other call does it, ten megabytes take twice as long. */
function readVerified(path: string): Uint8Array | undefined {
  let file: Uint8Array
  try {
    file = readFileSync(path)
  } catch {
    // Absent or unreadable, both mean: build it. If the folder is the trouble, writing will say so.
    return undefined
  }
  const content = file.subarray(0, -CHECKSUM_BYTES)
  return bytesOf(crc32(content)).equals(file.subarray(-CHECKSUM_BYTES)) ? content : undefined
}

function isVerifiedPair(path: string, besides: string): boolean {
  try {
    return endsWithChecksum(besides, crc32(readFileSync(path)))
  } catch {
    // As above.
    return false
  }
}

/** Reads the same few pages again and again: taking memory for all of it takes longer than reading it. */
function endsWithChecksum(path: string, before: number): boolean {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, Math.max(size, CHECKSUM_BYTES)))
    let sum = before
    for (let left = size - CHECKSUM_BYTES; left > 0; ) {
      const read = readSync(file, piece, 0, Math.min(piece.length, left), null)
      if (read === 0) return false
      sum = crc32(piece.subarray(0, read), sum)
      left -= read
    }
    const read = readSync(file, piece, 0, CHECKSUM_BYTES, null)
    return read === CHECKSUM_BYTES && bytesOf(sum).equals(piece.subarray(0, read))
  } finally {
    closeSync(file)
  }
}

async function keepChecked(path: string, content: Uint8Array, before = 0): Promise<void> {
  const whole = Buffer.concat([content, bytesOf(crc32(content, before))])
  await writeFileAtomically(path, whole, { disposable: true })
}

function bytesOf(checksum: number): Buffer {
  const buffer = Buffer.alloc(CHECKSUM_BYTES)
  buffer.writeUInt32LE(checksum)
  return buffer
}
