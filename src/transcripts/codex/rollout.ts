import { asNumber, asObject, asString, type JsonObject } from '../../text/json.ts'
import type { LineDecoder } from '../agent-format.ts'
import type { ServiceFailure } from '../agent-run.ts'
import { closing } from '../closing.ts'
import type { AgentEvent, DecodedLine } from '../events.ts'
import type { CollectLimits } from '../limits.ts'
import { turnEnd, turnFailure } from './failure.ts'
import { contentText, itemType } from './items.ts'
import { olderItem } from './older-items.ts'
import { exhaustedUntil } from './rate-limits.ts'
import { RolloutCalls } from './rollout-calls.ts'
import { isSubAgent, parentThread } from './rollout-lines.ts'
import { RunningTotals, threadUsage } from './usage.ts'

/** A rollout file: what Codex keeps of a thread, in the form of today and of older versions. */
export class RolloutDecoder implements LineDecoder {
  readonly #limits: CollectLimits
  #calls: RolloutCalls
  readonly #totals = new RunningTotals()
  #threadId: string | undefined
  #subAgent = false
  /** Lines of a sub-agent before this number repeat what its parent had come to. */
  #ownFrom = 0
  /** Items are kept instead of the events of older versions. */
  #hasItems = false
  #responses = 0
  #lastWords = ''
  #failure: ServiceFailure | undefined
  /** The end of the last turn: what was still running may be told after it. */
  #ended: AgentEvent[] | undefined

  constructor(limits: CollectLimits) {
    this.#limits = limits
    this.#calls = new RolloutCalls({ subAgent: false, limits })
  }

