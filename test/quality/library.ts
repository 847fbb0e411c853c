import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRalph, type Ralph } from '../../src/index.ts'

/** Nothing here has to outlast a power cut: where there is memory to hold it, waiting for the disk is spared. */
const SCRATCH = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

export function scratchFolder(): string {
  return mkdtempSync(join(SCRATCH, 'ralph-quality-'))
}

/**
 * A new library with nothing in it, used and thrown away. Its settings are the defaults: it sees neither the settings nor the
 * environment of whoever measures.
 */
export async function inNewLibrary<Result>(
  use: (ralph: Ralph, folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = scratchFolder()
  const [project, home] = [join(folder, 'project'), join(folder, 'home')]
  mkdirSync(project)
  const env = { HOME: home, RALPH_HOME: home, PATH: process.env['PATH'] }
  const ralph = await openRalph({ project, home, env, onNotice: sayDegraded })
  try {
    return await use(ralph, folder)
  } finally {
    await ralph.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Figures of a library that is degraded would be figures of something else. */
function sayDegraded({ message }: { message: string }): void {
  console.error(`  the library says: ${message}`)
}
