import { existsSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'

/** What went wrong, as a word programs can switch on. */
export type ErrorCode =
  /** The words of a command are wrong; nothing was done. */
  | 'usage'
  | 'invalid_input'
  | 'not_found'
  | 'unsupported_version'
  | 'damaged'
  | 'unavailable'
  | 'read_only'
  | 'disk_full'
  | 'missing_dependency'
  | 'conflict'
  | 'limit_reached'
  | 'timeout'
  | 'cancelled'
  | 'internal'

export interface ErrorDetails {
  /** The next step for the reader, usually a command that mends it. */
  hint?: string
  /** True when the same call may succeed later without anybody changing anything. */
  retryable?: boolean
  /** How long a service asked us to wait before that. */
  retryAfterMs?: number
  /** True when a service may have been paid for what failed. */
  charged?: boolean
  cause?: unknown
}

/** Every error a user may meet: one line saying what is wrong, one saying what to do. */
export class RalphError extends Error {
  override readonly name = 'RalphError'
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined
  readonly charged: boolean

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.hint = details.hint
    this.retryable = details.retryable ?? false
    this.retryAfterMs = details.retryAfterMs
    this.charged = details.charged ?? false
  }
}

/** The words of a command were not understood; nothing was done. */
export class UsageError extends RalphError {
  constructor(message: string, hint?: string) {
    super('usage', message, hint === undefined ? {} : { hint })
  }
}

export function isRalphError(error: unknown): error is RalphError {
  return error instanceof RalphError
}

/** The message of anything that can be thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Turns the file system's error codes into errors with a next step; anything else passes through. */
export function fileError(error: unknown, path: string, doing: string): unknown {
  const trouble = fileTrouble(errnoOf(error), path)
  if (!trouble) return error
  const [code, what, hint] = trouble
  return new RalphError(code, `${doing}: ${what}`, { hint, cause: error })
}

/** The same for whatever nobody has expected: which file it was stands in the error itself. */
export function unexpectedFileError(error: unknown): unknown {
  const path = error instanceof Error && 'path' in error ? error.path : undefined
  return typeof path === 'string' ? fileError(error, path, 'cannot go on') : error
}

function fileTrouble(
  errno: string | undefined,
  path: string,
): [code: ErrorCode, what: string, hint: string] | undefined {
  switch (errno) {
    case 'ENOENT':
      return existsSync(dirname(path))
        ? ['not_found', `${path} does not exist`, checkPath(path)]
        : [
            'not_found',
            `the folder ${dirname(path)} does not exist`,
            `Create it first, or c${checkPath(path).slice(1)}`,
          ]
    case 'EISDIR':
      return ['invalid_input', `${path} is a folder`, 'Give the path of a file.']
    case 'ENOTDIR':
    case 'EEXIST':
      return [
        'invalid_input',
        `a parent of ${path} is not a folder`,
        'Move the file that stands in its way, or check the path.',
      ]
    case 'ELOOP':
      return [
        'invalid_input',
        `${path} is a link that leads in a circle, or one that is not followed here`,
        'Give the path of the file itself.',
      ]
    case 'ENAMETOOLONG':
      return [
        'invalid_input',
        `this name is too long for a file: ${path.slice(0, 60)}…`,
        'Give a path; the text itself belongs elsewhere.',
      ]
    case 'ENXIO':
    case 'ENODEV':
      return ['invalid_input', `${path} is no file`, 'Give the path of a file.']
    case 'EROFS':
      return ['read_only', `${path} lies on a disk that can only be read`, 'Choose another place.']
    case 'EACCES':
    case 'EPERM':
      return [
        'read_only',
        `${path} cannot be written or read (${errno})`,
        `Check the permissions of ${path}.`,
      ]
    case 'EBUSY':
    case 'ETXTBSY':
      return ['conflict', `${path} is in use by another program`, 'Close that program and try again.']
    case 'EMFILE':
    case 'ENFILE':
      return [
        'unavailable',
        `too many files are open to open ${path}`,
        'Raise the limit (ulimit -n), or end other programs.',
      ]
    case 'EIO':
      return [
        'unavailable',
        `the disk holding ${path} reports an error`,
        'Check the disk; the system log says more.',
      ]
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return [
        'disk_full',
        `the disk holding ${path} is full`,
        'Free some space and run the command again; nothing already recorded is lost.',
      ]
    default:
      return undefined
  }
}

function checkPath(path: string): string {
  return isAbsolute(path) ? 'Check the path.' : `Check the path: it starts at ${process.cwd()}.`
}

/** Throws when the caller's signal has been aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new RalphError('cancelled', 'cancelled', { cause: signal.reason })
}
