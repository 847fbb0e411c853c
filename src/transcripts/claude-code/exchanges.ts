import { asObject, asString, type JsonObject } from '../../text/json.ts'
import type { AgentEvent } from '../events.ts'
import type { TranscriptExchange } from '../exchange.ts'
import { ExchangeBuilder, toDate } from '../exchange-builder.ts'
import { COLLECT_LIMITS } from '../limits.ts'
import { decodeSessionLine } from './session.ts'

/**
 * Lines of one session file → exchanges. What the program itself writes in the user's role (hooks, slash commands,
 * compaction) is nobody's message.
 */
export class SessionExchanges {
  readonly #conversationId: string
  readonly #builder = new ExchangeBuilder()

  constructor(conversationId: string) {
    this.#conversationId = conversationId
  }

  get openOffset(): number | undefined {
    return this.#builder.openOffset
  }

  get isFromLoop(): boolean {
    return this.#builder.isFromLoop
  }

  push(line: JsonObject, offset: number): TranscriptExchange | undefined {
    // A sub-agent's own file is a conversation like any other.
    const own = { ...withoutInsertions(line), isSidechain: false }
    const { events, timestamp } = decodeSessionLine(own, COLLECT_LIMITS)
    // A forked session repeats the messages of the one it came from: they stay with that one.
    const origin = asObject(line['forkedFrom'])
    return this.#builder.push(events.filter((event) => !isProgramsWords(event, line)).map(cleaned), {
      promptId: asString(origin?.['messageUuid']) ?? asString(line['uuid']),
      conversationId: asString(origin?.['sessionId']) ?? this.#conversationId,
      offset,
      at: toDate(timestamp),
    })
  }

  finish(): TranscriptExchange | undefined {
    return this.#builder.finish()
  }
}

const INSERTED = /<(system-reminder|ide_[a-z_]+)>[\s\S]*?<\/\1>/g

function cleaned(event: AgentEvent): AgentEvent {
  if (event.kind !== 'call_result') return event
  return { ...event, result: { ...event.result, text: event.result.text.replace(INSERTED, '') } }
}

/** What programs put into a person's message is taken out before anybody reads it. */
function withoutInsertions(line: JsonObject): JsonObject {
  const message = asObject(line['message'])
  if (line['type'] !== 'user' || !message) return line
  const { content } = message
  if (typeof content === 'string')
    return { ...line, message: { ...message, content: content.replace(INSERTED, '') } }
  if (!Array.isArray(content)) return line
  const parts = content.map((part: unknown) => {
    const text = asString(asObject(part)?.['text'])
    return text === undefined ? part : { ...(part as JsonObject), text: text.replace(INSERTED, '') }
  })
  return { ...line, message: { ...message, content: parts } }
}

/** In the user's role, but not from a person. */
function isProgramsWords(event: AgentEvent, line: JsonObject): boolean {
  if (event.kind !== 'prompt') return false
  const kind = asString(asObject(line['origin'])?.['kind'])
  if (kind !== undefined && kind !== 'human') return true
  return (
    /^\s*<(?:bash-(?:input|stdout|stderr)|task-notification|user-prompt-submit-hook)>/.test(event.text) ||
    event.text.trim() === ''
  )
}
