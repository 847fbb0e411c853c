import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { RalphError } from '../errors.ts'
import { withFileLock } from '../files/file-lock.ts'
import { shownUrl } from '../text/shown-url.ts'
import { portOf } from './qdrant/http.ts'
import type { KeeperOptions, KeeperState } from './qdrant-sidecar/keeper.ts'

export interface SidecarOptions {
  /** The user's folder: data, log and lock lie there, so that all of the user's processes share one Qdrant. */
  home: string
  url: string
  apiKey?: string | undefined
  env: NodeJS.ProcessEnv
  /** A user that comes so soon after the last one should not wait for a new start. */
  lingerMs?: number | undefined
}

const START_WITHIN_MS = 70_000
/** How long we believe that somebody else's Qdrant answers at the address. */
const BELIEVED_MS = 30_000
/** It writes what it has in memory first. */
const ORPHAN_ENDS_WITHIN_MS = 25_000
/** Beside this file in the source; beside the other files of a bundle, under a name that says what it is. */
const ENTRIES = ['./qdrant-sidecar/keeper.ts', './qdrant-keeper.js', '../qdrant-keeper.js']

/** A `qdrant` of our own on this machine: there while at least one of the user's processes wants it. */
export class QdrantSidecar {
  readonly #options: SidecarOptions
  /** To the process that keeps it; as long as it is open, Qdrant stays. */
  #keeper: Socket | undefined
  #othersUntil = 0
  #starting: Promise<void> | undefined

  constructor(options: SidecarOptions) {
    this.#options = options
  }

  /** Resolves when it answers. Costs nothing while it runs; if it has ended, it is started again. */
  ensure(): Promise<void> {
    const runs = (this.#keeper && !this.#keeper.destroyed) || Date.now() < this.#othersUntil
    if (runs) return Promise.resolve()
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined
    })
    return this.#starting
  }

  async close(): Promise<void> {
    await this.#starting?.catch(() => undefined)
    this.#keeper?.destroy()
    this.#keeper = undefined
  }

  /** One process at a time: whoever comes second finds what the first one has started. */
  #start(): Promise<void> {
    const { home } = this.#options
    const lock = join(home, 'run', 'qdrant.lock')
    return withFileLock(lock, () => this.#joinOrStart(), { timeoutMs: START_WITHIN_MS })
  }

  async #joinOrStart(): Promise<void> {
    const { home, url } = this.#options
    const stateFile = join(home, 'run', 'qdrant.json')
    let started: ChildProcess | undefined
    let orphanUntil = 0
    for (
      const deadline = performance.now() + START_WITHIN_MS;
      performance.now() < deadline;
      await sleep(50)
    ) {
      const keeper = await joinKeeper(stateFile, home, portOf(localAddress(url)))
      if (keeper === 'wait') continue
      if (keeper === 'gone') {
        orphanUntil = Date.now() + ORPHAN_ENDS_WITHIN_MS
        continue
      }
      if (keeper) {
        this.#keeper = keeper
        return
      }
      if (started?.exitCode === null) continue // it has not said yet where it is
      if (started) throw failed('its keeper ended', home)
      // Somebody else's, started by hand: not ours to start or to stop.
      if (await answers(localAddress(url))) {
        // Or ours, whose keeper was killed: it is about to end.
        if (Date.now() < orphanUntil) continue
        this.#othersUntil = Date.now() + BELIEVED_MS
        return
      }
      started = startKeeper(this.#options, stateFile)
    }
    throw failed('it did not start in time', home)
  }
}

/**
 * A connection once Qdrant is ready; `wait` while another one is being stopped; `gone` when whoever kept one was killed;
 * undefined when nobody keeps one.
 */
