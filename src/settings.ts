import { z } from 'zod'
import { MOST_RESULTS, SEARCH_DEFAULTS } from './retrieval/relevance.ts'

/**
 * Every setting there is. One schema for the files (snake_case), the environment, the flags and the library.
 * Precedence: flag > environment > project file > user file > default.
 */
export const Settings = z.strictObject({
  embedder: z
    .strictObject({
      provider: z.enum(['local', 'ollama', 'openai', 'none']).default('local'),
      model: z.string().min(1).optional(),
      url: z.url().optional(),
      apiKey: z.string().min(1).optional(),
    })
    .prefault({}),
  index: z
    .strictObject({
      driver: z.enum(['sqlite', 'qdrant']).default('sqlite'),
      url: z.url().default('http://127.0.0.1:6333'),
      apiKey: z.string().min(1).optional(),
      /** One Qdrant collection for all features, kept apart by a tenant key: for thousands of features. */
      tenants: z.boolean().default(false),
      /** Start a `qdrant` binary from the PATH with us, and stop it with us. */
      sidecar: z.boolean().default(false),
    })
    .prefault({}),
  storage: z
    .strictObject({
      driver: z.enum(['sqlite', 'postgres']).default('sqlite'),
      url: z.string().min(1).optional(),
    })
    .prefault({}),
  languageModel: z
    .strictObject({
      provider: z.enum(['none', 'anthropic', 'openai', 'ollama']).default('none'),
      model: z.string().min(1).optional(),
      url: z.url().optional(),
      apiKey: z.string().min(1).optional(),
      /** Dollars; reaching it stops every further call. */
      maxSpend: z.number().nonnegative().default(1),
      /** Dollars per million tokens, for models whose price ralph does not know. A list, since keys change their spelling. */
      prices: z
        .array(
          z.strictObject({
            model: z.string().min(1),
            input: z.number().nonnegative(),
            output: z.number().nonnegative(),
          }),
        )
        .default([]),
    })
    .prefault({}),
  search: z
    .strictObject({
      limit: z.int().min(1).max(MOST_RESULTS).default(SEARCH_DEFAULTS.limit),
      minScore: z.number().min(0).max(1).default(SEARCH_DEFAULTS.minScore),
    })
    .prefault({}),
  loop: z
    .strictObject({
      /** The agent's command; the prompt arrives on its standard input. */
      agent: z.array(z.string().min(1)).min(1).default(['claude']),
      /** Passed to the agent for tasks; default: whatever it uses by itself. */
      model: z.string().min(1).optional(),
      reviewModel: z.string().min(1).default('opus'),
      timeLimitMinutes: z.number().positive().default(30),
      silenceLimitMinutes: z.number().positive().default(10),
      stagnationLimit: z.int().min(1).default(5),
      reviewEvery: z.int().min(0).default(0),
      /** The gate at which a person looks at every task that is done; none when absent. */
      gate: z.string().min(1).optional(),
      promptBudget: z.int().min(1_000).default(8_000),
    })
    .prefault({}),
  hooks: z
    .strictObject({
      /** A command that failed alike twice, with nothing changed since: hold it back once, tell only, or neither. */
      repeat: z.enum(['stop_once', 'tell', 'off']).default('stop_once'),
    })
    .prefault({}),
})
export type Settings = z.infer<typeof Settings>
export type SettingsInput = z.input<typeof Settings>

/** Which environment variable sets what. API keys of services are used only when that service is configured. */
const ENVIRONMENT: readonly (readonly [variable: string, path: string])[] = [
  ['RALPH_EMBEDDER', 'embedder.provider'],
  ['RALPH_EMBEDDER_MODEL', 'embedder.model'],
  ['RALPH_EMBEDDER_URL', 'embedder.url'],
  ['RALPH_EMBEDDER_API_KEY', 'embedder.apiKey'],
  ['RALPH_INDEX', 'index.driver'],
  ['RALPH_QDRANT_URL', 'index.url'],
  ['RALPH_QDRANT_API_KEY', 'index.apiKey'],
  ['RALPH_QDRANT_TENANTS', 'index.tenants'],
  ['RALPH_QDRANT_SIDECAR', 'index.sidecar'],
  ['RALPH_STORAGE', 'storage.driver'],
  ['RALPH_POSTGRES_URL', 'storage.url'],
  ['RALPH_MODEL_PROVIDER', 'languageModel.provider'],
  ['RALPH_MODEL', 'languageModel.model'],
  ['RALPH_MODEL_URL', 'languageModel.url'],
  ['RALPH_MODEL_API_KEY', 'languageModel.apiKey'],
  ['RALPH_MAX_SPEND', 'languageModel.maxSpend'],
]

/** Settings that are no texts. What cannot be read stays as it is, and the schema says what is wrong with it. */
const PARSED: { readonly [key: string]: (text: string) => unknown } = {
  maxSpend: Number,
  tenants: readFlag,
  sidecar: readFlag,
}

function readFlag(text: string): boolean | undefined {
  if (/^(true|1|yes|on)$/i.test(text)) return true
  return /^(false|0|no|off)$/i.test(text) ? false : undefined
}

/** What the environment sets, and by which variables. */
export function environmentSettings(env: NodeJS.ProcessEnv): {
  values: { [group: string]: { [key: string]: unknown } }
  variables: string[]
} {
  const values: { [group: string]: { [key: string]: unknown } } = {}
  const variables: string[] = []
  for (const [variable, path] of ENVIRONMENT) {
    const text = env[variable]
    if (text === undefined || text === '') continue
    const [group, key] = path.split('.') as [string, string]
    values[group] = { ...values[group], [key]: PARSED[key]?.(text) ?? text }
    variables.push(variable)
  }
  return { values, variables }
}
