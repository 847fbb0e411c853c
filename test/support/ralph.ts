import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { builtCommand } from './built-command.ts'

export interface CommandResult {
  code: number | null
  stdout: string
  stderr: string
  /** Standard output parsed; throws when it is no JSON. */
  readonly json: unknown
}

export interface RunOptions {
  cwd: string
  home: string
  input?: string
  env?: NodeJS.ProcessEnv
}

/** Runs the shipped command as a process of its own, as a person would. */
export async function runRalph(
  args: readonly string[],
  { cwd, home, input, env = {} }: RunOptions,
): Promise<CommandResult> {
  const command = await builtCommand()
  const child = spawn(process.execPath, [command, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: home, RALPH_HOME: home, NO_COLOR: '1', ...env },
  })
  child.stdin.on('error', () => undefined) // a command that refuses its arguments does not read its input
  child.stdin.end(input ?? '')
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return {
    code,
    stdout,
    stderr,
    get json() {
      return JSON.parse(stdout)
    },
  }
}
