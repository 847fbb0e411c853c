import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import type { Ralph } from '../../src/ralph.ts'
import { world } from '../hooks/support.ts'
import { temporaryFolder } from '../support/temporary.ts'

const FIXTURE = fileURLToPath(new URL('../fixtures/session-files/headless-hooks-main.jsonl', import.meta.url))

/** As the recording names itself. */
export const SESSION = 'dcd6e858-73bb-4f97-9734-5dc5b39c3160'
export const MINUTE = 60_000
export const DAY = 86_400_000

export interface Kept {
  ralph: Ralph
  project: string
  /** The person's home folder, where agents keep their sessions. */
  userHome: string
  /** The lines of a session of Claude Code in this project. */
  lines: string[]
  /** Writes a session of Claude Code, last touched so long ago. */
  keep(name: string, lines: readonly string[], agoMs?: number): Promise<string>
}

/** A project whose agents keep their sessions in a home folder of its own. */
export async function kept(): Promise<Kept> {
  const userHome = await temporaryFolder()
  vi.stubEnv('HOME', userHome)
  vi.stubEnv('USERPROFILE', userHome)
  const { ralph, project } = await world()
  const lines = (await readFile(FIXTURE, 'utf8')).replaceAll('/home/dev/shop', project).trim().split('\n')
  const folder = join(userHome, '.claude', 'projects', project.replace(/[^a-zA-Z0-9]/g, '-'))
  return {
    ralph,
    project,
    userHome,
    lines,
    keep: async (name, written, agoMs = 20 * MINUTE) => {
      const path = join(folder, `${name}.jsonl`)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, `${written.join('\n')}\n`)
      const time = new Date(Date.now() - agoMs)
      await utimes(path, time, time)
      return path
    },
  }
}
