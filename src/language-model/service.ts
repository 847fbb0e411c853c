import type { z } from 'zod'
import type { Service } from '../services/service.ts'
import type { CompletionRequest } from './language-model.ts'

/** What the three services have in common. */

export interface ServiceOptions {
  model: string
  /** How long one request may take, in milliseconds. */
  timeoutMs?: number
  /** How often the client library tries again on 429, 5xx and lost connections, honouring retry-after. */
  maxRetries?: number
}

export const DEFAULT_TIMEOUT_MS = 120_000
export const DEFAULT_RETRIES = 2

/** `look` is the first thing to look at, whatever the trouble. */
export function modelHints(look: string): Service['hints'] {
  return {
    reach: look,
    key: look,
    model: 'Set language_model.model to a model that the service offers.',
    credit: 'Top it up, or set language_model.provider to "none".',
  }
}

/** Where an answer is not as the service documents it. */
export function answerFault(error: z.ZodError): string {
  return `something that cannot be understood (${error.issues[0]?.path.join('.') || 'no object'})`
}

/** Tool input as it arrives from a model: an object, or text that should have been one. */
export function toolInput(value: unknown): { [key: string]: unknown } {
  if (typeof value === 'string') {
    try {
      return toolInput(JSON.parse(value))
    } catch {
      // The tool itself answers with what it expects; the model then corrects the call.
      return { malformed_arguments: value }
    }
  }
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : {}
}

/** Everything in the request that becomes prompt tokens. */
export function promptText(request: CompletionRequest): string {
  return JSON.stringify([request.system ?? '', request.messages, request.tools ?? []])
}
