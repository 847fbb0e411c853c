import { UsageError } from '../errors.ts'
import type { Person } from '../identity/person.ts'
import type { Storage } from '../storage/storage.ts'
import { writeOwnValue } from '../storage/stored-values.ts'
import { snakeKey } from '../text/case.ts'
import { z } from '../text/schema.ts'
import { normalTag } from './tags.ts'

const limit = z
  .int('must be a whole number')
  .check(z.minimum(1, 'must be above 0'), z.maximum(100, 'must be at most 100'))
const seconds = z
  .number('must be a number of seconds')
  .check(z.positive('must be above 0'), z.maximum(86_400, 'must be at most a day'))
const flag = z.boolean('must be on or off')
const share = z
  .number('must be a number from 0 to 1')
  .check(z.minimum(0, 'must be from 0 to 1'), z.maximum(1, 'must be from 0 to 1'))

const tagList = z
  .array(z.string(), 'must be tags, e.g. work,deployment')
  .check(z.maxLength(50, 'must be at most 50 tags'))

/** Everything about conversation memory that people may set while it runs. Kept in the store, for every process of that person. */
export const ConversationSettings = z.object({
  ragEnabled: z._default(flag, true),
  ragConversationLimit: z._default(limit, 3),
  ragExchangeLimitPerConversation: z._default(limit, 2),
  ragMinSimilarity: z._default(share, 0.7),
  /** How soon age counts when results are put in order: the share lost per day of what age may take, which is half. 0 is off. */
  ragTemporalDecay: z._default(share, 0),
  /** Only conversations with any of these tags are shown by themselves, and none with any of the others. */
  ragOnlyTags: z._default(tagList, []),
  ragNeverTags: z._default(tagList, []),
  summarizerConversationEnabled: z._default(flag, true),
  summarizerExchangeEnabled: z._default(flag, true),
  embeddingPipelineEnabled: z._default(flag, true),
  summarizerIdleTimeout: z._default(seconds, 30),
  embeddingPipelinePollInterval: z._default(seconds, 5),
  embeddingBatchSize: z._default(
    z
      .int('must be a whole number')
      .check(z.minimum(1, 'must be above 0'), z.maximum(1_000, 'must be at most 1000')),
    100,
  ),
  embeddingMaxRetries: z._default(
    z
      .int('must be a whole number')
      .check(z.minimum(0, 'must be 0 or more'), z.maximum(20, 'must be at most 20')),
    6,
  ),
  minMessagesForExchangeSummary: z._default(
    z.int('must be a whole number').check(z.minimum(1, 'must be above 0')),
    1,
  ),
  minExchangesForConversationSummary: z._default(
    z.int('must be a whole number').check(z.minimum(1, 'must be above 0')),
    1,
  ),
})
export type ConversationSettings = z.infer<typeof ConversationSettings>
export type SettingName = keyof ConversationSettings

/** `rag_enabled` → `ragEnabled`, for every setting there is. */
const NAMES: ReadonlyMap<string, SettingName> = new Map(
  (Object.keys(ConversationSettings.shape) as SettingName[]).map((name) => [snakeKey(name), name]),
)
const PREFIX = 'conversations.'

export class SettingsStore {
  readonly #storage: Storage
  readonly #person: Person

  /** @internal */
  constructor(storage: Storage, person: Person) {
    this.#storage = storage
    this.#person = person
  }

  async read(): Promise<ConversationSettings> {
    const rows = await this.#storage.db
      .selectFrom('person_settings')
      .select(['key', 'value'])
      .where('person', '=', this.#person.id)
      .where('key', 'like', `${PREFIX}%`)
      .execute()
    const stored: { [name: string]: unknown } = {}
    for (const { key, value } of rows) {
      const name = NAMES.get(key.slice(PREFIX.length))
      // What another version wrote and this one does not accept falls back to the default.
      const parsed = name && ConversationSettings.shape[name].safeParse(parseJson(value))
      if (parsed?.success) stored[name!] = parsed.data
    }
    return ConversationSettings.parse(stored)
  }

  async write<Name extends SettingName>(name: Name, value: ConversationSettings[Name]): Promise<void> {
    const checked = ConversationSettings.shape[name].safeParse(value)
    if (!checked.success) throw invalid(snakeKey(name), checked.error)
    const key = PREFIX + snakeKey(name)
    await writeOwnValue(this.#storage.db, this.#person.id, key, checked.data, Date.now())
  }

  /** A setting as people type it: `rag_conversation_limit 5`. Returns the value that was understood. */
  async writeText(
    spelling: string,
    text: string,
  ): Promise<{ name: SettingName; value: ConversationSettings[SettingName] }> {
    const name = NAMES.get(spelling.trim().toLowerCase())
    if (!name) {
      throw new UsageError(
        `there is no setting ${JSON.stringify(spelling)}`,
        `Settings: ${[...NAMES.keys()].join(', ')}`,
      )
    }
    const value = (isList(name) ? listed(text) : understood(text.trim())) as ConversationSettings[SettingName]
    await this.write(name, value)
    return { name, value }
  }
}

function isList(name: SettingName): boolean {
  return name === 'ragOnlyTags' || name === 'ragNeverTags'
}

/** "work, deployment"; "none" takes them away. */
function listed(text: string): string[] {
  const names = text.split(',').filter((one) => one.trim() !== '')
  return /^\s*none\s*$/i.test(text) ? [] : [...new Set(names.map(normalTag))]
}

function understood(text: string): unknown {
  if (/^(?:on|true|yes)$/i.test(text)) return true
  if (/^(?:off|false|no)$/i.test(text)) return false
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

function invalid(spelling: string, error: z.core.$ZodError): UsageError {
  return new UsageError(
    `${spelling} ${error.issues[0]!.message}`,
    'See the current values with: ralph rag config',
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // not ours, or damaged: the default holds
  }
}
