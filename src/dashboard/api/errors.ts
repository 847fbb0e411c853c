import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { type ErrorCode, isRalphError, messageOf } from '../../errors.ts'

/** What the page shows where something went wrong. */
export interface ApiError {
  error: { code: ErrorCode | 'forbidden'; message: string; hint?: string }
}

type Status = 400 | 403 | 404 | 409 | 413 | 429 | 500 | 503

const STATUS: Record<ErrorCode, Status> = {
  usage: 400,
  invalid_input: 400,
  not_found: 404,
  unsupported_version: 409,
  damaged: 503,
  unavailable: 503,
  read_only: 503,
  disk_full: 503,
  missing_dependency: 503,
  conflict: 409,
  limit_reached: 409,
  timeout: 503,
  cancelled: 503,
  internal: 500,
}

/** Errors of ours come with their next step; anything else is a defect, which never ends the server. */
export function answerError(error: unknown, c: Context): Response {
  if (isRalphError(error)) {
    const { code, message, hint } = error
    return c.json<ApiError>({ error: { code, message, ...(hint && { hint }) } }, STATUS[code])
  }
  if (error instanceof HTTPException) {
    const { status, message } = error
    const code = status === 403 ? 'forbidden' : 'invalid_input'
    return c.json<ApiError>({ error: { code, message } }, status)
  }
  return c.json<ApiError>(
    { error: { code: 'internal', message: messageOf(error), hint: 'ralph doctor' } },
    500,
  )
}
