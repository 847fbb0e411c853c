import { z } from 'zod'
import { lazy } from '../deferred.ts'
import { UsageError } from '../errors.ts'
import { ENVIRONMENT, SERVICE_ADDRESSES, SERVICE_KEYS } from '../settings.ts'
import { Settings } from '../settings-schema.ts'
import { snakeKey } from '../text/case.ts'
import { nearestWord } from '../text/nearest.ts'

type SettingKind = 'text' | 'address' | 'number' | 'whole number' | 'switch' | 'choice' | 'words' | 'list'

/** A setting there is, as the schema describes it. */
export interface KnownSetting {
  /** As the files spell it: `search.min_score`. */
  key: string
  group: string
  about: string
  kind: SettingKind
  choices?: string[]
  /** What it may be, in words: "a whole number from 1 to 100". */
  allowed: string
  /** Environment variables that set it. */
  variables: string[]
  default?: unknown
  /** Nobody is shown what it is, only that it is set. */
  secret: boolean
}

/** Where a setting stands in `Settings`. */
export type SettingPath = readonly [group: string, name: string]

interface Catalogued {
  known: KnownSetting
  path: SettingPath
}

/** What zod tells of one of them. */
const Described = z.object({
  type: z.enum(['string', 'number', 'integer', 'boolean', 'array']),
  description: z.string(),
  default: z.unknown().optional(),
  enum: z.array(z.string()).optional(),
  format: z.string().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  items: z.object({ type: z.string() }).optional(),
})
type Described = z.infer<typeof Described>
const Schema = z.object({
  properties: z.record(z.string(), z.object({ properties: z.record(z.string(), Described) })),
})

const catalogue = lazy((): readonly Catalogued[] => {
  const { properties } = Schema.parse(z.toJSONSchema(Settings, { io: 'input' }))
  return Object.entries(properties).flatMap(([group, { properties: settings }]) =>
    Object.entries(settings).map(([name, described]) => ({
      path: [group, name] as const,
      known: knownSetting(group, name, described, settings['provider']?.enum ?? []),
    })),
  )
})

/** Every setting there is, in the order of the schema. */
export function everySetting(): readonly Catalogued[] {
  return catalogue()
}

/** By its name in either spelling: `search.min_score`, `search.minScore`. */
export function settingNamed(key: string): Catalogued {
  const wanted = snakeKey(key.trim())
  const found = catalogue().find(({ known }) => known.key === wanted)
  if (found) return found
  const meant = nearestSetting(wanted)
  throw new UsageError(
    `there is no setting ${JSON.stringify(key)}`,
    meant ? `Did you mean ${meant}?` : 'ralph config list shows every setting.',
  )
}

/** By the whole name, else by its part behind the dot, which people remember better. */
function nearestSetting(wanted: string): string | undefined {
  const keys = catalogue().map(({ known }) => known.key)
  const nameOf = (key: string) => key.slice(key.indexOf('.') + 1)
  const name = nearestWord(nameOf(wanted), keys.map(nameOf))
  return nearestWord(wanted, keys) ?? keys.find((key) => nameOf(key) === name)
}

function knownSetting(
  group: string,
  name: string,
  described: Described,
  providers: readonly string[],
): KnownSetting {
  const kind = kindOf(described)
  const path = `${group}.${name}`
  const secret = name === 'apiKey'
  return {
    key: `${snakeKey(group)}.${snakeKey(name)}`,
    group: snakeKey(group),
    about: described.description,
    kind,
    ...(described.enum && { choices: described.enum }),
    allowed: allowedWords(kind, described),
    variables: [
      ...ENVIRONMENT.filter(([, set]) => set === path).map(([variable]) => variable),
      ...(secret ? providers.flatMap((provider) => SERVICE_KEYS[provider] ?? []) : []),
      ...(name === 'url' ? providers.flatMap((provider) => SERVICE_ADDRESSES[provider]?.variable ?? []) : []),
    ],
    ...(described.default !== undefined && { default: described.default }),
    secret,
  }
}

function kindOf({ type, enum: choices, format, items }: Described): SettingKind {
  if (choices) return 'choice'
  switch (type) {
    case 'string':
      return format === 'uri' ? 'address' : 'text'
    case 'number':
      return 'number'
    case 'integer':
      return 'whole number'
    case 'boolean':
      return 'switch'
    case 'array':
      return items?.type === 'string' ? 'words' : 'list'
  }
}

function allowedWords(kind: SettingKind, described: Described): string {
  switch (kind) {
    case 'choice':
      return `one of ${described.enum!.join(', ')}`
    case 'switch':
      return 'true or false'
    case 'words':
      return 'a command with its arguments, or a JSON list of texts'
    case 'list':
      return 'a JSON list'
    case 'address':
      return 'an address, e.g. http://127.0.0.1:6333'
    case 'text':
      return 'a text'
    default:
      return `a ${kind}${rangeWords(described)}`
  }
}

/** Whole numbers have bounds that nobody has set: what a number can hold. */
function rangeWords({ minimum, maximum, exclusiveMinimum }: Described): string {
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum
  if (exclusiveMinimum !== undefined)
    return ` above ${exclusiveMinimum}${most === undefined ? '' : `, at most ${most}`}`
  if (minimum !== undefined && most !== undefined) return ` from ${minimum} to ${most}`
  return minimum === undefined ? '' : ` of at least ${minimum}`
}
