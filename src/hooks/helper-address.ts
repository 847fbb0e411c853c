import { createHash, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeOwnFolder, readOwnFile, writeOwnFile } from '../files/own-files.ts'
import { isPrivateFolder } from '../files/private-folder.ts'

/** Unix sockets have short names; what counts is bytes. */
const LONGEST_BYTES = 100

/** Where a user's helper listens; one for all projects. */
export function helperAddress(home: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return `\\\\.\\pipe\\ralph-${pipeName(home)}`
  const path = join(home, 'run', 'hooks.sock')
  if (Buffer.byteLength(path) <= LONGEST_BYTES) return path
  const mark = createHash('sha256').update(home).digest('hex').slice(0, 16)
  return join(tmpdir(), `ralph-${process.getuid?.()}-${mark}`, 'hooks.sock')
}

/** Whoever listens there is this user: where others can put a socket, anybody could answer. */
export function isTrustedAddress(address: string): boolean {
  return isPipe(address) || isPrivateFolder(dirname(address))
}

/** Windows: no file, and it goes away with its process. */
export function isPipe(address: string): boolean {
  return address.startsWith('\\\\')
}

/** Pipes lie in no folder, so their name is what only the user can read. */
function pipeName(home: string): string {
  const file = join(home, 'run', 'pipe-name')
  try {
    return readOwnFile(file).toString('utf8')
  } catch {
    makeOwnFolder(dirname(file))
    writeOwnFile(file, randomUUID())
    return readOwnFile(file).toString('utf8')
  }
}
