import { asObject, asString, type JsonObject } from '../../text/json.ts'
import type { LineDecoder } from '../agent-format.ts'
import type { AgentEvent, DecodedLine } from '../events.ts'
import type { CollectLimits } from '../limits.ts'
import { turnEnd, turnFailure } from './failure.ts'
import { itemCall, itemResult, itemType } from './items.ts'
import { threadUsage } from './usage.ts'

const NOTHING: DecodedLine = { known: true, events: [] }
/** Items that tell nothing we keep; an `error` among the items is a warning. */
const IDLE_ITEMS = new Set([
  'reasoning',
  'todolist',
  'error',
  'usermessage',
  'plan',
  'contextcompaction',
  'hookprompt',
])

/** A type alone may be another program's: these lines always carry more of their own. */
export function isExecLine(line: JsonObject): boolean {
  switch (line['type']) {
    case 'thread.started':
      return asString(line['thread_id']) !== undefined
    case 'item.started':
    case 'item.updated':
    case 'item.completed':
      return asString(asObject(line['item'])?.['type']) !== undefined
    case 'turn.started':
    case 'turn.completed':
    case 'turn.failed':
      return true
    case 'error':
      return asString(line['message']) !== undefined
    default:
      return false
  }
}

/** The output of `codex exec --json`. */
export class StreamDecoder implements LineDecoder {
  readonly #limits: CollectLimits
  /** Items are numbered anew in every run. */
  #run = 0
  #lastWords = ''
  readonly #started = new Set<string>()

  constructor(limits: CollectLimits) {
    this.#limits = limits
  }

  decode(line: JsonObject): DecodedLine {
    switch (line['type']) {
      case 'thread.started':
        this.#run++
        this.#lastWords = ''
        return { known: true, events: [], sessionId: asString(line['thread_id']) }
      case 'item.started':
      case 'item.completed':
        return this.#item(asObject(line['item']) ?? {}, line['type'] === 'item.completed')
      case 'turn.completed':
        return { known: true, events: this.#completed(line) }
      case 'turn.failed': {
        const failure = turnFailure(messageOf(line['error']))
        return { known: true, events: turnEnd('', failure) }
      }
      case 'error':
        return { known: true, events: [errorEvent(messageOf(line))] }
      default:
        return NOTHING
    }
  }

  #item(item: JsonObject, completed: boolean): DecodedLine {
    const type = itemType(item)
    if (type === 'agentmessage') {
      const text = asString(item['text']) ?? ''
      if (!completed || !text.trim()) return NOTHING
      this.#lastWords = text
      return { known: true, events: [{ kind: 'text', text, subAgent: false }] }
    }
    const id = `${this.#run}:${asString(item['id']) ?? ''}`
    const call = itemCall(id, item, { subAgent: false, limits: this.#limits })
    if (!call) return { known: IDLE_ITEMS.has(type) || type === 'commandexecution', events: [] }
    const events: AgentEvent[] = this.#started.has(id) ? [] : [call]
    this.#started.add(id)
    if (completed) {
      this.#started.delete(id)
      events.push({ kind: 'call_result', id, result: itemResult(item, false), subAgent: false })
    }
    return { known: true, events }
  }

  #completed(line: JsonObject): AgentEvent[] {
    // Of the whole thread: a run that resumes one counts what came before again.
    const usage = threadUsage(line['usage'])
    return [
      ...(usage ? [{ kind: 'totals', costUsd: undefined, usage } as const] : []),
      ...turnEnd(this.#lastWords, undefined),
    ]
  }
}

function messageOf(value: unknown): string {
  return asString(asObject(value)?.['message']) ?? ''
}

/** The program tells every time it asks again, and once more before it gives up. */
function errorEvent(message: string): AgentEvent {
  const reason = /^Reconnecting\.{3} \d+\/\d+(?: \(([\s\S]*)\))?$/.exec(message)
  const failure = turnFailure(reason?.[1] ?? message)
  if (reason) return { kind: 'retry', rateLimited: failure.cause === 'rate_limit' }
  return { kind: 'api_failure', failure, subAgent: false }
}
