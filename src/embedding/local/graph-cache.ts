import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { messageOf } from '../../errors.ts'
import { writeFileAtomically } from '../../files/atomic-write.ts'
import type { Notice } from '../../notices.ts'

const CHECKSUM_BYTES = 4

/**
 * The built graph from the cache, or built now and put there. The file ends with its own checksum: a torn or
 * damaged one is built again, and the result is the same bytes either way. Without a writable cache it works
 * from memory, only slower.
 */
export async function cachedGraph(
  path: string,
  build: () => Uint8Array,
  onNotice: (notice: Notice) => void,
): Promise<Uint8Array> {
  const cached = await readVerified(path)
  if (cached) return cached
  const graph = build()
  try {
    await keep(path, graph)
  } catch (error) {
    onNotice({
      key: 'embedding-cache',
      message: `The embedding model could not be cached in ${dirname(path)} (${messageOf(error)}); every start takes longer.`,
      hint: `Make ${dirname(path)} writable.`,
    })
  }
  return graph
}

async function readVerified(path: string): Promise<Uint8Array | undefined> {
  let file: Uint8Array
  try {
    file = await readFile(path)
  } catch {
    // Absent or unreadable, both mean: build it. If the folder is the trouble, writing will say so.
    return undefined
  }
  const graph = file.subarray(0, -CHECKSUM_BYTES)
  return checksum(graph).equals(file.subarray(-CHECKSUM_BYTES)) ? graph : undefined
}

async function keep(path: string, graph: Uint8Array): Promise<void> {
  await writeFileAtomically(path, Buffer.concat([graph, checksum(graph)]), { disposable: true })
}

function checksum(bytes: Uint8Array): Buffer {
  const buffer = Buffer.alloc(CHECKSUM_BYTES)
  buffer.writeUInt32LE(crc32(bytes))
  return buffer
}
