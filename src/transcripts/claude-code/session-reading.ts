import { asString, type JsonObject } from '../../text/json.ts'
import type { ExchangeReader, SessionFacts, TranscriptExchange } from '../exchange.ts'
import { SessionExchanges } from './exchanges.ts'
import { fileOwner } from './session-files.ts'

/** One file under way: the session's own chain and, in files of older versions, the sub-agents' in between. */
export class SessionReading implements ExchangeReader {
  readonly #path: string
  #main: SessionExchanges | undefined
  #side: SessionExchanges | undefined
  #custom: string | undefined
  #automatic: string | undefined
  readonly #summaries = new Map<string, string>()
  #cwd: string | undefined
  #parentId: string | undefined
  #conversationId = ''
  #sideWorksForLoop = false

  constructor(path: string) {
    this.#path = path
  }

  get facts(): SessionFacts {
    return {
      conversationId: this.#conversationId,
      parentId: this.#parentId,
      title: this.#custom ?? this.#automatic,
      cwd: this.#cwd,
    }
  }

  get openOffset(): number | undefined {
    const offsets = [this.#main?.openOffset, this.#side?.openOffset].filter((offset) => offset !== undefined)
    return offsets.length ? Math.min(...offsets) : undefined
  }

  push(line: JsonObject, offset: number): TranscriptExchange[] {
    this.#notice(line)
    if (line['type'] !== 'user' && line['type'] !== 'assistant') return []
    const chain = this.#chain(line)
    const before = chain.openOffset
    const finished = chain.push(line, offset)
    const exchanges = finished ? [this.#attributed(finished, chain)] : []
    if (chain === this.#side && chain.openOffset !== before)
      this.#sideWorksForLoop = this.#main?.isFromLoop === true
    return exchanges
  }

  finish(): TranscriptExchange[] {
    return [this.#main, this.#side].flatMap((chain) => {
      const exchange = chain?.finish()
      return exchange ? [this.#attributed(exchange, chain!)] : []
    })
  }

  /** A sub-agent works for whoever talked to its session when it was started. */
  #attributed(exchange: TranscriptExchange, chain: SessionExchanges): TranscriptExchange {
    return chain === this.#side && this.#sideWorksForLoop ? { ...exchange, fromLoop: true } : exchange
  }

  #chain(line: JsonObject): SessionExchanges {
    if (!this.#main) {
      const owner = fileOwner(this.#path, asString(line['sessionId']), asString(line['agentId']))
      this.#conversationId = owner.conversationId
      this.#parentId = owner.parentId
      this.#main = new SessionExchanges(owner.conversationId)
    }
    // In a sub-agent's own file every line is marked; in a session's file the marked ones are the sub-agents'.
    if (line['isSidechain'] !== true || this.#parentId !== undefined) return this.#main
    this.#side ??= new SessionExchanges(`${this.#conversationId}/sub-agents`)
    return this.#side
  }

  #notice(line: JsonObject): void {
    this.#cwd ??= asString(line['cwd'])
    if (line['type'] === 'custom-title') this.#custom = asString(line['customTitle']) ?? this.#custom
    if (line['type'] === 'ai-title') this.#automatic = asString(line['aiTitle']) ?? this.#automatic
    const uuid = asString(line['uuid'])
    const titled = uuid !== undefined ? this.#summaries.get(uuid) : undefined
    if (titled !== undefined) this.#automatic ??= titled
    if (line['type'] !== 'summary') return
    // Old versions also wrote the titles of other sessions here: only one that names a line of this file is ours.
    const [leaf, summary] = [asString(line['leafUuid']), asString(line['summary'])]
    if (leaf !== undefined && summary !== undefined) this.#summaries.set(leaf, summary)
  }
}
