import { isRalphError, RalphError } from '../../errors.ts'
import type { Person } from '../../identity/person.ts'
import type { LanguageModel } from '../../language-model/language-model.ts'
import type { Notices } from '../../notices.ts'
import { newestRevision } from '../../storage/revisions.ts'
import type { Storage } from '../../storage/storage.ts'
import type { ConversationIndex } from '../conversation-index.ts'
import type { History } from '../history.ts'
import type { Conversation } from '../record.ts'
import { arranged, LEAST_MEMBERS } from './arrange.ts'
import { BY_WORDS, inherited } from './inherit.ts'
import { type KeptTopic, readKept, readSeen, renameTopic, writeKept } from './kept-topics.ts'
import { modelNames } from './model-names.ts'
import { readTalks } from './talks.ts'
import { type TopicNote, toNote, topicMeant } from './topic-note.ts'

/** What several conversations are about. */
export interface Topic {
  /** Stays when the name changes. */
  id: string
  name: string
  /** "words" when it is named by its own words, else the model that has named it. */
  namedBy: string
  /** How many conversations are about it. */
  conversations: number
  from?: Date
  to?: Date
  /** The most telling first. */
  telling: Conversation[]
}

export interface TopicList {
  /** The largest first. */
  topics: Topic[]
  /** Conversations that fit nowhere. */
  other: number
  conversations: number
}

export interface TopicsOptions {
  /** Forget which topics there were, and find them anew; what stays the same keeps its id. */
  anew?: boolean | undefined
  /** Have those named by a model that are not; it costs what the model costs, once. */
  nameWithModel?: boolean | undefined
  /** How many conversations of each (default 3). */
  telling?: number | undefined
  signal?: AbortSignal | undefined
}

interface Sources {
  storage: Storage
  person: Person
  history: History
  index: ConversationIndex
  clock: () => Date
  notices: Notices
  /** Names topics where somebody asks for it. */
  languageModel: LanguageModel | undefined
}

const TELLING = 3
/** Key of the notice. */
const UNSORTED = 'conversations.topics'
/** Enough for a model to see what they have in common. */
const MOST_TITLES = 6

/**
 * What a person's conversations are about, in words of their own. Found without a model from the vectors and words that there are, and
 * kept: what is new joins the topics that there are, or makes new ones of what was left over, and nothing else changes.
 */
export class Topics {
  readonly #sources: Sources

  /** @internal */
  constructor(sources: Sources) {
    this.#sources = sources
  }

