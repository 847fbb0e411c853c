import { asNumber, asObject, asString, type JsonObject } from '../../text/json.ts'
import type { LineDecoder } from '../agent-format.ts'
import type { TokenUsage } from '../agent-run.ts'
import { decodeStreamLine } from '../claude-code/stream.ts'
import type { AgentEvent, DecodedLine, ResultEvent } from '../events.ts'
import { apiError } from '../gemini/api-error.ts'
import { serversWords } from '../gemini/parts.ts'
import { toldResult } from '../gemini/shell-output.ts'
import { describeGeminiCall } from '../gemini/tools.ts'
import type { CollectLimits } from '../limits.ts'

/** System lines of its own that we know and do not need. */
const IDLE_SYSTEM = new Set([
  'model_fallback',
  'session_start',
  'session_end',
  'worktree_started',
  'worktree_restored',
  'continue_turn_failed',
])

/** The output of `qwen -p … --output-format stream-json`: Claude Code's lines with other tools, and with other words in them. */
export class QwenStreamDecoder implements LineDecoder {
  readonly #limits: CollectLimits
  readonly #shellCalls = new Set<string>()
  /** It waits because of a limit: a further try that does not say why is for the same reason. */
  #limited = false
  #counted = false

  constructor(limits: CollectLimits) {
    this.#limits = limits
  }

  decode(line: JsonObject): DecodedLine {
    const decoded = decodeStreamLine(likeClaudeCodes(line), this.#limits, describeGeminiCall)
    if (line['type'] === 'system') return this.#system(line, decoded)
    if (line['type'] !== 'stream_event') this.#limited = false
    return { ...decoded, events: decoded.events.flatMap((event) => this.#own(event, line)) }
  }

  #system(line: JsonObject, decoded: DecodedLine): DecodedLine {
    const subtype = asString(line['subtype']) ?? ''
    const data = asObject(line['data'])
    if (subtype !== 'retry') {
      const goesOn = data?.['status'] === 'running'
      const known = decoded.known || IDLE_SYSTEM.has(subtype)
      return { ...decoded, known, events: goesOn ? [] : decoded.events }
    }
    // Only a wait for a limit is told with how long it takes.
    this.#limited ||= asNumber(data?.['delayMs']) !== undefined
    return { ...decoded, known: true, events: [{ kind: 'retry', rateLimited: this.#limited }] }
  }

  /** What Claude Code would have meant by it, made what Qwen Code means. */
  #own(event: AgentEvent, line: JsonObject): AgentEvent[] {
    switch (event.kind) {
      case 'prompt':
        // The prompt is not repeated: in the user's role the program tells what became of its background agents.
        return []
      case 'text': {
        const failure = apiError(event.text)
        return [failure ? { kind: 'api_failure', failure, subAgent: event.subAgent } : event]
      }
      case 'call':
        if (event.call.kind === 'shell') this.#shellCalls.add(event.call.id)
        return [event]
      case 'call_result':
        return [this.#callResult(event)]
      case 'response':
        this.#counted ||= event.usage.input > 0
        return [{ ...event, usage: withoutCached(event.usage) }]
      case 'result':
        return [{ kind: 'result', result: this.#result(event.result, line) }]
      default:
        return [event]
    }
  }

  #callResult(event: AgentEvent & { kind: 'call_result' }): AgentEvent {
    const { isError, text } = event.result
    if (!this.#shellCalls.delete(event.id))
      return { ...event, result: { isError, text: serversWords(text), structured: undefined } }
    const { failed, output, ...outcome } = toldResult(text)
    return { ...event, result: { isError: isError || failed, text: output, structured: outcome } }
  }

  #result(result: ResultEvent, line: JsonObject): ResultEvent {
    const message = asString(asObject(line['error'])?.['message']) ?? ''
    const service = result.isError ? apiError(message) : undefined
    return {
      ...result,
      text: service?.words ?? (result.text || message),
      service,
      // Of a resumed session it counts the earlier runs again.
      turnUsage: this.#counted || !result.turnUsage ? undefined : withoutCached(result.turnUsage),
    }
  }
}

/** What it names otherwise or puts elsewhere. */
function likeClaudeCodes(line: JsonObject): JsonObject {
  if (line['type'] !== 'system') return line
  return { ...line, ...asObject(line['data']), claude_code_version: line['qwen_code_version'] }
}

/** The input is told with what came from the cache. */
function withoutCached(usage: TokenUsage): TokenUsage {
  return { ...usage, input: Math.max(0, usage.input - usage.cacheRead) }
}
