import { asArray, asNumber, asObject, asString, type JsonObject, objects } from '../../text/json.ts'
import type { LineDecoder } from '../agent-format.ts'
import type { TranscriptFormat } from '../agent-run.ts'
import { closing } from '../closing.ts'
import type { AgentEvent, DecodedLine } from '../events.ts'
import type { CollectLimits } from '../limits.ts'
import { answerEvents, callEvent, callResult, endOf, failureOf, messageText, usedFor } from './messages.ts'

const ROLES = new Set([
  'user',
  'assistant',
  'toolResult',
  'custom',
  'bashExecution',
  'branchSummary',
  'compactionSummary',
  'hookMessage',
])
/** Entries of a session file that are no message. */
const ENTRIES = new Set([
  'model_change',
  'thinking_level_change',
  'compaction',
  'branch_summary',
  'custom',
  'custom_message',
  'label',
  'session_info',
])
/** Lines of the stream that repeat others, or tell nothing we keep. */
const IDLE_LINES = new Set([
  'agent_start',
  'turn_start',
  'turn_end',
  'message_start',
  'message_update',
  'tool_execution_update',
  'auto_retry_end',
  'compaction_start',
  'compaction_end',
  'queue_update',
  'session_info_changed',
  'thinking_level_changed',
])

/** Which of its two formats a line is in; both begin with the same. */
export function formatOf(line: JsonObject): TranscriptFormat | undefined {
  const type = String(line['type'])
  if (isHeader(line)) return 'session'
  if (ENTRIES.has(type))
    return 'parentId' in line && asString(line['id']) !== undefined ? 'session' : undefined
  if (type === 'message') return ROLES.has(roleOf(line)) ? 'session' : undefined
  if (type === 'message_end') return ROLES.has(roleOf(line)) ? 'stream-json' : undefined
  if (type.startsWith('tool_execution_'))
    return asString(line['toolCallId']) === undefined ? undefined : 'stream-json'
  if (type === 'agent_end') return Array.isArray(line['messages']) ? 'stream-json' : undefined
  return IDLE_LINES.has(type) || type === 'auto_retry_start' ? 'stream-json' : undefined
}

/** Some types are common words: these lines can be nobody else's. */
export function recognises(line: JsonObject): boolean {
  return isHeader(line) || (!IDLE_LINES.has(String(line['type'])) && formatOf(line) !== undefined)
}

function isHeader(line: JsonObject): boolean {
  return (
    line['type'] === 'session' && asString(line['id']) !== undefined && asString(line['cwd']) !== undefined
  )
}

function roleOf(line: JsonObject): string {
  return asString(asObject(line['message'])?.['role']) ?? ''
}

/** The output of `pi --mode json`, and its session files: the same messages in different frames. */
export class PiDecoder implements LineDecoder {
  readonly #limits: CollectLimits
  readonly #called = new Set<string>()
  readonly #settled = new Set<string>()
  #responses = 0
  #costUsd = 0
  /** The last message of the model. */
  #last: JsonObject | undefined
  #lastWords = ''

  constructor(limits: CollectLimits) {
    this.#limits = limits
  }

