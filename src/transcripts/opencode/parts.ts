import { asNumber, asObject, asString, type JsonObject } from '../../text/json.ts'
import type { TokenUsage } from '../agent-run.ts'
import { closing } from '../closing.ts'
import type { AgentEvent } from '../events.ts'
import type { CollectLimits } from '../limits.ts'
import { gaveUp } from './failures.ts'
import { callInPart, isRejected, resultInPart } from './tools.ts'

/** After these the model is asked again. */
const GOES_ON = new Set(['tool-calls', 'unknown'])
/** Parts we know and do not need. */
const IDLE_TYPES = new Set([
  'step-start',
  'reasoning',
  'patch',
  'snapshot',
  'compaction',
  'file',
  'agent',
  'subtask',
  'retry',
])

/** The parts of an answer, which are the same in the stream and in what is stored, and what they sum up to. */
export class PartReader {
  readonly #limits: CollectLimits
  readonly #usage: TokenUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  #costUsd = 0
  #lastText = ''
  #rejection: string | undefined

  constructor(limits: CollectLimits) {
    this.#limits = limits
  }

  isKnown(part: JsonObject): boolean {
    const type = asString(part['type']) ?? ''
    return IDLE_TYPES.has(type) || ['text', 'tool', 'step-finish'].includes(type)
  }

  events(part: JsonObject, subAgent: boolean): AgentEvent[] {
    switch (part['type']) {
      case 'text':
        return this.#text(part, subAgent)
      case 'tool':
        return this.#tool(part, subAgent)
      case 'step-finish':
        return [this.used(part)]
      default:
        return []
    }
  }

  /** What a step or a message used, added to what came before. */
  used(step: JsonObject): AgentEvent {
    const tokens = asObject(step['tokens'])
    const cache = asObject(tokens?.['cache'])
    this.#usage.input += asNumber(tokens?.['input']) ?? 0
    // Reasoning is not in the output, but is paid like it.
    this.#usage.output += (asNumber(tokens?.['output']) ?? 0) + (asNumber(tokens?.['reasoning']) ?? 0)
    this.#usage.cacheRead += asNumber(cache?.['read']) ?? 0
    this.#usage.cacheWrite += asNumber(cache?.['write']) ?? 0
    this.#costUsd += asNumber(step['cost']) ?? 0
    // Nothing is said of a model without a price or behind a subscription.
    const costUsd = this.#costUsd > 0 ? this.#costUsd : undefined
    return { kind: 'totals', costUsd, usage: { ...this.#usage } }
  }

  /** How an answer that came to its end leaves the run; nothing while it goes on. */
  ended(reason: string): AgentEvent[] {
    const rejection = this.#rejection
    this.#rejection = undefined
    if (!GOES_ON.has(reason)) return [{ kind: 'result', result: closing({ text: this.#lastText }) }]
    // Where nobody can give a permission, opencode stops without a word.
    return rejection === undefined ? [] : [{ kind: 'result', result: gaveUp('error_permission', rejection) }]
  }

  #text(part: JsonObject, subAgent: boolean): AgentEvent[] {
    const text = asString(part['text']) ?? ''
    // Written by opencode itself.
    if (part['synthetic'] === true || part['ignored'] === true || text.trim() === '') return []
    if (!subAgent) this.#lastText = text
    return [{ kind: 'text', text, subAgent }]
  }

  #tool(part: JsonObject, subAgent: boolean): AgentEvent[] {
    const call = callInPart(part, subAgent, this.#limits)
    if (!call) return []
    const result = resultInPart(part)
    if (result && !subAgent) this.#rejection = isRejected(result) ? result.text : this.#rejection
    const input = asObject(asObject(part['state'])?.['input'])
    const about =
      asString(input?.['pattern']) ?? asString(input?.['description']) ?? asString(input?.['query'])
    const events: AgentEvent[] = [{ kind: 'call', call, about }]
    if (result) events.push({ kind: 'call_result', id: call.id, result, subAgent })
    return events
  }
}