  async list(options: TopicsOptions = {}): Promise<TopicList> {
    await this.bringUpToDate(options)
    if (options.nameWithModel) await this.#nameWithModel(options.signal)
    const { history, storage, person } = this.#sources
    const kept = (await readKept(storage.db, person)).filter(({ members }) => members.size >= LEAST_MEMBERS)
    const all = await ownConversations(this.#sources)
    const topics = await Promise.all(kept.map((topic) => toTopic(topic, history, options.telling ?? TELLING)))
    const placed = topics.reduce((sum, { conversations }) => sum + conversations, 0)
    return {
      topics: topics.sort((a, b) => b.conversations - a.conversations || (a.name < b.name ? -1 : 1)),
      other: Math.max(0, all - placed),
      conversations: all,
    }
  }

  /** Looks at what has come since the last time; next to nothing when nothing has. */
  async bringUpToDate({ anew = false, signal }: Pick<TopicsOptions, 'anew' | 'signal'> = {}): Promise<void> {
    const { storage, person, index, clock } = this.#sources
    const seen = {
      revision: await newestRevision(storage.db),
      mark: await index.mark(),
      summaries: await this.#summaries(),
    }
    const before = await readSeen(storage.db, person)
    if (!anew && before?.revision === seen.revision && before.mark === seen.mark) return
    const talks = await readTalks(this.#sources, signal)
    const kept = await readKept(storage.db, person)
    const places = new Map(talks.map(({ id }, at) => [id, at]))
    const groups = kept
      .map(({ members }) => [...members.keys()].flatMap((id) => places.get(id) ?? []).sort((a, b) => a - b))
      .filter((members) => members.length > 0)
    const now = clock().getTime()
    const topics = inherited(talks, arranged(talks, anew ? [] : groups, signal), kept, {
      ...{ now, anew },
    })
    await storage.transaction((db) => writeKept(db, person, { before: kept, now: topics, seen, at: now }))
  }

  async #nameWithModel(signal: AbortSignal | undefined): Promise<void> {
    const { storage, person, history, languageModel } = this.#sources
    if (!languageModel) throw noModelToName()
    const kept = (await readKept(storage.db, person)).filter(({ members }) => members.size >= LEAST_MEMBERS)
    const nameless = kept.filter(({ named_by }) => named_by === BY_WORDS)
    const asked = await Promise.all(
      nameless.map(async (topic) => {
        const { telling } = await toTopic(topic, history, MOST_TITLES)
        return { id: topic.id, name: topic.name, titles: telling.map(({ title }) => title) }
      }),
    )
    const names = await modelNames(asked, (request) => languageModel.complete(request, signal))
    const taken = new Set(kept.map(({ name }) => name.toLowerCase()))
    for (const topic of nameless) {
      const name = names.get(topic.id)
      if (name === undefined || (name !== topic.name && taken.has(name.toLowerCase()))) continue
      taken.add(name.toLowerCase())
      await renameTopic(storage.db, person, topic.id, {
        name,
        named_by: languageModel.id,
        named_from: topic.members.size,
      })
    }
  }

  /**
   * The same for whoever works in the background: only when another conversation has its summary, so not at every word. Work goes on when it
   * fails: then topics are found when somebody asks for them.
   */
  async keepSorted(signal: AbortSignal): Promise<void> {
    const { storage, person, notices } = this.#sources
    try {
      const before = await readSeen(storage.db, person)
      if (before?.summaries !== (await this.#summaries())) await this.bringUpToDate({ signal })
      notices.recovered(UNSORTED)
    } catch (error) {
      if (!isRalphError(error) || error.code === 'cancelled') throw error
      const message = `conversations are not sorted into topics: ${error.message}`
      notices.once({ key: UNSORTED, message, hint: error.hint ?? 'ralph doctor' })
    }
  }

  /** What a question in a conversation is one more about, if that is clear from what it has found. */
  async noteFor(asked: {
    query: string
    found: readonly Conversation[]
    current: string
  }): Promise<TopicNote | undefined> {
    const { storage, person, history } = this.#sources
    if (asked.found.length === 0) return undefined
    const kept = (await readKept(storage.db, person)).filter(({ members }) => members.size >= LEAST_MEMBERS)
    const topicOf = new Map(
      kept.flatMap((topic) => [...topic.members.keys()].map((id) => [id, topic] as const)),
    )
    const topic = topicMeant(asked, topicOf)
    return topic && toNote(topic, asked, history)
  }

  async #summaries(): Promise<string> {
    const { storage, person, index } = this.#sources
    const { count } = await storage.db
      .selectFrom('conversations')
      .select((select) => select.fn.countAll().as('count'))
      .where('person', '=', person.id)
      .where('summary', 'is not', null)
      .executeTakeFirstOrThrow()
    return `${count} ${JSON.stringify((await index.of('conversation').state()).sources)}`
  }
}

function noModelToName(): RalphError {
  return new RalphError('unavailable', 'no language model is configured to name topics', {
    hint: 'They are named by their own words without one. Configure one: ralph config set language_model.provider anthropic',
  })
}

async function ownConversations({ storage, person }: Sources): Promise<number> {
  const { count } = await storage.db
    .selectFrom('conversations')
    .select((select) => select.fn.countAll().as('count'))
    .where('person', '=', person.id)
    .where('parent_id', 'is', null)
    .where('exchange_count', '>', 0)
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function toTopic(topic: KeptTopic, history: History, telling: number): Promise<Topic> {
  const ids = [...topic.members].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([id]) => id)
  const members = await history.conversations(ids)
  const times = [...members.values()].flatMap(({ startedAt, updatedAt }) => [
    startedAt ?? updatedAt,
    updatedAt ?? startedAt,
  ])
  const known = times.flatMap((time) => time?.getTime() ?? []).sort((a, b) => a - b)
  return {
    id: topic.id,
    name: topic.name,
    namedBy: topic.named_by,
    conversations: members.size,
    ...(known.length > 0 && { from: new Date(known[0]!), to: new Date(known.at(-1)!) }),
    telling: distinct(ids.flatMap((id) => members.get(id) ?? [])).slice(0, telling),
  }
}

/** Ten of one title tell no more than one. */
function distinct(conversations: readonly Conversation[]): Conversation[] {
  const titles = new Set<string>()
  return conversations.filter(({ title }) => !titles.has(title) && titles.add(title))
}
