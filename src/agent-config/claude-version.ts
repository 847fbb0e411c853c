import spawn from 'cross-spawn'

/** Of the Claude Code on the search path; undefined where there is none. */
export function claudeVersion(): string | undefined {
  const { stdout } = spawn.sync('claude', ['--version'], {
    encoding: 'utf8',
    timeout: 10_000,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return /^\d+\.\d+\.\d+/.exec(stdout ?? '')?.[0]
}
