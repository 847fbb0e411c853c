import { asString, type JsonObject } from '../../text/json.ts'
import { DecodedExchanges } from '../decoded-exchanges.ts'
import type { ExchangeReader, SessionFacts, TranscriptExchange } from '../exchange.ts'
import { COLLECT_LIMITS } from '../limits.ts'
import { PiDecoder } from './decoder.ts'

interface Placed {
  line: JsonObject
  offset: number
}

/**
 * The conversation in a session file of pi. The file is a tree: whoever goes back to an earlier message and says something else
 * begins a branch, and the conversation is what leads to the last line. What was done in a branch that was left has been done
 * all the same, so the run counts it.
 */
export class PiExchanges implements ExchangeReader {
  readonly openOffset = 0
  readonly #lines: Placed[] = []
  readonly #reading: DecodedExchanges

  constructor(path: string) {
    this.#reading = new DecodedExchanges(new PiDecoder(COLLECT_LIMITS), path)
  }

  get facts(): SessionFacts {
    return this.#reading.facts
  }

  push(line: JsonObject, offset: number): TranscriptExchange[] {
    this.#lines.push({ line, offset })
    return []
  }

  finish(): TranscriptExchange[] {
    const lines = leadingToLast(this.#lines.splice(0))
    const finished = lines.flatMap(({ line, offset }) => this.#reading.push(line, offset))
    return [...finished, ...this.#reading.finish()]
  }
}

/** Lines without a place in the tree, as the first one and those of older versions, belong to every branch. */
function leadingToLast(lines: readonly Placed[]): Placed[] {
  const parents = new Map<string, string | undefined>()
  for (const { line } of lines) {
    const id = idOf(line)
    if (id !== undefined) parents.set(id, asString(line['parentId']))
  }
  const path = new Set<string>()
  let id = [...parents.keys()].at(-1)
  while (id !== undefined && !path.has(id)) {
    path.add(id)
    id = parents.get(id)
  }
  return lines.filter(({ line }) => {
    const own = idOf(line)
    return own === undefined || path.has(own)
  })
}

function idOf(line: JsonObject): string | undefined {
  return 'parentId' in line ? asString(line['id']) : undefined
}
