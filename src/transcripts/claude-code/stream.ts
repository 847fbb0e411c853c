import { asNumber, asObject, asString, type JsonObject, strings } from '../../text/json.ts'
import type { ServiceFailure } from '../agent-run.ts'
import type { AgentEvent, DecodedLine, ResultEvent } from '../events.ts'
import type { CollectLimits } from '../limits.ts'
import { isRateLimit, serviceFailure } from '../service-failure.ts'
import { assistantEvents, type MessageFrame, messageUsage, modelUsage, userEvents } from './messages.ts'

/** System lines we know and do not need. Others of the type are counted as unknown. */
const IDLE_SYSTEM = new Set([
  'status',
  'thinking_tokens',
  'permission_denied',
  'compact_boundary',
  'hook_started',
  'hook_progress',
  'hook_response',
  'informational',
  'model_refusal_no_fallback',
  'vcs_state_changed',
  'task_started',
  'task_progress',
  'task_updated',
  'background_tasks_changed',
])

/** A type alone may be another program's: these lines always carry more of their own. */
export function isStreamLine(line: JsonObject): boolean {
  switch (line['type']) {
    case 'assistant':
    case 'user':
      return asObject(line['message']) !== undefined
    case 'result':
    case 'system':
      return asString(line['subtype']) !== undefined
    case 'rate_limit_event':
      return asObject(line['rate_limit_info']) !== undefined
    case 'stream_event':
      return asObject(line['event']) !== undefined
    case 'tool_progress':
      return asString(line['tool_use_id']) !== undefined
    default:
      return false
  }
}

/** A line of `claude -p --output-format stream-json`, or of a program with other tools that writes the same. */
export function decodeStreamLine(
  line: JsonObject,
  limits: CollectLimits,
  describe?: Parameters<typeof assistantEvents>[3],
): DecodedLine {
  const frame: Omit<DecodedLine, 'events'> = {
    known: true,
    timestamp: line['isReplay'] === true ? undefined : asString(line['timestamp']),
    sessionId: asString(line['session_id']),
  }
  switch (line['type']) {
    case 'assistant':
      return {
        ...frame,
        events: assistantEvents(asObject(line['message']) ?? {}, frameOf(line), limits, describe),
      }
    case 'user':
      return { ...frame, events: userEvents(asObject(line['message']) ?? {}, frameOf(line)) }
    case 'result':
      return { ...frame, events: [{ kind: 'result', result: decodeResult(line) }] }
    case 'system':
      return { ...frame, ...decodeSystem(line) }
    case 'rate_limit_event':
      return { ...frame, events: [decodeQuota(line)] }
    case 'stream_event':
    case 'tool_progress':
      return { known: true, events: [] }
    default:
      return { known: false, events: [] }
  }
}

function frameOf(line: JsonObject): MessageFrame {
  const reason = asString(line['error'])
  const failed = reason !== undefined || line['is_api_error_message'] === true
  return {
    subAgent: asString(line['parent_tool_use_id']) !== undefined,
    structured: line['tool_use_result'],
    synthetic: line['isSynthetic'] === true || line['isReplay'] === true,
    apiError: failed
      ? { reason, status: asNumber(line['api_error_status']), type: asString(line['api_error_type']) }
      : undefined,
  }
}

function decodeSystem(line: JsonObject): DecodedLine {
  const subtype = asString(line['subtype']) ?? ''
  if (subtype === 'init') {
    const session = {
      cwd: asString(line['cwd']),
      model: asString(line['model']),
      version: asString(line['claude_code_version']),
    }
    return { known: true, events: [{ kind: 'session', ...session }] }
  }
  if (subtype === 'api_retry') {
    const rateLimited = isRateLimit(asNumber(line['error_status']), asString(line['error']))
    return { known: true, events: [{ kind: 'retry', rateLimited }] }
  }
  if (subtype === 'task_notification') return { known: true, events: backgroundEnd(line) }
  return { known: IDLE_SYSTEM.has(subtype), events: [] }
}

function backgroundEnd(line: JsonObject): AgentEvent[] {
  const id = asString(line['tool_use_id'])
  const status = asString(line['status'])
  if (!id || !status) return []
  return [
    { kind: 'background_end', id, failed: status !== 'completed', summary: asString(line['summary']) ?? '' },
  ]
}

function decodeQuota(line: JsonObject): AgentEvent {
  const info = asObject(line['rate_limit_info'])
  const seconds = asNumber(info?.['resetsAt'])
  return {
    kind: 'quota',
    // Beyond the calendar's range a date cannot be written out.
    resetsAt:
      seconds !== undefined && Math.abs(seconds) < 8.64e12
        ? new Date(seconds * 1000).toISOString()
        : undefined,
  }
}

function decodeResult(line: JsonObject): ResultEvent {
  const total = modelUsage(line['modelUsage'])
  const recent = modelUsage(line['model_usage_since_last_result'])
  return {
    subtype: asString(line['subtype']) ?? 'unknown',
    isError: line['is_error'] === true,
    text: asString(line['result']) ?? '',
    errors: strings(line['errors']),
    terminalReason: asString(line['terminal_reason']),
    service: endedByService(line),
    durationMs: asNumber(line['duration_ms']),
    totalCostUsd: asNumber(line['total_cost_usd']) ?? asNumber(line['cost_usd']),
    totalUsage: total?.usage,
    recentCostUsd: recent?.costUsd,
    recentUsage: recent?.usage,
    turnUsage: messageUsage(line['usage']),
  }
}

/** Limits have subtypes of their own; an API failure says `subtype: success`, and only `is_error` tells. */
function endedByService(line: JsonObject): ServiceFailure | undefined {
  const subtype = asString(line['subtype']) ?? ''
  const text = asString(line['result']) || strings(line['errors']).join('; ')
  if (/^error_max_(?:turns|budget)/.test(subtype))
    return { cause: subtype.includes('turns') ? 'turns' : 'budget', words: text, passing: false }
  if (line['is_error'] !== true || subtype !== 'success') return undefined
  const names = [line['api_error_type'], line['api_error'], line['terminal_reason']].map(asString)
  return serviceFailure(text, asNumber(line['api_error_status']), names)
}
