import { PATIENCE_SECONDS, SEARCH_DEFAULTS } from './retrieval/relevance.ts'
import { ollamaAddress } from './text/ollama-host.ts'

/** Precedence: flag > environment > project file > user file > these. */
export const DEFAULT_SETTINGS = {
  user: {},
  embedder: { provider: 'local' as const, patienceSeconds: PATIENCE_SECONDS },
  index: { driver: 'sqlite' as const, url: 'http://127.0.0.1:6333', tenants: false, sidecar: false },
  storage: { driver: 'sqlite' as const },
  languageModel: {
    provider: 'none' as const,
    maxSpend: 1,
    maxSpendPeriod: 'month' as const,
    reasoningEffort: 'low' as const,
    prices: [],
    startLimitSeconds: 300,
    silenceLimitSeconds: 60,
  },
  search: SEARCH_DEFAULTS,
  loop: {
    agent: ['claude'],
    timeLimitMinutes: 30,
    silenceLimitMinutes: 10,
    stagnationLimit: 5,
    reviewEvery: 0,
    promptBudget: 8_000,
    holdout: 0,
  },
  hooks: { repeat: 'stop_once' as const },
}

export type Values = { [key: string]: unknown }

/** What one place sets. */
export interface Layer {
  source: string
  values: Values
}

/** Which variable has the key of a service, of whoever set it up for other programs. Used only with that service. */
export const SERVICE_KEYS: { readonly [provider: string]: string } = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
}

/** Which variable says where a service is, for its own programs. Counts where no address is set. */
export const SERVICE_ADDRESSES: {
  readonly [provider: string]: { variable: string; read: (value: string) => string }
} = { ollama: { variable: 'OLLAMA_HOST', read: ollamaAddress } }

/** What somebody has set for other programs of the same service, where nothing is set for us. */
export function settingsOfService(
  { provider, apiKey, url }: { provider: string; apiKey?: string | undefined; url?: string | undefined },
  env: NodeJS.ProcessEnv,
): { apiKey?: string; url?: string } {
  const key = apiKey ?? env[SERVICE_KEYS[provider] ?? '']
  const { variable = '', read } = SERVICE_ADDRESSES[provider] ?? {}
  const address = url ?? (env[variable] && read?.(env[variable]))
  return { ...(key && { apiKey: key }), ...(address && { url: address }) }
}

/** Which environment variable sets what. */
export const ENVIRONMENT: readonly (readonly [variable: string, path: string])[] = [
  ['RALPH_USER', 'user.name'],
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

export function readFlag(text: string): boolean | undefined {
  if (/^(true|1|yes|on)$/i.test(text)) return true
  return /^(false|0|no|off)$/i.test(text) ? false : undefined
}

interface SetVariable {
  name: string
  group: string
  key: string
  value: unknown
}

/** Every variable that is set and that settings come from, those for other programs of a service included. */
export function settingVariables(env: NodeJS.ProcessEnv): SetVariable[] {
  const addresses = Object.values(SERVICE_ADDRESSES).map(({ variable }) => [variable, 'service.url'] as const)
  return [...ENVIRONMENT, ...addresses].flatMap(([name, path]) => {
    const text = env[name]
    if (text === undefined || text === '') return []
    const [group, key] = path.split('.') as [string, string]
    return [{ name, group, key, value: PARSED[key]?.(text) ?? text }]
  })
}

/** The environment without variables that are not to count. */
export function withoutVariables(
  env: NodeJS.ProcessEnv,
  ignored: readonly { name: string }[],
): NodeJS.ProcessEnv {
  const names = new Set(ignored.map(({ name }) => name))
  return names.size === 0 ? env : Object.fromEntries(Object.entries(env).filter(([name]) => !names.has(name)))
}

export function environmentLayer(env: NodeJS.ProcessEnv): Layer {
  const values: { [group: string]: Values } = {}
  const ours = settingVariables(env).filter(({ group }) => group !== 'service')
  for (const { group, key, value } of ours) values[group] = { ...values[group], [key]: value }
  return { source: `the environment (${ours.map(({ name }) => name).join(', ')})`, values }
}

/** What agents set for the commands that they run. */
export const AGENT_MARKS: readonly string[] = [
  'RALPH_LOOP_RUN',
  'CLAUDECODE',
  'CLAUDE_CODE_SESSION_ID',
  'CODEX_SANDBOX',
  'GEMINI_CLI',
  'OPENCODE',
  'QWEN_CODE',
  'COPILOT_CLI',
  'PI_CODING_AGENT',
  'CURSOR_AGENT',
]
