import { existsSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { shellWord } from '../text/shell-word.ts'

/** What the file says of itself, https://www.sqlite.org/fileformat.html#the_database_header; a page size of 0: it is no database. */
export async function headerOf(path: string): Promise<{ pages: number; pageSize: number }> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(100), 0, 100, 0)
    if (bytesRead < 100 || !buffer.toString('latin1').startsWith('SQLite format 3\0'))
      return { pages: 0, pageSize: 0 }
    const pageSize = buffer.readUInt16BE(16) === 1 ? 65_536 : buffer.readUInt16BE(16)
    return { pages: buffer.readUInt32BE(28), pageSize }
  } finally {
    await file.close()
  }
}

/** Cut within a page, which SQLite reads as zeros and goes on; what lies beside it may hold the rest. */
export async function isTorn(path: string): Promise<boolean> {
  const size = sizeOf(path)
  if (size === 0 || sizeOf(`${path}-wal`) > 0) return false
  const { pageSize } = await headerOf(path)
  return pageSize > 0 && size % pageSize !== 0
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** What lies beside it goes along: a new database would take its last transactions for its own. */
export function startAfresh(path: string): string {
  const files = ['', '-wal', '-shm'].map((ending) => `${path}${ending}`).filter((file) => existsSync(file))
  const moves = files.map(
    (file) => `mv ${shellWord(file)} ${shellWord(file.replace(path, `${path}.damaged`))}`,
  )
  return `To start afresh, move it away; it may be recoverable: ${moves.join(' && ')}`
}
