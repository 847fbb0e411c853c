import { renameSync } from 'node:fs'
import { errnoOf } from '../errors.ts'

/** On Windows whoever reads a file or scans it for viruses keeps it from being replaced, mostly for some milliseconds. */
const HELD = new Set(['EPERM', 'EACCES', 'EBUSY'])
const WAITS_MS = [5, 10, 20, 40, 80, 160, 320, 640]
/** Whoever cannot do anything else meanwhile waits less. */
const SHORT_WAITS_MS = WAITS_MS.slice(0, 4)

/** Renames a file over another; tries again where somebody is holding one of them. */
export async function renameFile(
  from: string,
  to: string,
  { platform = process.platform, move = moveLater } = {},
): Promise<void> {
  for (const wait of WAITS_MS) {
    try {
      return await move(from, to)
    } catch (error) {
      if (!mayPass(error, platform)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, wait))
  }
  return move(from, to)
}

async function moveLater(from: string, to: string): Promise<void> {
  const { rename } = await import('node:fs/promises') // takes long to load, and hooks do without
  return rename(from, to)
}

/** The same in one call. */
export function renameFileNow(
  from: string,
  to: string,
  { platform = process.platform, move = (from: string, to: string) => renameSync(from, to) } = {},
): void {
  for (const wait of SHORT_WAITS_MS) {
    try {
      move(from, to)
      return
    } catch (error) {
      if (!mayPass(error, platform)) throw error
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait)
  }
  move(from, to)
}

/** Elsewhere these say that it is not allowed, and waiting does not change that. */
function mayPass(error: unknown, platform: NodeJS.Platform): boolean {
  return platform === 'win32' && HELD.has(errnoOf(error) ?? '')
}
