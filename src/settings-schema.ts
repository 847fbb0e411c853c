import { z } from 'zod'
import { RalphError } from './errors.ts'
import { MOST_RESULTS } from './retrieval/relevance.ts'
import { DEFAULT_SETTINGS, type Layer, type Values } from './settings.ts'
import { snakeKeys } from './text/case.ts'

const { embedder, index, storage, languageModel, search, loop, hooks } = DEFAULT_SETTINGS

const MOST_PATIENCE_SECONDS = 600
/** As records have it: half of the runs is the fairest comparison there is. */
const LARGEST_HOLDOUT = 0.5

/** Every setting there is. One schema for the files (snake_case), the environment, the flags and the library. */
export const Settings = z.strictObject({
  user: z
    .strictObject({
      name: z
        .string()
        .trim()
        .min(1)
        .max(80)
        .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must be a name on one line')
        .optional()
        .describe('Who you are in the database of a team; empty: the name you log in with.'),
    })
    .prefault({}),
  embedder: z
    .strictObject({
      provider: z
        .enum(['local', 'ollama', 'openai', 'none'])
        .default(embedder.provider)
        .describe('What turns texts into vectors for the search by meaning; none: words only.'),
      model: z.string().min(1).optional().describe("The embedder's model; empty: the provider's own choice."),
      url: z.url().optional().describe('Base address of the service; empty: that of the provider.'),
      apiKey: z.string().min(1).optional().describe('Key for the service, only used with that provider.'),
      patienceSeconds: z
        .number()
        .positive()
        .max(MOST_PATIENCE_SECONDS)
        .default(embedder.patienceSeconds)
        .describe(
          'Seconds that a search waits for the embedder, such as a service that loads its model; then words have to do.',
        ),
    })
    .prefault({}),
  index: z
    .strictObject({
      driver: z.enum(['sqlite', 'qdrant']).default(index.driver).describe('Where the search index is kept.'),
      url: z.url().default(index.url).describe('Address of Qdrant.'),
      apiKey: z.string().min(1).optional().describe('Key for Qdrant.'),
      tenants: z
        .boolean()
        .default(index.tenants)
        .describe(
          'One Qdrant collection for all features, kept apart by a tenant key: for thousands of features.',
        ),
      sidecar: z
        .boolean()
        .default(index.sidecar)
        .describe('Start a qdrant program from the PATH with us, and stop it with us.'),
    })
    .prefault({}),
  storage: z
    .strictObject({
      driver: z
        .enum(['sqlite', 'postgres'])
        .default(storage.driver)
        .describe('Where knowledge, conversations and gates are kept.'),
      url: z.string().min(1).optional().describe('Address of the PostgreSQL database: postgres://…'),
    })
    .prefault({}),
  languageModel: z
    .strictObject({
      provider: z
        .enum(['none', 'anthropic', 'openai', 'ollama'])
        .default(languageModel.provider)
        .describe(
          'Who writes summaries and answers in the chat; none: summaries are made of sentences picked here.',
        ),
      model: z.string().min(1).optional().describe("Which model; empty: the provider's own choice."),
      url: z.url().optional().describe('Base address of the service; empty: that of the provider.'),
      apiKey: z.string().min(1).optional().describe('Key for the service, only used with that provider.'),
      maxSpend: z
        .number()
        .nonnegative()
        .default(languageModel.maxSpend)
        .describe(
          'Dollars that summaries and embeddings may cost, in a calendar month (UTC) unless max_spend_period says otherwise. Never passed.',
        ),
      maxSpendPeriod: z
        .enum(['month', 'total'])
        .default(languageModel.maxSpendPeriod)
        .describe('What the limits are for: each calendar month (UTC), or all time.'),
      chatMaxSpend: z
        .number()
        .nonnegative()
        .optional()
        .describe(
          'Dollars that the chat may cost in the same period, apart from max_spend; empty: no limit.',
        ),
      reasoningEffort: z
        .enum(['none', 'minimal', 'low', 'medium', 'high'])
        .default(languageModel.reasoningEffort)
        .describe(
          'How much a model that thinks before it writes may think about a summary; what it thinks is paid for, too. A model that does not know the word decides for itself.',
        ),
      // A list, since keys change their spelling.
      prices: z
        .array(
          z.strictObject({
            model: z.string().min(1),
            input: z.number().nonnegative(),
            output: z.number().nonnegative(),
          }),
        )
        .default(languageModel.prices)
        .describe(
          'Dollars per million tokens, for models whose price ralph does not know: [{ "model": "…", "input": 1, "output": 5 }]',
        ),
      startLimitSeconds: z
        .number()
        .positive()
        .default(languageModel.startLimitSeconds)
        .describe('Seconds until the first part of an answer: models are loaded and prompts read before it.'),
      silenceLimitSeconds: z
        .number()
        .positive()
        .default(languageModel.silenceLimitSeconds)
        .describe(
          'An answer that pauses for so many seconds has broken off; its length is not limited, and thinking is no pause.',
        ),
    })
    .prefault({}),
  search: z
    .strictObject({
      limit: z
        .int()
        .min(1)
        .max(MOST_RESULTS)
        .default(search.limit)
        .describe('Most results of a search, unless it names its own limit.'),
      minScore: z.number().min(0).max(1).default(search.minScore).describe('What scores lower is not shown.'),
    })
    .prefault({}),
  loop: z
    .strictObject({
      agent: z
        .array(z.string().min(1))
        .min(1)
        .default(loop.agent)
        .describe(
          'The agent: codex, gemini, opencode, …, or any command with its fixed arguments; the prompt arrives on its standard input.',
        ),
      model: z
        .string()
        .min(1)
        .optional()
        .describe('Passed to the agent for tasks; empty: whatever it uses by itself.'),
      reviewModel: z
        .string()
        .min(1)
        .optional()
        .describe('Passed to the agent for reviews; empty: opus for Claude Code, for others as for tasks.'),
      timeLimitMinutes: z
        .number()
        .positive()
        .default(loop.timeLimitMinutes)
        .describe('Minutes that one iteration may take.'),
      silenceLimitMinutes: z
        .number()
        .positive()
        .default(loop.silenceLimitMinutes)
        .describe('An agent that prints nothing for so many minutes is stopped.'),
      stagnationLimit: z
        .int()
        .min(1)
        .default(loop.stagnationLimit)
        .describe('The loop ends after so many iterations without any change.'),
      reviewEvery: z
        .int()
        .min(0)
        .default(loop.reviewEvery)
        .describe('A review after so many iterations on tasks; 0: never.'),
      gate: z
        .string()
        .min(1)
        .optional()
        .describe('The gate at which a person looks at every task that is done; empty: none.'),
      promptBudget: z.int().min(1_000).default(loop.promptBudget).describe('Tokens that a prompt may have.'),
      holdout: z
        .number()
        .min(0)
        .max(LARGEST_HOLDOUT)
        .default(loop.holdout)
        .describe(
          'The share of the iterations on tasks that goes without memory, to see whether it helps; 0: none.',
        ),
      holdoutSeed: z
        .string()
        .min(1)
        .max(200)
        .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must be a text on one line')
        .optional()
        .describe("What decides which iterations those are; empty: the project's id."),
    })
    .prefault({}),
  hooks: z
    .strictObject({
      repeat: z
        .enum(['stop_once', 'tell', 'off'])
        .default(hooks.repeat)
        .describe(
          'A command that failed alike twice, with nothing changed since: hold it back once, tell only, or neither.',
        ),
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
    hint: '`ralph config` lists every setting; `ralph help configuration` says what each may be.',
  })
}
