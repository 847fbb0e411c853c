import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Unix sockets have short names. */
const LONGEST_PATH = 100

/** Where a user's helper listens; one for all projects. */
export function helperAddress(home: string): string {
  const mark = createHash('sha256').update(home).digest('hex').slice(0, 16)
  if (process.platform === 'win32') return `\\\\.\\pipe\\ralph-${mark}`
  const path = join(home, 'run', 'hooks.sock')
  return path.length <= LONGEST_PATH ? path : join(tmpdir(), `ralph-${mark}.sock`)
}
