import { errnoOf, messageOf, RalphError } from '../errors.ts'

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOENT',
])
const LOST = new Set(['ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03', '08006', '08003', '08000'])
const LOST_MESSAGES = /connection terminated|not queryable|connection ended|server closed the connection/i
const TIMED_OUT_CONNECTING =
  /timeout expired|timeout exceeded when trying to connect|connection terminated due to connection timeout/i
const TLS = /ssl|tls|certificate|self.signed/i

/** The connection is of no further use after this error. */
export function isConnectionLost(error: unknown): boolean {
  return LOST.has(errnoOf(error) ?? '') || LOST_MESSAGES.test(messageOf(error)) || isClientTimeout(error)
}

/** The database undid the transaction for another one's sake: run it again. */
export function isWorthRepeating(error: unknown): boolean {
  const code = errnoOf(error instanceof RalphError ? error.cause : error)
  return code === '40001' || code === '40P01'
}

/** Gives PostgreSQL's errors a next step; anything else passes through. `place` names the server without password. */
export function postgresError(error: unknown, place: string): unknown {
  if (error instanceof RalphError) return error
  const code = errnoOf(error) ?? ''
  const message = messageOf(error)
  const say = (...args: ConstructorParameters<typeof RalphError>) =>
    new RalphError(args[0], args[1], { ...args[2], cause: error })

  if (code === '28P01' || code === '28000') {
    return say('invalid_input', `PostgreSQL at ${place} refused the login: ${message}`, {
      hint: 'Check user and password in the storage URL.',
    })
  }
  if (code === '3D000') {
    return say('not_found', `PostgreSQL at ${place}: ${message}`, {
      hint: `Create it: createdb ${place.split('/').at(-1)}`,
    })
  }
  if (code === '42501') {
    return say('read_only', `PostgreSQL at ${place}: ${message}`, {
      hint: 'The user needs CREATE on the schema for set-up, and SELECT, INSERT, UPDATE, DELETE afterwards.',
    })
  }
  if (code === '57014' || isClientTimeout(error)) {
    return say('timeout', `PostgreSQL at ${place} did not answer in time`, {
      hint: 'Try again; if it stays slow, look for blocked sessions in pg_stat_activity.',
      retryable: true,
    })
  }
  if (code === '53300') {
    return say('unavailable', `PostgreSQL at ${place} has no free connection`, {
      hint: 'Raise max_connections or lower the pool size.',
      retryable: true,
    })
  }
  if (code === '53100') {
    return say('disk_full', `the disk of PostgreSQL at ${place} is full`, {
      hint: 'Free some space there and run the command again; nothing already recorded is lost.',
    })
  }
  if (code === '25006') {
    return say('read_only', `PostgreSQL at ${place} is read-only (a standby?)`, {
      hint: 'Name the primary server.',
    })
  }
  if (code.startsWith('23')) return say('conflict', `the database refused a row: ${message}`, {})
  if (code === '40001' || code === '40P01') {
    return say('unavailable', `PostgreSQL undid the transaction: ${message}`, {
      hint: 'Try again.',
      retryable: true,
    })
  }
  if (UNREACHABLE.has(code) || TIMED_OUT_CONNECTING.test(message)) {
    return say('unavailable', `PostgreSQL at ${place} cannot be reached (${code || message})`, {
      hint: 'Check that the server runs and that host and port in the storage URL are right.',
      retryable: true,
    })
  }
  if (isConnectionLost(error)) {
    return say('unavailable', `PostgreSQL at ${place} closed the connection (${message})`, {
      hint: 'It may be restarting: try again in a moment.',
      retryable: true,
    })
  }
  if (TLS.test(message) || code.startsWith('ERR_TLS') || code.includes('CERT')) {
    return say('unavailable', `PostgreSQL at ${place}: no secure connection (${message})`, {
      hint: 'Set sslmode in the storage URL (disable, require, verify-full), and sslrootcert for a private authority.',
    })
  }
  return error
}

function isClientTimeout(error: unknown): boolean {
  return messageOf(error) === 'Query read timeout'
}
