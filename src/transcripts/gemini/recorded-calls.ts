import { asObject, asString, type JsonObject } from '../../text/json.ts'
import type { AgentEvent, CallResult } from '../events.ts'
import type { CollectLimits } from '../limits.ts'
import { messageParts, toolAnswers } from './parts.ts'
import { toldResult } from './shell-output.ts'
import { aboutCall, describeGeminiCall } from './tools.ts'

/** The calls in the messages of a session file: each is told once, with its result as soon as there is one. */
export class RecordedCalls {
  readonly #limits: CollectLimits
  readonly #told = new Set<string>()
  readonly #settled = new Set<string>()

  constructor(limits: CollectLimits) {
    this.#limits = limits
  }

  take(record: JsonObject, subAgent: boolean): AgentEvent[] {
    const [id, name] = [asString(record['id']), asString(record['name'])]
    if (id === undefined || name === undefined) return []
    const events: AgentEvent[] = []
    const input = asObject(record['args']) ?? {}
    const call = describeGeminiCall(id, name, input, subAgent, this.#limits)
    if (!this.#told.has(id)) events.push({ kind: 'call', call, about: aboutCall(input) })
    this.#told.add(id)
    const result = this.#settled.has(id) ? undefined : resultOf(record, call.kind === 'shell')
    if (result) {
      this.#settled.add(id)
      events.push({ kind: 'call_result', id, result, subAgent })
    }
    return events
  }

  /** A call that the file says nothing of but that there was one. */
  unknown(subAgent: boolean): AgentEvent {
    return { kind: 'call', call: describeGeminiCall('untold', 'unknown', {}, subAgent, this.#limits) }
  }
}

const FINAL = new Set(['success', 'error', 'cancelled'])

function resultOf(record: JsonObject, isShell: boolean): CallResult | undefined {
  const status = asString(record['status']) ?? ''
  if (!FINAL.has(status)) return undefined
  const shown = asString(record['resultDisplay'])
  const answer = toolAnswers(messageParts(record['result']))[0]
  const text = answer?.text ?? shown ?? ''
  const isError = status !== 'success' || answer?.isError === true
  const unfinished = status === 'cancelled'
  if (!isShell || isError)
    return { isError, text, structured: { unfinished, display: asObject(record['resultDisplay']) } }
  const { failed, output, ...outcome } = toldResult(text)
  // What is shown is whole where the model got both ends only.
  return { isError: failed, text: shown || output, structured: outcome }
}
