import type { z } from 'zod'
import { RalphError } from '../errors.ts'
import { nonsense, type Service } from '../services/service.ts'
import type { ServiceOptions } from './remote.ts'

/** A service with a key; `variable` is the environment variable that it is usually given in. */
export function keyedService(
  name: string,
  variable: string,
  { model, baseUrl }: ServiceOptions,
  url: string,
): Service {
  const look = `Check ${variable} and language_model.url, then run: ralph doctor`
  return {
    name,
    url: baseUrl ?? url,
    model,
    hints: {
      reach: look,
      key: look,
      model: 'Set language_model.model to a model that the service offers.',
      credit: 'Top it up, or set language_model.provider to "none".',
    },
    stumbles: true,
  }
}

export function requireKey(key: string | undefined, { name }: Service, variable: string): string {
  if (key) return key
  throw new RalphError('unavailable', `no key for ${name} is configured`, {
    hint: `Set ${variable}, or language_model.api_key in the configuration.`,
  })
}

/** What we read of an answer, or an error that says where it is not as the service documents it. */
export function readAnswer<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  service: Service,
): z.infer<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const where = parsed.error.issues[0]?.path.join('.') || 'no object'
  throw nonsense(service, `something that cannot be understood (${where})`)
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
