import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { requireOwnFolder } from './own-files.ts'
import { isRunning } from './running.ts'
import { writerOf } from './temporary-name.ts'

/** Where a process cannot be seen from here, as in another container, it has written something by then. */
const WRITTEN_WITHIN_MS = 60_000
/** By then its number has been given to somebody else. */
const SURELY_GONE_MS = 86_400_000

const swept = new Set<string>()

/**
 * Takes away what writers that were killed left in a folder, once per process. `beside` narrows it down to what was to
 * become that file: for folders in which others write too.
 */
export function sweepTemporaries(folder: string, beside = ''): void {
  const place = join(resolve(folder), beside)
  if (swept.has(place)) return
  swept.add(place)
  try {
    requireOwnFolder(folder)
    for (const name of readdirSync(folder)) {
      const pid = writerOf(name, beside)
      if (pid !== undefined && isAbandoned(join(folder, name), pid))
        rmSync(join(folder, name), { recursive: true })
    }
  } catch {
    // A folder that is not there, or may not be written: whoever comes to write there hears of it. This is only tidying.
  }
}

export function isAbandoned(path: string, pid: number): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile() && !stats?.isDirectory()) return false
  const age = Date.now() - stats.mtimeMs
  return age > SURELY_GONE_MS || (age > WRITTEN_WITHIN_MS && !isRunning(pid))
}
