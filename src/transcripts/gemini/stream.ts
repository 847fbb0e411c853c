import { asNumber, asObject, asString, type JsonObject } from '../../text/json.ts'
import type { LineDecoder } from '../agent-format.ts'
import type { ServiceFailure, TokenUsage } from '../agent-run.ts'
import type { AgentEvent, CallResult, DecodedLine, ResultEvent } from '../events.ts'
import type { CollectLimits } from '../limits.ts'
import { apiError } from './api-error.ts'
import { messageParts, serversWords, typedText } from './parts.ts'
import { shownResult } from './shell-output.ts'
import { tokenUsage } from './tokens.ts'
import { aboutCall, describeGeminiCall } from './tools.ts'

/** Types that other programs use too always carry more of Gemini's own. */
export function isGeminiStreamLine(line: JsonObject): boolean {
  if (asString(line['timestamp']) === undefined) return false
  switch (line['type']) {
    case 'init':
      return asString(line['session_id']) !== undefined
    case 'message':
      return asString(line['role']) !== undefined && asString(line['content']) !== undefined
    case 'tool_use':
      return asString(line['tool_id']) !== undefined && asString(line['tool_name']) !== undefined
    case 'tool_result':
      return asString(line['tool_id']) !== undefined && asString(line['status']) !== undefined
    case 'error':
      return asString(line['severity']) !== undefined
    case 'result':
      return asString(line['status']) !== undefined && asObject(line['stats'] ?? line['error']) !== undefined
    default:
      return false
  }
}

/** The output of `gemini -p … --output-format stream-json`. */
export class GeminiStreamDecoder implements LineDecoder {
  readonly #limits: CollectLimits
  /** Of the text under way: it comes in pieces, until a line of another kind. */
  #pieces: string[] = []
  #lastText = ''
  readonly #commands = new Map<string, string>()
  readonly #warnings: string[] = []
  #model: string | undefined

  constructor(limits: CollectLimits) {
    this.#limits = limits
  }

  decode(line: JsonObject): DecodedLine {
    const isPiece = line['type'] === 'message' && line['role'] === 'assistant' && line['delta'] === true
    const said = isPiece ? [] : this.end()
    return {
      known: true,
      timestamp: asString(line['timestamp']),
      sessionId: asString(line['session_id']),
      events: [...said, ...this.#events(line)],
    }
  }

  end(): AgentEvent[] {
    const text = this.#pieces.join('')
    this.#pieces = []
    return this.#say(text)
  }

  #events(line: JsonObject): AgentEvent[] {
    switch (line['type']) {
      case 'init':
        this.#model = asString(line['model'])
        return [{ kind: 'session', model: this.#model }]
      case 'message':
        return this.#message(line)
      case 'tool_use':
        return this.#call(line)
      case 'tool_result':
        return [this.#callResult(line)]
      case 'error':
        // Not the end: the result tells that.
        this.#warnings.push(asString(line['message']) ?? '')
        return []
      default:
        return this.#result(line)
    }
  }

  #message(line: JsonObject): AgentEvent[] {
    const content = asString(line['content']) ?? ''
    if (line['role'] !== 'assistant') {
      const text = typedText(messageParts(content))
      return line['role'] === 'user' && text ? [{ kind: 'prompt', text }] : []
    }
    if (line['delta'] !== true) return this.#say(content)
    this.#pieces.push(content)
    return []
  }

  #say(text: string): AgentEvent[] {
    if (!text.trim()) return []
    this.#lastText = text
    return [{ kind: 'text', text, subAgent: false }]
  }

  #call(line: JsonObject): AgentEvent[] {
    const input = asObject(line['parameters']) ?? {}
    const id = asString(line['tool_id'])!
    const call = describeGeminiCall(id, asString(line['tool_name'])!, input, false, this.#limits)
    if (call.kind === 'shell') this.#commands.set(id, call.command ?? '')
    return [{ kind: 'call', call, about: aboutCall(input) }]
  }

  #callResult(line: JsonObject): AgentEvent {
    const id = asString(line['tool_id'])!
    const output = asString(line['output']) ?? ''
    const command = this.#commands.get(id)
    this.#commands.delete(id)
    return { kind: 'call_result', id, result: resultOf(line, output, command), subAgent: false }
  }

  #result(line: JsonObject): AgentEvent[] {
    const stats = asObject(line['stats'])
    const model = usedModel(stats, this.#model)
    const result = this.#closing(line, stats)
    return [...(model ? [{ kind: 'session', model } as const] : []), { kind: 'result', result }]
  }

  #closing(line: JsonObject, stats: JsonObject | undefined): ResultEvent {
    const error = asObject(line['error'])
    const message = asString(error?.['message']) ?? ''
    const type = asString(error?.['type'])
    const isError = line['status'] !== 'success'
    const service = isError ? endedByService(type, message) : undefined
    return {
      subtype: isError ? `error_${type ?? 'unknown'}` : 'success',
      isError,
      text: isError ? (service?.words ?? message) : this.#lastText,
      errors: this.#warnings.splice(0),
      terminalReason: type === 'FatalCancellationError' ? 'aborted' : undefined,
      service,
      // Of a run that failed it is always 0.
      durationMs: asNumber(stats?.['duration_ms']) || undefined,
      totalCostUsd: undefined,
      totalUsage: undefined,
      recentCostUsd: undefined,
      recentUsage: undefined,
      turnUsage: stats && usageOf(stats),
    }
  }
}

function resultOf(line: JsonObject, output: string, command: string | undefined): CallResult {
  if (line['status'] === 'success') {
    if (command === undefined) return { isError: false, text: output, structured: undefined }
    const { failed, exitCode, unfinished } = shownResult(output, command)
    return { isError: failed, text: output, structured: { exitCode, unfinished } }
  }
  const message = asString(asObject(line['error'])?.['message'])
  return { isError: true, text: serversWords(message ?? output), structured: undefined }
}

function endedByService(type: string | undefined, message: string): ServiceFailure | undefined {
  if (type === 'FatalTurnLimitedError') return { cause: 'turns', words: message, passing: false }
  if (type === 'FatalAuthenticationError') return { cause: 'key', words: message, passing: false }
  return apiError(message)
}

function usageOf(stats: JsonObject): TokenUsage {
  return tokenUsage({
    input: asNumber(stats['input_tokens']),
    output: asNumber(stats['output_tokens']),
    cached: asNumber(stats['cached']),
    total: asNumber(stats['total_tokens']),
  })
}

/** Where the program chose the model itself, only its statistics name the one that did most. */
function usedModel(stats: JsonObject | undefined, asked: string | undefined): string | undefined {
  const models = asObject(stats?.['models']) ?? {}
  if (asked !== undefined && Object.hasOwn(models, asked)) return undefined
  const tokens = (name: string) => asNumber(asObject(models[name])?.['total_tokens']) ?? 0
  return Object.keys(models).sort((a, b) => tokens(b) - tokens(a))[0]
}
