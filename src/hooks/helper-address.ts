import { existsSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeOwnFolder, readOwnFile, writeOwnFile } from '../files/own-files.ts'
import { isPrivateFolder } from '../files/private-folder.ts'
import { packageRoot } from '../version.ts'

/** Unix sockets have short names; what counts is bytes. */
const LONGEST_BYTES = 100

/** Where a user's helper listens; one for all projects. */
export function helperAddress(home: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return `\\\\.\\pipe\\ralph-${pipeName(home)}`
  const path = join(home, 'run', 'hooks.sock')
  if (Buffer.byteLength(path) <= LONGEST_BYTES) return path
  // Loading it takes longer than all the rest here, and hardly anybody needs it.
  const { createHash } = process.getBuiltinModule('node:crypto')
  const mark = createHash('sha256').update(home).digest('hex').slice(0, 16)
  return join(tmpdir(), `ralph-${process.getuid?.()}-${mark}`, 'hooks.sock')
}

/** There while a helper has everything loaded; says which build of ralph it is, so that no older one answers for a newer. */
export function warmMarkPath(home: string): string {
  return join(home, 'run', 'hooks.warm')
}

export function buildMark(): string {
  // Not the time of the content: packages are unpacked with the same for every version.
  const built = statSync(join(packageRoot, 'dist', 'hook.js'), { throwIfNoEntry: false })?.ctimeMs
  return `${packageRoot} ${built}`
}

/** Whether a helper of this build has everything loaded, if nobody has killed it. */
export function isWarm(home: string): boolean {
  const mark = warmMarkPath(home)
  try {
    return existsSync(mark) && readOwnFile(mark).toString('utf8') === buildMark()
  } catch {
    return false
  }
}

/** Whether one is likely to run. A pipe cannot be looked at without connecting to it. */
export function helperIsThere(home: string, platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' ? isWarm(home) : existsSync(helperAddress(home, platform))
}

/** Whether hooks still come to this address: to the socket, or on Windows to the pipe of which a file tells the name. */
export function isKnownAddress(address: string, home: string): boolean {
  if (!isPipe(address)) return existsSync(address)
  try {
    return address.endsWith(readOwnFile(pipeNameFile(home)).toString('utf8'))
  } catch {
    return false
  }
}

/** A helper that is not found any more ends within moments, and lets go of what it has open; the next hook starts another. */
export function dismissHelper(home: string, platform: NodeJS.Platform = process.platform): void {
  const leading =
    platform === 'win32' ? [pipeNameFile(home), warmMarkPath(home)] : [helperAddress(home, platform)]
  for (const file of leading) rmSync(file, { force: true })
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
  const file = pipeNameFile(home)
  try {
    return readOwnFile(file).toString('utf8')
  } catch {
    makeOwnFolder(dirname(file))
    writeOwnFile(file, crypto.randomUUID())
    return readOwnFile(file).toString('utf8')
  }
}

function pipeNameFile(home: string): string {
  return join(home, 'run', 'pipe-name')
}
