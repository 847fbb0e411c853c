import { getPriority, setPriority, tmpdir } from 'node:os'
import { ralphCommandLine } from '../agent-config/ralph-command.ts'
import { type Config, inheritedEnvironment } from '../config.ts'

/** Starts a job that outlives the hook: `ralph hook background …`. Whoever waits for the hook does not wait for it. */
export function startBackground(config: Config, job: readonly string[]): void {
  // Most hooks start nothing, and loading it takes long.
  const { spawn } = process.getBuiltinModule('node:child_process')
  const { command, args } = ralphCommandLine(['hook', 'background', config.project, ...job])
  const child = spawn(command, args, {
    detached: true,
    stdio: 'ignore',
    // Windows removes no folder that somebody works in, and a helper outlives the session by far.
    cwd: process.platform === 'win32' ? tmpdir() : config.project,
    env: { ...inheritedEnvironment(), RALPH_HOME: config.home },
    windowsHide: true,
  })
  child.on('error', () => undefined) // the next hook tries again
  // Started by a helper that takes precedence, it would inherit that.
  if (child.pid !== undefined && getPriority() < 0) setPriority(child.pid, 0)
  child.unref()
}