  decode(line: JsonObject): DecodedLine {
    const payload = asObject(line['payload']) ?? {}
    if ((asNumber(line['ordinal']) ?? this.#ownFrom) < this.#ownFrom) return this.#inherited(payload)
    const waiting = this.#ended !== undefined
    const decoded: DecodedLine = {
      known: true,
      timestamp: asString(line['timestamp']),
      afterWait: waiting,
      events: [],
    }
    switch (line['type']) {
      case 'session_meta':
        return { ...decoded, ...this.#begin(payload) }
      case 'turn_context':
        return {
          ...decoded,
          events: [
            {
              kind: 'session',
              cwd: asString(payload['cwd']),
              model: asString(payload['model']),
              subAgent: this.#subAgent,
            },
          ],
        }
      case 'event_msg':
        return { ...decoded, ...this.#event(payload) }
      case 'response_item':
        return { ...decoded, events: this.#modelItem(payload) }
      case 'token_usage_record':
        return { ...decoded, events: this.#used(payload['thread_token_usage']) }
      default:
        return decoded
    }
  }

  #inherited(payload: JsonObject): DecodedLine {
    this.#tokens(payload)
    return { known: true, events: [] }
  }

  end(): AgentEvent[] {
    return [...this.#calls.end(), ...this.#takeEnd()]
  }

  /** The first says whose the file is; those after it come from threads that this one continues. */
  #begin(meta: JsonObject): Partial<DecodedLine> {
    const id = asString(meta['id']) ?? asString(meta['session_id'])
    if (id === undefined || this.#threadId !== undefined) return {}
    this.#threadId = id
    this.#hasItems = meta['history_mode'] === 'paginated'
    const parentId = parentThread(meta)
    this.#subAgent = isSubAgent(meta)
    this.#ownFrom = asNumber(meta['subagent_history_start_ordinal']) ?? 0
    this.#calls = new RolloutCalls({ subAgent: this.#subAgent, limits: this.#limits })
    const session = { cwd: asString(meta['cwd']), version: asString(meta['cli_version']), parentId }
    return { sessionId: id, events: [{ kind: 'session', ...session, subAgent: this.#subAgent }] }
  }

  #event(event: JsonObject): Partial<DecodedLine> {
    switch (event['type']) {
      case 'item_completed':
        return this.#item(asObject(event['item']) ?? {})
      case 'user_message':
        return this.#hasItems ? {} : { events: this.#prompt(asString(event['message']) ?? '') }
      case 'agent_message':
        return this.#hasItems ? {} : { events: this.#says(asString(event['message']) ?? '') }
      case 'task_started':
      case 'turn_started':
        this.#failure = undefined
        this.#lastWords = ''
        return { events: this.#takeEnd() }
      case 'task_complete':
      case 'turn_complete':
        this.#ended = this.#turnEnd(event)
        return {}
      case 'turn_aborted':
        this.#ended = [{ kind: 'interrupted' }, { kind: 'result', result: INTERRUPTED }]
        return {}
      case 'token_count':
        return { events: this.#tokens(event) }
      case 'stream_error':
        return { events: [{ kind: 'retry', rateLimited: failureOf(event).cause === 'rate_limit' }] }
      case 'error':
        this.#failure = failureOf(event)
        return { events: [{ kind: 'api_failure', failure: this.#failure, subAgent: this.#subAgent }] }
      case 'exited_review_mode':
        return { events: this.#says(reviewOf(event)) }
      case 'thread_name_updated':
        return { events: [{ kind: 'session', title: asString(event['thread_name']) }] }
      default: {
        const item = olderItem(event)
        return item ? { events: this.#calls.carriedOut(item) } : {}
      }
    }
  }

  #item(item: JsonObject): Partial<DecodedLine> {
    switch (itemType(item)) {
      case 'usermessage':
        this.#hasItems = true
        return { events: this.#prompt(contentText(item['content'])), promptId: asString(item['id']) }
      case 'agentmessage':
        this.#hasItems = true
        return { events: this.#says(contentText(item['content'])) }
      case 'plan':
        return { events: this.#says(asString(item['text']) ?? '') }
      case 'exitedreviewmode':
        return { events: this.#says(reviewOf(item)) }
      default:
        return { events: this.#calls.carriedOut(item) }
    }
  }

  #modelItem(item: JsonObject): AgentEvent[] {
    switch (item['type']) {
      case 'function_call':
      case 'custom_tool_call':
      case 'local_shell_call':
        this.#failure = undefined
        return this.#calls.made(item)
      case 'function_call_output':
      case 'custom_tool_call_output':
        return this.#calls.answered(item)
      default:
        return []
    }
  }

  #prompt(message: string): AgentEvent[] {
    // Editors put what they show before the words of the person.
    const text = message.replace(/^# Context from my IDE setup:[\s\S]*?\n## My request for Codex:\s*/, '')
    return text.trim() ? [{ kind: 'prompt', text }] : []
  }

  #says(text: string): AgentEvent[] {
    if (!text.trim()) return []
    this.#failure = undefined
    this.#lastWords = text
    return [{ kind: 'text', text, subAgent: this.#subAgent }]
  }

  #tokens(event: JsonObject): AgentEvent[] {
    const resetsAt = exhaustedUntil(event['rate_limits'])
    const events: AgentEvent[] = resetsAt ? [{ kind: 'quota', resetsAt }] : []
    return [...events, ...this.#used(asObject(event['info'])?.['total_token_usage'])]
  }

  #used(threadTotal: unknown): AgentEvent[] {
    const total = threadUsage(threadTotal)
    const usage = total && this.#totals.take(total)
    if (!usage) return []
    const id = `${this.#threadId}/${++this.#responses}`
    return [{ kind: 'response', id, usage, characters: () => 0 }]
  }

  /** A failed turn completes too; older versions tell the failure in an event before. */
  #turnEnd(event: JsonObject): AgentEvent[] {
    const error = asObject(event['error'])
    const words = asString(event['last_agent_message'])
    const failure = error ? failureOf(error) : words ? undefined : this.#failure
    const said = words ?? this.#lastWords
    // Older versions keep nothing of a failure but that no answer came.
    if (!failure && said === '' && !this.#hasItems) return [{ kind: 'result', result: UNANSWERED }]
    const ended = turnEnd(said, failure, asNumber(event['duration_ms']))
    return failure ? [{ kind: 'api_failure', failure, subAgent: this.#subAgent }, ...ended] : ended
  }

  /** A sub-agent's end is not the end of the run. */
  #takeEnd(): AgentEvent[] {
    const ended = this.#ended ?? []
    this.#ended = undefined
    return this.#subAgent ? ended.filter(({ kind }) => kind === 'api_failure') : ended
  }
}

const UNANSWERED = closing({ subtype: 'error_during_execution', isError: true, text: '' })
const INTERRUPTED = closing({
  subtype: 'error_interrupted',
  isError: true,
  text: '',
  terminalReason: 'aborted',
})

function failureOf(error: JsonObject): ServiceFailure {
  return turnFailure(asString(error['message']) ?? '', error['codex_error_info'])
}

function reviewOf(told: JsonObject): string {
  return asString(asObject(told['review_output'])?.['overall_explanation']) ?? ''
}