  decode(line: JsonObject): DecodedLine {
    const decoded: DecodedLine = { known: true, events: [], timestamp: asString(line['timestamp']) }
    switch (line['type']) {
      case 'session':
        return {
          ...decoded,
          sessionId: asString(line['id']),
          events: [{ kind: 'session', cwd: asString(line['cwd']) }],
        }
      case 'model_change':
        return { ...decoded, events: [{ kind: 'session', model: asString(line['modelId']) }] }
      case 'session_info':
        return { ...decoded, events: [{ kind: 'session', title: asString(line['name']) }] }
      case 'message':
        return { ...decoded, ...this.#entry(asObject(line['message']) ?? {}, asString(line['id'])) }
      case 'message_end': {
        const message = asObject(line['message']) ?? {}
        return { known: true, ...this.#message(message), timestamp: timeOf(message) }
      }
      case 'tool_execution_start':
        return { ...decoded, events: this.#call(line) }
      case 'tool_execution_end':
        return { ...decoded, events: this.#result(line, asObject(line['result']) ?? {}) }
      case 'auto_retry_start': {
        const { cause } = failureOf(line['errorMessage'])
        return { ...decoded, events: [{ kind: 'retry', rateLimited: cause === 'rate_limit' }] }
      }
      case 'agent_end':
        return { ...decoded, events: this.#agentEnd(objects(asArray(line['messages']))) }
      default:
        return decoded
    }
  }

  /** A session file has no line for the end: the model's last message tells. */
  #entry(message: JsonObject, id: string | undefined): Omit<DecodedLine, 'known'> {
    const isAnswer = message['role'] === 'assistant'
    const askedAgain = isAnswer && this.#last?.['stopReason'] === 'error'
    const { cause } = failureOf(this.#last?.['errorMessage'])
    const retry: AgentEvent[] = askedAgain ? [{ kind: 'retry', rateLimited: cause === 'rate_limit' }] : []
    const told = this.#message(message)
    const result = isAnswer ? endOf(message) : undefined
    const events: AgentEvent[] = result ? [...told.events, { kind: 'result', result }] : told.events
    // An id is short, and unique in its file only; a session that goes on from another repeats both.
    const promptId = id === undefined ? undefined : `${id}-${String(message['timestamp'])}`
    return { ...told, events: [...retry, ...events], ...(message['role'] === 'user' && { promptId }) }
  }

  #message(message: JsonObject): Omit<DecodedLine, 'known'> {
    switch (message['role']) {
      case 'user': {
        this.#last = undefined
        const text = messageText(message['content'])
        return { events: text.trim() ? [{ kind: 'prompt', text }] : [], afterWait: true }
      }
      case 'assistant':
        return { events: this.#answer(message) }
      case 'toolResult':
        return { events: this.#result(message, message) }
      default:
        return { events: [] }
    }
  }

  #answer(message: JsonObject): AgentEvent[] {
    this.#last = message
    const model = asString(message['model'])
    const events: AgentEvent[] = model ? [{ kind: 'session', model }] : []
    const used = usedFor(message)
    if (used) {
      events.push({ kind: 'response', id: String(++this.#responses), usage: used.usage, characters: () => 0 })
      this.#costUsd += used.costUsd
      // A model without a price costs nothing by this account.
      if (this.#costUsd > 0) events.push({ kind: 'totals', costUsd: this.#costUsd, usage: undefined })
    }
    for (const event of answerEvents(message, this.#limits)) {
      if (event.kind === 'text') this.#lastWords = event.text
      if (event.kind === 'call') this.#called.add(event.call.id)
      events.push(event)
    }
    if (message['stopReason'] === 'error')
      events.push({ kind: 'api_failure', failure: failureOf(message['errorMessage']), subAgent: false })
    if (message['stopReason'] === 'aborted') events.push({ kind: 'interrupted' })
    return events
  }

  #call(line: JsonObject): AgentEvent[] {
    const id = asString(line['toolCallId']) ?? ''
    if (this.#called.has(id)) return []
    this.#called.add(id)
    return [callEvent(id, asString(line['toolName']) ?? '', asObject(line['args']) ?? {}, this.#limits)]
  }

  /** The stream tells every result twice. */
  #result(line: JsonObject, result: JsonObject): AgentEvent[] {
    const id = asString(line['toolCallId']) ?? ''
    if (this.#settled.has(id)) return []
    this.#settled.add(id)
    return [
      { kind: 'call_result', id, result: callResult(result, line['isError'] === true), subAgent: false },
    ]
  }

  /** One for every time that the service was asked again: the last one counts. */
  #agentEnd(messages: readonly JsonObject[]): AgentEvent[] {
    const last = this.#last ?? messages.findLast(({ role }) => role === 'assistant')
    // A tool may end the run.
    const result = (last && endOf(last)) ?? closing({ text: this.#lastWords })
    return [{ kind: 'result', result }]
  }
}

/** Messages carry the milliseconds of their beginning. */
function timeOf(message: JsonObject): string | undefined {
  const time = asNumber(message['timestamp'])
  return time !== undefined && Math.abs(time) < 8.64e15 ? new Date(time).toISOString() : undefined
}
