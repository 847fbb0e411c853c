import { spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withFileLock } from '../../src/files/file-lock.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The path of the `ralph` command as it is shipped, built from the sources under test if they are newer. */
export async function builtCommand(): Promise<string> {
  await withFileLock(join(root, 'node_modules', '.cache', 'ralph-build.lock'), async () => {
    if (newest('dist/*.js') > newest('{src,scripts}/**/*.{ts,tsx,css,html}')) return
    const { status, stderr } = spawnSync(process.execPath, ['scripts/build.ts', '--quick'], {
      cwd: root,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`building the command failed:\n${stderr}`)
  })
  return join(root, 'bin', 'ralph.js')
}

function newest(pattern: string): number {
  return Math.max(0, ...globSync(pattern, { cwd: root }).map((file) => statSync(join(root, file)).mtimeMs))
}
