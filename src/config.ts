import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { errnoOf, fileError, messageOf, RalphError } from './errors.ts'
import { camelKeys, snakeKeys } from './text/case.ts'

/**
 * Every setting there is. One schema for the files (snake_case), the environment, the flags and the library.
 * Precedence: flag > environment > project file > user file > default.
 */
const Settings = z.strictObject({
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
      limit: z.int().min(1).max(1_000).default(20),
      minScore: z.number().min(0).max(1).default(0.4),
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

/** Where everything lies, and how it is set. */
export interface Config {
  /** The project's root, absolute, with links resolved: its identity. */
  project: string
  home: string
  paths: {
    database: string
    memory: string
    cache: string
    receipts: string
    /** For what was shown in projects without memory. */
    userReceipts: string
    projectFile: string
    userFile: string
    userDatabase: string
    models: string
    logs: string
  }
  /** The person's home folder, where other programs keep what is theirs. */
  userHome: string
  /** Where Claude Code keeps its settings and sessions. */
  claudeDir: string
  settings: Settings
  /** What the agent that started us says about itself: which run this is, and which feature it works on. */
  session: {
    run?: string | undefined
    feature?: string | undefined
    /** Our own loop started the agent: it composes the prompt and records the run itself. */
    inLoop: boolean
  }
}

export interface ConfigRequest {
  project?: string | undefined
  home?: string | undefined
  settings?: SettingsInput | undefined
  env?: NodeJS.ProcessEnv
  cwd?: string
}

export function resolveConfig(request: ConfigRequest = {}): Config {
  const env = request.env ?? process.env
  const cwd = request.cwd ?? process.cwd()
  const project = projectRoot(request.project === undefined ? undefined : resolve(cwd, request.project), cwd)
  const userHome = homedir()
  const home = resolve(cwd, request.home ?? env['RALPH_HOME'] ?? join(userHome, '.ralph'))
  const paths = pathsOf(project, home)
  const layers = [
    fileLayer(paths.userFile),
    fileLayer(paths.projectFile),
    environmentLayer(env),
    { source: 'the given settings', values: (request.settings ?? {}) as Values },
  ]
  return {
    project,
    home,
    paths,
    userHome,
    claudeDir: env['CLAUDE_CONFIG_DIR'] || join(userHome, '.claude'),
    settings: withServiceKeys(merge(layers), env),
    session: sessionOf(env),
  }
}

/** What a program started by us inherits. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env }
}

/** Set by the loop for the agent it starts; Claude Code hands its own session id to servers and hooks. */
function sessionOf(env: NodeJS.ProcessEnv): Config['session'] {
  return {
    run: env['RALPH_LOOP_RUN'] || env['CLAUDE_CODE_SESSION_ID'] || undefined,
    feature: env['RALPH_FEATURE'] || undefined,
    inLoop: Boolean(env['RALPH_LOOP_RUN']),
  }
}

const HOOK_DEADLINE_MS = 270

/** How long, from its start, a hook may keep an agent waiting. Read before any settings file: the clock is running. */
export function hookDeadlineMs(env: NodeJS.ProcessEnv = process.env): number {
  return Number(env['RALPH_HOOK_DEADLINE_MS']) || HOOK_DEADLINE_MS
}

/** A plain folder layout, so that people find their way without documentation. */
function pathsOf(project: string, home: string): Config['paths'] {
  const ralph = join(project, '.ralph')
  return {
    database: join(ralph, 'db'),
    memory: join(ralph, 'db', 'memory'),
    cache: join(ralph, 'cache'),
    receipts: join(ralph, 'receipts'),
    userReceipts: join(home, 'receipts'),
    projectFile: join(ralph, 'rag_config.json'),
    userFile: join(home, 'config.json'),
    userDatabase: join(home, 'ralph.db'),
    models: join(home, 'models'),
    logs: join(home, 'logs'),
  }
}

/** The given folder, else the nearest one upwards with `.ralph` or `.git`, else the working folder itself. */
function projectRoot(given: string | undefined, cwd: string): string {
  if (given !== undefined && !existsSync(given)) {
    throw new RalphError('not_found', `the project folder ${given} does not exist`, {
      hint: 'Check --project.',
    })
  }
  const start = realpathSync.native(given ?? cwd)
  if (given !== undefined) return start
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.ralph', 'db')) || existsSync(join(folder, '.git'))) return folder
    if (dirname(folder) === folder) return start
  }
}

type Values = { [key: string]: unknown }
interface Layer {
  source: string
  values: Values
}

function fileLayer(path: string): Layer {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { source: path, values: {} }
    throw fileError(error, path, 'reading the settings')
  }
  try {
    const values = camelKeys(JSON.parse(text.replace(/^\uFEFF/, '')))
    return { source: path, values: z.record(z.string(), z.unknown()).parse(values) }
  } catch (error) {
    throw new RalphError(
      'invalid_input',
      `${path} is not a JSON object: ${messageOf(error).split('\n')[0]}`,
      {
        hint: 'Mend the file or delete it to use the defaults.',
        cause: error,
      },
    )
  }
}

function environmentLayer(env: NodeJS.ProcessEnv): Layer {
  const values: Values = {}
  for (const [variable, path] of ENVIRONMENT) {
    const text = env[variable]
    if (text === undefined || text === '') continue
    const [group, key] = path.split('.') as [string, string]
    values[group] = { ...(values[group] as Values), [key]: PARSED[key]?.(text) ?? text }
  }
  return {
    source: `the environment (${ENVIRONMENT.map(([variable]) => variable)
      .filter((name) => env[name])
      .join(', ')})`,
    values,
  }
}

/** Later layers win, setting by setting. Each layer is checked by itself so that an error names its source. */
function merge(layers: readonly Layer[]): Settings {
  const merged: Values = {}
  for (const { source, values } of layers.filter((layer) => Object.keys(layer.values).length > 0)) {
    const checked = Settings.safeParse(values)
    if (!checked.success) throw settingsError(source, checked.error)
    for (const [group, settings] of Object.entries(values)) {
      merged[group] = { ...(merged[group] as Values), ...(settings as Values) }
    }
  }
  return Settings.parse(merged)
}

function settingsError(source: string, error: z.ZodError): RalphError {
  const issue = error.issues[0]!
  const path = issue.path.map((part) => Object.keys(snakeKeys({ [String(part)]: 0 }) as object)[0]).join('.')
  return new RalphError('invalid_input', `${source}: ${path || 'settings'}: ${issue.message}`, {
    hint: 'See docs/configuration.md for every setting and its values.',
  })
}

function withServiceKeys(settings: Settings, env: NodeJS.ProcessEnv): Settings {
  const { embedder, languageModel } = settings
  const keys = { openai: env['OPENAI_API_KEY'], anthropic: env['ANTHROPIC_API_KEY'] } as Record<
    string,
    string | undefined
  >
  const keyOf = (provider: string, given: string | undefined) => given ?? (keys[provider] || undefined)
  const embedderKey = keyOf(embedder.provider, embedder.apiKey)
  const modelKey = keyOf(languageModel.provider, languageModel.apiKey)
  return {
    ...settings,
    embedder: { ...embedder, ...(embedderKey && { apiKey: embedderKey }) },
    languageModel: { ...languageModel, ...(modelKey && { apiKey: modelKey }) },
  }
}
