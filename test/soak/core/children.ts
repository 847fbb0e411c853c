import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fromRoot } from './world.ts'
import type { WriterOrder } from './writer.ts'

/** Every process that a trial has started, so that nothing of it outlives the soak. */
const running = new Set<ChildProcess>()

export function killAll(): void {
  for (const child of running) child.kill('SIGKILL')
}
process.once('exit', killAll)

export interface ChildOptions {
  env?: NodeJS.ProcessEnv
  /** Loaded before the program. */
  preload?: string | undefined
  /** Who it runs as, where the soak is root. */
  uid?: number | undefined
  cwd?: string | undefined
}

export interface Child {
  process: ChildProcess
  /** Ends when everything it said has been heard; its exit code, or the signal. */
  ended: Promise<number | NodeJS.Signals>
  /** What it said on standard error, the end of it. */
  errors(): string
}

/** Starts a TypeScript program and hears its lines. A last line that was cut off is none. */
export function start(
  program: string,
  args: readonly string[],
  hear: (line: string) => void,
  { env = {}, preload, uid, cwd }: ChildOptions = {},
): Child {
  const words = [...(preload ? ['--import', preload] : []), fromRoot(program), ...args]
  const child = spawn(process.execPath, words, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], NODE_OPTIONS: process.env['NODE_OPTIONS'], ...env },
    ...(uid !== undefined && { uid, gid: uid }),
  })
  running.add(child)
  let errors = ''
  child.stderr!.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-2_000)
  })
  let text = ''
  child.stdout!.on('data', (chunk: Buffer) => {
    const lines = (text + chunk.toString()).split('\n')
    text = lines.pop()!
    for (const line of lines) hear(line)
  })
  const ended = once(child, 'close').then(([code, signal]) => {
    running.delete(child)
    return code ?? signal
  })
  return { process: child, ended, errors: () => errors }
}

export function startWriter(
  order: WriterOrder,
  hear: (line: string) => void,
  options: ChildOptions = {},
): Child {
  return start('test/soak/core/writer.ts', [JSON.stringify(order)], hear, options)
}
