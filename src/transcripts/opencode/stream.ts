import { asObject, asString, type JsonObject } from '../../text/json.ts'
import type { LineDecoder } from '../agent-format.ts'
import type { AgentEvent, DecodedLine } from '../events.ts'
import type { CollectLimits } from '../limits.ts'
import { failureEvents, isOverflow } from './failures.ts'
import { PartReader } from './parts.ts'
import { timestampOf } from './times.ts'

/** Lines of `opencode run --format json`: parts of answers as they are complete. Nothing says that the run is over. */
export class PartStreamDecoder implements LineDecoder {
  readonly #parts: PartReader
  /** The next answer is the summary of what was too long: no answer to the person. */
  #compacting = false
  /** When old outputs are dropped from the context at the end of a run, opencode tells those calls once more. */
  readonly #told = new Set<string>()

  constructor(limits: CollectLimits) {
    this.#parts = new PartReader(limits)
  }

  decode(line: JsonObject): DecodedLine {
    const frame = { timestamp: timestampOf(line['timestamp']), sessionId: asString(line['sessionID']) }
    const error = asObject(line['error'])
    if (error) {
      this.#compacting = isOverflow(error)
      return { ...frame, known: line['type'] === 'error', events: failureEvents(error) }
    }
    const part = asObject(line['part']) ?? {}
    const id = asString(part['id'])
    if (id !== undefined && this.#told.has(id)) return { ...frame, known: true, events: [] }
    if (id !== undefined) this.#told.add(id)
    return { ...frame, known: this.#parts.isKnown(part), events: this.#events(part) }
  }

  #events(part: JsonObject): AgentEvent[] {
    if (part['type'] !== 'step-finish')
      return this.#compacting && part['type'] === 'text' ? [] : this.#parts.events(part, false)
    const events = this.#parts.events(part, false)
    const summarised = this.#compacting
    this.#compacting = false
    return summarised ? events : [...events, ...this.#parts.ended(asString(part['reason']) ?? 'unknown')]
  }
}
