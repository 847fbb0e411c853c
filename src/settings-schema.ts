import { z } from 'zod'
import { RalphError } from './errors.ts'
import { MOST_RESULTS } from './retrieval/relevance.ts'
import { DEFAULT_SETTINGS, type Layer, type Values } from './settings.ts'
import { snakeKeys } from './text/case.ts'

const { embedder, index, storage, languageModel, search, loop, hooks } = DEFAULT_SETTINGS

/** Every setting there is. One schema for the files (snake_case), the environment, the flags and the library. */
export const Settings = z.strictObject({
  embedder: z
    .strictObject({
      provider: z.enum(['local', 'ollama', 'openai', 'none']).default(embedder.provider),
      model: z.string().min(1).optional(),
      url: z.url().optional(),
      apiKey: z.string().min(1).optional(),
    })
    .prefault({}),
  index: z
    .strictObject({
      driver: z.enum(['sqlite', 'qdrant']).default(index.driver),
      url: z.url().default(index.url),
      apiKey: z.string().min(1).optional(),
      /** One Qdrant collection for all features, kept apart by a tenant key: for thousands of features. */
      tenants: z.boolean().default(index.tenants),
      /** Start a `qdrant` binary from the PATH with us, and stop it with us. */
      sidecar: z.boolean().default(index.sidecar),
    })
    .prefault({}),
  storage: z
    .strictObject({
      driver: z.enum(['sqlite', 'postgres']).default(storage.driver),
      url: z.string().min(1).optional(),
    })
    .prefault({}),
  languageModel: z
    .strictObject({
      provider: z.enum(['none', 'anthropic', 'openai', 'ollama']).default(languageModel.provider),
      model: z.string().min(1).optional(),
      url: z.url().optional(),
      apiKey: z.string().min(1).optional(),
      /** Dollars; reaching it stops every further call. */
      maxSpend: z.number().nonnegative().default(languageModel.maxSpend),
      /** Dollars per million tokens, for models whose price ralph does not know. A list, since keys change their spelling. */
      prices: z
        .array(
          z.strictObject({
            model: z.string().min(1),
            input: z.number().nonnegative(),
            output: z.number().nonnegative(),
          }),
        )
        .default(languageModel.prices),
    })
    .prefault({}),
  search: z
    .strictObject({
      limit: z.int().min(1).max(MOST_RESULTS).default(search.limit),
      minScore: z.number().min(0).max(1).default(search.minScore),
    })
    .prefault({}),
  loop: z
    .strictObject({
      /** The agent's command; the prompt arrives on its standard input. */
      agent: z.array(z.string().min(1)).min(1).default(loop.agent),
      /** Passed to the agent for tasks; default: whatever it uses by itself. */
      model: z.string().min(1).optional(),
      reviewModel: z.string().min(1).default(loop.reviewModel),
      timeLimitMinutes: z.number().positive().default(loop.timeLimitMinutes),
      silenceLimitMinutes: z.number().positive().default(loop.silenceLimitMinutes),
      stagnationLimit: z.int().min(1).default(loop.stagnationLimit),
      reviewEvery: z.int().min(0).default(loop.reviewEvery),
      /** The gate at which a person looks at every task that is done; none when absent. */
      gate: z.string().min(1).optional(),
      promptBudget: z.int().min(1_000).default(loop.promptBudget),
    })
    .prefault({}),
  hooks: z
    .strictObject({
      /** A command that failed alike twice, with nothing changed since: hold it back once, tell only, or neither. */
      repeat: z.enum(['stop_once', 'tell', 'off']).default(hooks.repeat),
    })
    .prefault({}),
})
export type Settings = z.infer<typeof Settings>
export type SettingsInput = z.input<typeof Settings>

/** Later layers win, setting by setting. Each layer is checked by itself so that an error names its source. */
export function mergeLayers(layers: readonly Layer[]): Settings {
  const merged: Values = {}
  for (const layer of layers) {
    for (const [group, settings] of Object.entries(checkedLayer(layer).values)) {
      merged[group] = { ...(merged[group] as Values), ...(settings as Values) }
    }
  }
  return Settings.parse(merged)
}

export function checkedLayer(layer: Layer): Layer {
  const parsed = Settings.safeParse(layer.values)
  if (!parsed.success) throw settingsError(layer.source, parsed.error)
  return layer
}

function settingsError(source: string, error: z.ZodError): RalphError {
  const issue = error.issues[0]!
  const path = issue.path.map((part) => Object.keys(snakeKeys({ [String(part)]: 0 }) as object)[0]).join('.')
  return new RalphError('invalid_input', `${source}: ${path || 'settings'}: ${issue.message}`, {
    hint: 'See docs/configuration.md for every setting and its values.',
  })
}
