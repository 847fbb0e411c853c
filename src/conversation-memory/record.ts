import { createHash } from 'node:crypto'
import { RalphError } from '../errors.ts'
import { sanitise } from '../text/sanitise.ts'
import { z } from '../text/schema.ts'
import { truncate } from '../text/truncate.ts'
import type { AgentName } from '../transcripts/agents.ts'
import { BACKUP_FIELDS, type GivenVector } from './backup-line.ts'

/** Where a conversation came from. */
export type ConversationSource = 'chat' | AgentName | 'jsonl' | 'api'

/** `open`: the answer is still being written. `interrupted`: it never came, or not in full. */
export type ExchangeStatus = 'completed' | 'interrupted' | 'open'

export interface Conversation {
  id: string
  title: string
  source: ConversationSource
  project?: string
  /** Of a sub-agent: the conversation that started it. */
  parentId?: string
  startedAt?: Date
  updatedAt?: Date
  exchangeCount: number
  summary?: string
  /** The upvotes of the person who looks, less their downvotes. */
  votes: number
  /** Everybody of the team sees it. */
  shared?: true
  /** Whose it is, where it is not one's own. */
  from?: string
}

/** Whether and by whom it is shared, for people; nothing where it is one's own alone. */
export function sharedWords({ shared, from }: Pick<Conversation, 'shared' | 'from'>): string[] {
  if (from !== undefined) return [`shared by ${from}`]
  return shared ? ['shared'] : []
}

export interface Exchange {
  id: string
  conversationId: string
  /** From 0 within its conversation. */
  position: number
  userMessage: string
  assistantMessage: string
  status: ExchangeStatus
  startedAt?: Date
  completedAt?: Date
  summary?: string
  votes: number
}

export interface Message {
  role: 'user' | 'assistant' | 'tool_call' | 'tool_result' | 'system'
  content: string
  toolName?: string
}

/** An exchange as it arrives, from whatever source. */
export interface NewExchange {
  conversationId: string
  /** Made from the content when absent. */
  id?: string
  /** True when the id is unique over all conversations, so that the same one elsewhere is a copy. */
  uniqueId?: boolean
  userMessage: string
  assistantMessage: string
  status?: ExchangeStatus
  startedAt?: Date
  completedAt?: Date
  /** What happened in between. The first may repeat the user's message, the last the answer. */
  messages?: readonly Message[]
}

/** What is known of the conversation an exchange belongs to; a later title replaces an earlier one. */
export interface ConversationFacts {
  title?: string
  source: ConversationSource
  project?: string
  parentId?: string
}

/** What a backup knows besides: it fills what is missing here, and replaces nothing that is newer. */
export interface RestoredFacts {
  /** When anything was last said in it, as far as the backup knows. */
  updatedAt?: Date
  shared?: boolean
  votes?: number
  summary?: RestoredSummary & { covers: number }
  vector?: GivenVector
}

export interface RestoredSummary {
  text: string
  /** Who wrote it. */
  model: string
}

/** The same of an exchange. */
export interface RestoredExchange {
  summary?: RestoredSummary
  votes?: number
  vector?: GivenVector
  conversation?: RestoredFacts
}

export const EXCHANGE_CAPS = {
  title: 120,
  /** Longer than anything people read; a pasted dump is cut here, visibly. */
  message: 1_000_000,
  toolText: 4_000,
  messagesPerExchange: 2_000,
} as const

const Time = z
  .pipe(
    z.union([z.string(), z.number()]),
    z.transform((value) => new Date(value)),
  )
  .check(
    z.refine((date) => !Number.isNaN(date.getTime()), { error: 'must be a time, e.g. 2026-02-07T14:30:00Z' }),
  )

const ROLES = ['user', 'assistant', 'tool_call', 'tool_result', 'system'] as const
const LineMessage = z.looseObject({
  role: z.string(),
  content: z.optional(z.union([z.string(), z.null(), z.array(z.unknown()), z.looseObject({})])),
  tool_name: z.nullish(z.string()),
  name: z.nullish(z.string()),
  tool_calls: z.optional(z.unknown()),
})

/** One exchange per line: the neutral form of `ralph conversations import|export --format jsonl`. */
export const ExchangeLine = z.object({
  conversation_id: z.pipe(z.union([z.string().check(z.minLength(1)), z.number()]), z.transform(String)),
  title: z.nullish(z.string()),
  exchange_id: z.nullish(
    z.pipe(z.union([z.string().check(z.minLength(1)), z.number()]), z.transform(String)),
  ),
  user_message: z.string(),
  assistant_message: z.nullable(z.string()),
  status: z.nullish(z.enum(['completed', 'interrupted', 'open'])),
  started_at: z.nullish(Time),
  completed_at: z.nullish(Time),
  messages: z.nullish(z.array(LineMessage)),
  tags: z.nullish(z.array(z.string())),
  summary: z.nullish(z.string()),
  ...BACKUP_FIELDS,
})
export type ExchangeLine = z.infer<typeof ExchangeLine>

/** Reads one line; throws a RalphError saying what is wrong with it. */
export function parseExchangeLine(line: string): ExchangeLine {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    throw new RalphError('invalid_input', 'not JSON', { cause: error })
  }
  const parsed = ExchangeLine.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  const place = issue.path.join('.')
  throw new RalphError('invalid_input', place ? `${place}: ${issue.message}` : issue.message)
}

/** Messages of any tool's export, in our words: unknown roles are kept as what the system said. */
export function toMessage(value: z.infer<typeof LineMessage>): Message {
  const toolName = value.tool_name ?? value.name ?? undefined
  const content = [
    textOf(value.content),
    value.tool_calls === undefined ? '' : JSON.stringify(value.tool_calls),
  ]
    .filter(Boolean)
    .join('\n')
  const role =
    value.role === 'tool' ? 'tool_result' : (ROLES.find((known) => known === value.role) ?? 'system')
  return { role, content, ...(toolName && { toolName }) }
}

function textOf(content: unknown): string {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map(textOf).filter(Boolean).join('\n')
  const text = (content as { text?: unknown }).text
  return typeof text === 'string' ? text : JSON.stringify(content)
}

/** Short, so that a list of ids costs few tokens; 65 bits keep millions apart. The same parts give the same id. */
export function hashedId(...parts: readonly (string | number)[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest()
  let bits = hash.readBigUInt64BE(0)
  let id = ''
  for (let count = 0; count < 13; count++) {
    id = ALPHABET[Number(bits & 31n)]! + id
    bits >>= 5n
  }
  return id
}
/** Without letters that are mistaken for each other (Crockford). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** The first line that says something, for a conversation without a title. */
export function titleFrom(text: string): string {
  const [first = '', second = ''] = text
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .split('\n')
    .map((candidate) => candidate.replace(/^[#>\s*-]+/, '').trim())
    .filter((candidate) => /[\p{L}\p{N}]/u.test(candidate))
  // "Implement the following plan:" begins a hundred of them; what follows tells them apart.
  const line = first.endsWith(':') ? `${first} ${second}`.trim() : first
  return truncate(sanitise(line) || 'Untitled', EXCHANGE_CAPS.title)
}

/** Databases take no null characters and no half characters. */
export function storable(text: string, max: number = EXCHANGE_CAPS.message): string {
  return truncate(text.replaceAll('\0', '').toWellFormed(), max)
}
