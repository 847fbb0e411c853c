/** Cold start of the command: how long a person waits, as figures and as ratios to starting Node at all. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRalph } from '../src/ralph.ts'
import { builtCommand } from '../test/support/built-command.ts'
import { newIteration } from '../test/support/records.ts'
import { median } from './support/figures.ts'

const RUNS = 15
const command = await builtCommand()
const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-'))
const home = join(folder, 'home')
const ralph = await openRalph({ project: folder, home })
for (let at = 0; at < 200; at++) {
  await ralph.featureMemory.recordIteration(
    newIteration({ feature: 'auth', summary: `Iteration ${at}: the login form and case ${at * 7}` }),
  )
}
await ralph.featureMemory.catchUp('auth')
await ralph.close()

function time(args: readonly string[]): number {
  const runs = Array.from({ length: RUNS }, () => {
    const start = performance.now()
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      env: { ...process.env, RALPH_HOME: home },
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(stderr)
    return performance.now() - start
  })
  return median(runs.slice(2))
}

const node = time(['-e', '0'])
const rows = {
  'node -e 0': node,
  'ralph --version': time([command, '--version']),
  'ralph status': time([command, 'status']),
  'ralph memory recent': time([command, 'memory', 'recent', '--feature', 'auth']),
  'ralph memory search': time([command, 'memory', 'search', 'login form', '--feature', 'auth']),
}
console.log('Cold start, median of', RUNS - 2)
for (const [name, milliseconds] of Object.entries(rows)) {
  console.log(
    `  ${name.padEnd(22)} ${milliseconds.toFixed(0).padStart(5)} ms  ${(milliseconds / node).toFixed(1)} × node`,
  )
}
rmSync(folder, { recursive: true, force: true })
