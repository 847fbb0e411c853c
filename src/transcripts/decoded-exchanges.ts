import { basename, extname } from 'node:path'
import type { JsonObject } from '../text/json.ts'
import type { LineDecoder } from './agent-format.ts'
import type { AgentEvent } from './events.ts'
import type { ExchangeReader, SessionFacts, TranscriptExchange } from './exchange.ts'
import { ExchangeBuilder, toDate } from './exchange-builder.ts'

/**
 * The exchanges of a session file, from what its decoder tells of each line. Such files say at their beginning whose they are,
 * and some change what they said before: they are read from the beginning each time.
 */
export class DecodedExchanges implements ExchangeReader {
  readonly openOffset = 0
  readonly #decoder: LineDecoder
  readonly #builder = new ExchangeBuilder()
  #facts: SessionFacts

  constructor(decoder: LineDecoder, path: string) {
    this.#decoder = decoder
    const conversationId = basename(path, extname(path))
    this.#facts = { conversationId, parentId: undefined, title: undefined, cwd: undefined }
  }

  get facts(): SessionFacts {
    return this.#facts
  }

  push(line: JsonObject, offset: number): TranscriptExchange[] {
    const { events, timestamp, sessionId, promptId } = this.#decoder.decode(line)
    if (sessionId !== undefined) this.#facts = { ...this.#facts, conversationId: sessionId }
    this.#notice(events)
    return this.#build(events, { offset, at: toDate(timestamp), promptId })
  }

  finish(): TranscriptExchange[] {
    const late = this.#decoder.end?.() ?? []
    const finished = this.#build(late, { offset: 0, at: undefined, promptId: undefined })
    const last = this.#builder.finish()
    return last ? [...finished, last] : finished
  }

  #build(
    events: readonly AgentEvent[],
    line: { offset: number; at: Date | undefined; promptId: string | undefined },
  ): TranscriptExchange[] {
    const told = this.#facts.parentId === undefined ? events.filter((event) => !isHelpersText(event)) : events
    const finished = this.#builder.push(told, { ...line, conversationId: this.#facts.conversationId })
    return finished ? [finished] : []
  }

  #notice(events: readonly AgentEvent[]): void {
    for (const event of events) {
      if (event.kind !== 'session') continue
      const { cwd, title, parentId } = event
      this.#facts = {
        ...this.#facts,
        cwd: this.#facts.cwd ?? cwd,
        title: title ?? this.#facts.title,
        parentId: this.#facts.parentId ?? parentId,
      }
    }
  }
}

/** What a sub-agent says, it says to the agent: the result of its call tells it. */
function isHelpersText(event: AgentEvent): boolean {
  return event.kind === 'text' && event.subAgent
}
