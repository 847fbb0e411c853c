import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileError, messageOf, RalphError, throwIfAborted } from '../errors.ts'
import { makeOwnFolder, requireOwnDatabase } from './own-files.ts'
import { isBusy, sqliteTrouble } from './sqlite-trouble.ts'

export interface LockOptions {
  timeoutMs?: number
  signal?: AbortSignal | undefined
  /** The longest pause between two tries: longer where the wait is long anyway. */
  pauseMs?: number
}

const LIST_PROCESSES = process.platform === 'win32' ? 'tasklist | findstr node' : 'ps aux | grep ralph'

/** Waiters of this process queue here, so that they do not compete with each other on the file. */
const queues = new Map<string, Promise<unknown>>()

/** Keeps the garbage collector from closing, and so freeing, the lock of work that nobody else refers to. */
const held = new Set<DatabaseSync>()

/**
 * Runs `work` while no other process on this machine runs work under the same lock file.
 *
 * The lock is SQLite's own lock on an empty database: the operating system frees it when its holder dies, however
 * it dies, so there are no stale locks to guess about; and it behaves the same on Linux, macOS and Windows.
 */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const before = queues.get(path) ?? Promise.resolve()
  const mine = before.then(
    () => lockAndRun(path, work, options),
    () => lockAndRun(path, work, options),
  )
  queues.set(path, mine)
  try {
    return await mine
  } finally {
    if (queues.get(path) === mine) queues.delete(path)
  }
}

async function lockAndRun<T>(path: string, work: () => Promise<T>, options: LockOptions): Promise<T> {
  const release = await takeFileLock(path, options)
  try {
    return await work()
  } finally {
    release()
  }
}

/** Waits for the lock, and returns what frees it again. For who cannot say it as work; see `withFileLock`. */
export async function takeFileLock(
  path: string,
  { timeoutMs = 30_000, signal, pauseMs = 25 }: LockOptions = {},
): Promise<() => void> {
  // Of the clock that is never set: one that jumps ahead is no reason to give up, nor one that jumps back to wait for days.
  const deadline = performance.now() + timeoutMs
  for (let attempt = 0; ; attempt++) {
    throwIfAborted(signal)
    const release = tryAcquire(path)
    if (release) return release
    if (performance.now() > deadline) {
      throw new RalphError(
        'timeout',
        `another process has held ${path} for ${Math.round(timeoutMs / 1000)} s`,
        {
          hint: `See which ralph processes run (${LIST_PROCESSES}), end the one that hangs, and try again.`,
          retryable: true,
        },
      )
    }
    // Short and random, so that twenty writers neither starve nor stampede.
    await sleep(1 + Math.random() * Math.min(pauseMs, 2 + attempt * 2))
  }
}

function tryAcquire(path: string): (() => void) | undefined {
  let database: DatabaseSync | undefined
  try {
    makeOwnFolder(dirname(path))
    requireOwnDatabase(path)
    database = new DatabaseSync(path, { timeout: 0 })
    const identity = identityOf(path)
    database.exec('BEGIN EXCLUSIVE')
    // Somebody may have deleted the cache folder between opening and locking: then we hold a lock nobody else sees.
    if (identity !== undefined && identityOf(path) === identity) {
      const lock = database
      held.add(lock)
      return () => {
        held.delete(lock)
        lock.close()
      }
    }
    database.close()
    return undefined
  } catch (error) {
    database?.close()
    if (isBusy(error)) return undefined
    throw lockError(error, path)
  }
}

function identityOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats && `${stats.dev}:${stats.ino}`
}

function lockError(error: unknown, path: string): unknown {
  if (sqliteTrouble(error) === undefined) return fileError(error, path, 'taking the lock')
  return new RalphError('read_only', `the lock file ${path} cannot be used: ${messageOf(error)}`, {
    hint: `Check that ${dirname(path)} is writable and the disk is not full, or delete ${path}.`,
    cause: error,
  })
}
