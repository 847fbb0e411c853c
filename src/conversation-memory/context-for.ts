import { isRalphError, messageOf } from '../errors.ts'
import type { Notices } from '../notices.ts'
import { contextSection } from './retrieve/context.ts'
import type { Retrieval, RetrieveOptions } from './retrieve/retriever.ts'
import type { SettingsStore } from './settings.ts'
import type { TopicNote } from './topics/topic-note.ts'
import type { Topics } from './topics/topics.ts'

export interface ContextOptions extends RetrieveOptions {
  /** The conversation that the query is part of, when it should be told what it is one more about. */
  topicOf?: string | undefined
}

/** What goes before an answer. */
export interface ConversationContext {
  text: string
  retrieval: Retrieval
  /** What this conversation is one more about, where that is clear. */
  topic?: TopicNote
}

interface Sources {
  settings: SettingsStore
  topics: Topics
  notices: Notices
  retrieve: (query: string, options: RetrieveOptions) => Promise<Retrieval>
}

/** Key of the notice. */
const WITHOUT = 'conversations.retrieval'

export async function contextFor(
  { settings, topics, notices, retrieve }: Sources,
  query: string,
  { topicOf, ...options }: ContextOptions,
): Promise<ConversationContext | undefined> {
  try {
    if (!(await settings.read()).ragEnabled) return undefined
    const retrieval = await retrieve(query, options)
    notices.recovered(WITHOUT)
    const found = retrieval.conversations.map(({ conversation }) => conversation)
    const topic = topicOf === undefined ? undefined : await topics.noteFor({ query, found, current: topicOf })
    const text = contextSection(retrieval, { topic })
    return text === undefined ? undefined : { text, retrieval, ...(topic && { topic }) }
  } catch (error) {
    if (isRalphError(error) && error.code === 'cancelled') throw error
    notices.once({
      key: WITHOUT,
      message: `answering without past conversations: ${messageOf(error)}`,
      hint: isRalphError(error) && error.hint ? error.hint : 'ralph doctor',
    })
    return undefined
  }
}
