import type { History } from '../history.ts'
import type { Conversation } from '../record.ts'
import type { KeptTopic } from './kept-topics.ts'
import { phrasesOf, prose } from './telling-words.ts'

/** That a conversation is one more about something, and what became of others. */
export interface TopicNote {
  id: string
  name: string
  /** Which of all about it this one is: the 5th. */
  number: number
  /** When the one before was. */
  last?: Date
  /** The latest that are not told of already. */
  others: EndedConversation[]
}

export interface EndedConversation {
  conversation: Conversation
  /** In a few words of its own. */
  ended: string
}

const MOST_OTHERS = 2

interface Asked {
  query: string
  /** What the query has found, the best first. */
  found: readonly Conversation[]
  /** The conversation that the query is part of. */
  current: string
}

/**
 * True or silent: the conversation that answers best must be about the topic and most others found, too, and either the query says what the topic is
 * called or several of them say so.
 */
export function topicMeant(
  { query, found }: Asked,
  topicOf: ReadonlyMap<string, KeptTopic>,
): KeptTopic | undefined {
  const topics = found.map(({ id }) => topicOf.get(id))
  const [topic] = topics
  if (!topic) return undefined
  const agreeing = topics.filter((one) => one?.id === topic.id).length
  if (agreeing * 2 < topics.length) return undefined
  return agreeing > 1 || saysName(query, topic.name) ? topic : undefined
}

function saysName(query: string, name: string): boolean {
  const named = new Set(phrasesOf(name).flatMap(({ stems, isWeak }) => (isWeak ? [] : stems)))
  return phrasesOf(prose(query)).some(({ stems }) => stems.some((stem) => named.has(stem)))
}

export async function toNote(
  topic: KeptTopic,
  { found, current }: Asked,
  history: History,
): Promise<TopicNote> {
  const members = await history.conversations([...topic.members.keys()].filter((id) => id !== current))
  const latest = [...members.values()].sort((a, b) => timeOf(b) - timeOf(a) || (a.id < b.id ? -1 : 1))
  const told = new Set(found.map(({ id }) => id))
  const others = latest.filter(({ id }) => !told.has(id)).slice(0, MOST_OTHERS)
  const last = latest[0]?.updatedAt ?? latest[0]?.startedAt
  return {
    id: topic.id,
    name: topic.name,
    number: members.size + 1,
    ...(last && { last }),
    others: await Promise.all(
      others.map(async (conversation) => ({ conversation, ended: await endOf(conversation, history) })),
    ),
  }
}

/** How it ended: what its summary says last; that it was interrupted, where it was. */
async function endOf({ id, exchangeCount, summary }: Conversation, history: History): Promise<string> {
  const [last] = await history.exchangesOf(id, { from: Math.max(0, exchangeCount - 1), limit: 1 })
  if (last?.status === 'interrupted') return 'interrupted'
  const sentences = (summary ?? '').split(/(?<=[.!?])\s+/).filter((sentence) => /\p{L}{2}/u.test(sentence))
  return sentences.at(-1) ?? ''
}

function timeOf({ updatedAt, startedAt }: Conversation): number {
  return (updatedAt ?? startedAt)?.getTime() ?? 0
}
