import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../errors.ts'
import { writeFileAtomically } from '../../files/atomic-write.ts'
import { makeOwnFolder, openOwnFileNow } from '../../files/own-files.ts'

/**
 * Entry of the process that keeps a Qdrant for all processes of a user. Whoever uses it holds a connection to this
 * process; a moment after the last one has gone, however it went, Qdrant is stopped. Killed users leave nothing behind.
 */

export interface KeeperOptions {
  binary: string
  url: string
  storage: string
  log: string
  /** Where this process says how it can be reached. */
  stateFile: string
  lingerMs: number
}

/** Told to each user on its connection, one line of JSON. */
export type KeeperState = { state: 'ready' } | { state: 'stopping' } | { state: 'failed'; message: string }

const READY_WITHIN_MS = 60_000
/** After that it is not asked kindly any more. */
const STOP_WITHIN_MS = 20_000

class Keeper {
  readonly #options: KeeperOptions
  readonly #users = new Set<Socket>()
  #server: Server | undefined
  #qdrant: ChildProcess | undefined
  #state: KeeperState | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: KeeperOptions) {
    this.#options = options
  }

  async run(): Promise<void> {
    const server = createServer((user) => this.#welcome(user))
    this.#server = server
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    this.#timer = setTimeout(() => void this.#stop(), READY_WITHIN_MS)
    const told = JSON.stringify({ port, pid: process.pid })
    await writeFileAtomically(this.#options.stateFile, told, { mode: 0o600 })
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.on(signal, () => void this.#stop())
    this.#qdrant = start(this.#options)
    endWithUs(this.#qdrant)
    this.#qdrant.once('error', (error) => void this.#end({ state: 'failed', message: messageOf(error) }))
    this.#qdrant.once('exit', (code, signal) => {
      // One that was up and was killed can be started again; one that never came up would not come up now.
      if (this.#state?.state === 'ready') this.#tell({ state: 'stopping' })
      const message = `qdrant ended (${signal ?? code}): ${lastWords(this.#options.log)}`
      void this.#end({ state: 'failed', message })
    })
    if (await isReady(this.#options.url, () => this.#state !== undefined)) this.#tell({ state: 'ready' })
    else if (!this.#state) await this.#stop('qdrant did not become ready in time')
  }

  #welcome(user: Socket): void {
    clearTimeout(this.#timer)
    this.#users.add(user)
    if (this.#state) user.write(line(this.#state))
    // A user that is killed resets the connection: as good a goodbye as any.
    user.on('error', () => user.destroy())
    user.on('close', () => {
      this.#users.delete(user)
      if (this.#users.size === 0) this.#leaveLater()
    })
    user.resume()
  }

  #tell(state: KeeperState): void {
    this.#state = state
    for (const user of this.#users) user.write(line(state))
  }

  #leaveLater(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#stop(), this.#options.lingerMs)
  }

  /** Keeps listening until Qdrant is gone, so that nobody starts a second one on the same files. */
  async #stop(problem?: string): Promise<void> {
    clearTimeout(this.#timer)
    this.#tell(problem === undefined ? { state: 'stopping' } : { state: 'failed', message: problem })
    const qdrant = this.#qdrant
    if (!qdrant || qdrant.exitCode !== null || qdrant.signalCode !== null) return this.#end(this.#state!)
    qdrant.kill('SIGTERM')
    await sleep(STOP_WITHIN_MS)
    qdrant.kill('SIGKILL')
  }

  async #end(state: KeeperState): Promise<void> {
    if (this.#state?.state !== 'stopping') {
      // Whoever has started us may not have had the time to ask.
      this.#tell(state)
      await sleep(this.#options.lingerMs)
    }
    rmSync(this.#options.stateFile, { force: true })
    for (const user of this.#users) user.end()
    this.#server?.close()
    await sleep(100)
    process.exit(0)
  }
}

/** Its settings are in the environment that we were started with. */
function start({ binary, storage, log }: KeeperOptions): ChildProcess {
  makeOwnFolder(storage, 0o700)
  makeOwnFolder(dirname(log), 0o700)
  const output = openOwnFileNow(log, 'replace', 0o600)
  try {
    return spawn(binary, [], { cwd: storage, stdio: ['ignore', output, output] })
  } finally {
    closeSync(output)
  }
}

async function isReady(url: string, givenUp: () => boolean): Promise<boolean> {
  for (
    const deadline = performance.now() + READY_WITHIN_MS;
    performance.now() < deadline && !givenUp();
    await sleep(100)
  ) {
    const answer = await fetch(new URL('readyz', url), { signal: AbortSignal.timeout(1_000) }).catch(
      () => undefined,
    )
    if (answer?.ok) return true
  }
  return false
}

const WATCH =
  'while read -r _; do :; done; kill PID; for second in 1 2 3 4 5 6 7 8 9 10; do sleep 1; kill -0 PID || exit; done; kill -9 PID'

/** However we end: a process that is killed cannot tidy up, but whoever holds the other end of a pipe hears of it. */
function endWithUs({ pid }: ChildProcess): void {
  if (pid === undefined) return
  const [program, args] =
    process.platform === 'win32'
      ? [process.execPath, ['-e', `process.stdin.resume().on('end', () => process.kill(${pid}))`]]
      : ['/bin/sh', ['-c', WATCH.replaceAll('PID', String(pid))]]
  const watcher = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'] })
  watcher.on('error', () => undefined) // then it stays behind, and the next user finds it
  watcher.unref()
}

const COMPLAINT = /\b(ERROR|PANIC|panicked|Error)\b/
const ACCESS_LOG = /actix_web::middleware::logger/

/** What it complained of last; who asked it for what is of no help. */
function lastWords(log: string): string {
  try {
    const lines = readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '' && !ACCESS_LOG.test(line))
    return (lines.findLast((line) => COMPLAINT.test(line)) ?? lines.at(-1) ?? `see ${log}`).slice(0, 300)
  } catch {
    return `see ${log}`
  }
}

function line(state: KeeperState): string {
  return `${JSON.stringify(state)}\n`
}

await new Keeper(JSON.parse(process.argv[2]!)).run()
