import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { setUpProject } from '../../src/project-setup.ts'
import { openRalph, type Ralph } from '../../src/ralph.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

export interface Animal {
  ralph: Ralph
  project: string
  home: string
  path: (...names: string[]) => string
}

/** A project with some memory, opened as the doctor opens it. */
export async function animal(): Promise<Animal & { reopen: () => Promise<Ralph> }> {
  const folder = await temporaryFolder()
  const [project, home] = [join(folder, 'shop'), join(folder, 'home')]
  mkdirSync(project)
  const reopen = async () => {
    const env = { RALPH_EMBEDDER: 'none', CLAUDE_CONFIG_DIR: join(folder, 'claude') }
    const opened = await openRalph({ project, home, env, leaveOutBroken: true, onNotice: () => undefined })
    // No other program of this machine is looked at.
    opened.config.userHome = join(folder, 'user')
    onTestFinished(() => opened.close())
    return opened
  }
  const ralph = await reopen()
  await setUpProject(ralph.config)
  await ralph.board.addFeature({ name: 'authentication' })
  await ralph.featureMemory.recordIteration(newIteration())
  await ralph.featureMemory.catchUp('authentication')
  return {
    ralph,
    project: ralph.config.project,
    home,
    path: (...names) => join(project, '.ralph', ...names),
    reopen,
  }
}

export const git = (project: string, ...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...words], {
    cwd: project,
    stdio: 'pipe',
  })

export const rubbish = (path: string) => writeFileSync(path, 'no file of ours any more '.repeat(500))

/** Of Claude Code, in the project. */
export function settings(project: string, value: unknown, name = 'settings.json'): void {
  mkdirSync(join(project, '.claude'), { recursive: true })
  writeFileSync(join(project, '.claude', name), JSON.stringify(value))
}
