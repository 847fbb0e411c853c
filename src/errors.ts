/** What went wrong, as a word programs can switch on. */
export type ErrorCode =
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
  cause?: unknown
}

/** Every error a user may meet: one line saying what is wrong, one saying what to do. */
export class RalphError extends Error {
  override readonly name = 'RalphError'
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.hint = details.hint
    this.retryable = details.retryable ?? false
    this.retryAfterMs = details.retryAfterMs
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
  switch (errnoOf(error)) {
    case 'ENOENT':
      return new RalphError('not_found', `${doing}: ${path} does not exist`, { cause: error })
    case 'EISDIR':
      return new RalphError('invalid_input', `${doing}: ${path} is a directory`, {
        hint: 'Give the path of a file.',
        cause: error,
      })
    case 'ENOTDIR':
    case 'EEXIST':
      return new RalphError('invalid_input', `${doing}: a parent of ${path} is not a folder`, {
        hint: 'Move the file that stands in its way.',
        cause: error,
      })
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return new RalphError('read_only', `${doing}: ${path} cannot be written or read (${errnoOf(error)})`, {
        hint: `Check the permissions of ${path}.`,
        cause: error,
      })
    case 'ENOSPC':
    case 'EDQUOT':
      return new RalphError('disk_full', `${doing}: the disk holding ${path} is full`, {
        hint: 'Free some space and run the command again; nothing already recorded is lost.',
        cause: error,
      })
    default:
      return error
  }
}

/** Throws when the caller's signal has been aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new RalphError('cancelled', 'cancelled', { cause: signal.reason })
}
