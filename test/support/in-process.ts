import { runCommand } from '../../src/cli/program.ts'

export interface Said {
  code: number
  stdout: string
  stderr: string
}

export interface Surroundings {
  cwd: string
  home: string
  env?: Record<string, string>
  /** As at a terminal of so many columns, with colours. */
  columns?: number
}

/** What an agent's shell, a terminal or a person's own settings would change. */
const UNSET = { RALPH_LOOP_RUN: '', CLAUDECODE: '', CLAUDE_CODE_SESSION_ID: '', COLUMNS: '' }

/** Runs a command in this process: a hundred times as cheap as starting one, for whatever is only about its words. */
export async function saidBy(
  words: readonly string[],
  { cwd, home, env, columns }: Surroundings,
): Promise<Said> {
  const said = { stdout: '', stderr: '' }
  const streams = ['stdout', 'stderr'] as const
  const writes = streams.map((name) => process[name].write)
  for (const name of streams) process[name].write = listener((text) => (said[name] += text))
  const before = { cwd: process.cwd(), env: { ...process.env } }
  process.chdir(cwd)
  const colours = columns === undefined ? { NO_COLOR: '1' } : { NO_COLOR: '', FORCE_COLOR: '1' }
  Object.assign(process.env, UNSET, { RALPH_HOME: home, RALPH_EMBEDDER: 'none' }, colours, env)
  const terminal = process.stdout as { isTTY?: boolean; columns?: number }
  const { isTTY, columns: former } = terminal
  if (columns !== undefined) Object.assign(terminal, { isTTY: true, columns })
  try {
    return { code: await runCommand(words), ...said }
  } finally {
    process.chdir(before.cwd)
    process.exitCode = 0
    Object.assign(terminal, { isTTY, columns: former })
    for (const name of Object.keys(process.env)) if (!(name in before.env)) delete process.env[name]
    Object.assign(process.env, before.env)
    for (const [at, name] of streams.entries()) process[name].write = writes[at]!
  }
}

function listener(hear: (text: string) => void): typeof process.stdout.write {
  return (chunk: string | Uint8Array, ...rest: unknown[]) => {
    hear(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())
    const done = rest.at(-1)
    if (typeof done === 'function') done()
    return true
  }
}