async function joinKeeper(
  stateFile: string,
  home: string,
  qdrantPort: number,
): Promise<Socket | 'wait' | 'gone' | undefined> {
  const port = portIn(stateFile)
  if (port === undefined) return undefined
  const socket = connect(port, '127.0.0.1')
  if (!(await isConnected(socket))) {
    // Left behind by one that was killed.
    rmSync(stateFile, { force: true })
    return 'gone'
  }
  const state = await nextState(socket)
  if (state?.state === 'ready') {
    // Killed so recently that its keeper has not heard of it.
    const listens = connect(qdrantPort, '127.0.0.1')
    const isThere = await isConnected(listens)
    listens.destroy()
    if (!isThere) {
      socket.destroy()
      return 'wait'
    }
    // Held open, but not in the way of this process's end: closing it is how we leave.
    socket.unref()
    socket.on('error', () => socket.destroy())
    socket.on('end', () => socket.destroy())
    // Whatever else it has to say: Qdrant does not run any more.
    socket.on('data', () => socket.destroy())
    return socket
  }
  socket.destroy()
  if (state?.state === 'failed') throw failed(state.message, home)
  return 'wait'
}

function isConnected(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
  })
}

function nextState(socket: Socket): Promise<KeeperState | undefined> {
  return new Promise((resolve) => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      text += chunk
      const end = text.indexOf('\n')
      if (end >= 0) resolve(JSON.parse(text.slice(0, end)) as KeeperState)
    })
    socket.once('close', () => resolve(undefined))
  })
}

function startKeeper(
  { home, url, apiKey, env, lingerMs = 2_000 }: SidecarOptions,
  stateFile: string,
): ChildProcess {
  const address = localAddress(url)
  const port = portOf(address)
  const binary = findBinary(env)
  const entry = ENTRIES.map((path) => fileURLToPath(new URL(path, import.meta.url))).find(existsSync)
  if (!entry) throw new RalphError('internal', 'this installation lacks qdrant-keeper.js')
  const storage = join(home, 'qdrant_storage')
  const options: KeeperOptions = { binary, url: address, storage, log: logFile(home), stateFile, lingerMs }
  const settings = {
    QDRANT__SERVICE__HOST: '127.0.0.1',
    QDRANT__SERVICE__HTTP_PORT: String(port),
    QDRANT__SERVICE__GRPC_PORT: String(port + 1),
    QDRANT__STORAGE__STORAGE_PATH: storage,
    QDRANT__STORAGE__SNAPSHOTS_PATH: join(storage, 'snapshots'),
    // Nothing leaves the machine.
    QDRANT__TELEMETRY_DISABLED: 'true',
    ...(apiKey && { QDRANT__SERVICE__API_KEY: apiKey }),
  }
  // Detached: it serves other processes when this one ends, and Ctrl-C in our terminal is not meant for it.
  const keeper = spawn(process.execPath, [entry, JSON.stringify(options)], {
    detached: true,
    stdio: 'ignore',
    env: { ...env, ...settings },
    windowsHide: true,
  })
  keeper.on('error', () => undefined) // seen as one that does not come up
  keeper.unref()
  return keeper
}

function findBinary(env: NodeJS.ProcessEnv): string {
  const name = process.platform === 'win32' ? 'qdrant.exe' : 'qdrant'
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const found = folders.map((folder) => join(folder, name)).find(isProgram)
  if (found) return found
  throw new RalphError('missing_dependency', 'index.sidecar is on, but there is no qdrant on the PATH', {
    hint: 'Install Qdrant from https://github.com/qdrant/qdrant/releases, or set index.sidecar to false.',
  })
}

function isProgram(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats?.isFile() === true && (process.platform === 'win32' || (stats.mode & 0o111) !== 0)
}

function localAddress(url: string): string {
  const { hostname, protocol } = new URL(url)
  if (protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname))
    return `http://127.0.0.1:${portOf(url)}`
  throw new RalphError(
    'invalid_input',
    `index.sidecar cannot serve ${shownUrl(url)}: it listens on this machine only`,
    {
      hint: 'Set index.url to http://127.0.0.1:6333, or index.sidecar to false.',
    },
  )
}

async function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  )
}

function portIn(stateFile: string): number | undefined {
  try {
    return (JSON.parse(readFileSync(stateFile, 'utf8')) as { port: number }).port
  } catch {
    return undefined // nobody has started one, or it has just gone
  }
}

function logFile(home: string): string {
  return join(home, 'logs', 'qdrant.log')
}

function failed(why: string, home: string): RalphError {
  return new RalphError('unavailable', `the qdrant sidecar: ${why}`, {
    hint: `Look at ${logFile(home)}, or run Qdrant yourself and set index.sidecar to false.`,
    retryable: true,
  })
}
