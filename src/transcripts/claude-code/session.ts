import { asNumber, asObject, asString, type JsonObject } from '../../text/json.ts'
import type { AgentEvent, DecodedLine } from '../events.ts'
import type { CollectLimits } from '../limits.ts'
import { isRateLimit } from '../service-failure.ts'
import { assistantEvents, type MessageFrame, modelUsage, userEvents } from './messages.ts'

/** Book-keeping lines we know and do not need. */
const IDLE_TYPES = new Set([
  'attachment',
  'progress',
  'queue-operation',
  'last-prompt',
  'atis-latch',
  'tools-used',
  'mode',
  'permission-mode',
  'file-history-snapshot',
  'file-history-delta',
  'summary',
  'custom-title',
  'ai-title',
  'agent-name',
  'pr-link',
  'api-request',
  'api-request-blob',
  'api-request-shape',
])

/** Only session files write `sessionId` (the stream has `session_id`); a few of their types carry neither. */
export function isSessionLine(line: JsonObject): boolean {
  const type = asString(line['type'])
  if (type === undefined) return false
  return 'sessionId' in line || 'isSidechain' in line || 'leafUuid' in line || IDLE_TYPES.has(type)
}

/** A line of `~/.claude/projects/<project>/<session>.jsonl` or of a sub-agent's file beside it. */
export function decodeSessionLine(line: JsonObject, limits: CollectLimits): DecodedLine {
  const frame: Omit<DecodedLine, 'events'> = {
    known: true,
    timestamp: asString(line['timestamp']),
    sessionId: asString(line['sessionId']),
  }
  switch (line['type']) {
    case 'assistant': {
      const events = assistantEvents(asObject(line['message']) ?? {}, frameOf(line), limits)
      return { ...frame, events: [sessionOf(line), ...events] }
    }
    case 'user': {
      const events = userEvents(asObject(line['message']) ?? {}, frameOf(line))
      // Tool results follow work; everything else in the user's role follows a wait for somebody.
      const afterWait = !events.some((event) => event.kind === 'call_result')
      return { ...frame, afterWait, events: [sessionOf(line), ...events] }
    }
    case 'system':
      return { known: true, events: line['subtype'] === 'api_error' ? [decodeRetry(line)] : [] }
    case 'cost-state': {
      const usage = modelUsage(line['modelUsage'])?.usage
      return { known: true, events: [{ kind: 'totals', costUsd: asNumber(line['totalCostUSD']), usage }] }
    }
    default:
      return { known: IDLE_TYPES.has(String(line['type'])), events: [] }
  }
}

function sessionOf(line: JsonObject): AgentEvent {
  return { kind: 'session', cwd: asString(line['cwd']) }
}

function frameOf(line: JsonObject): MessageFrame {
  return {
    subAgent: line['isSidechain'] === true,
    structured: line['toolUseResult'],
    synthetic:
      line['isMeta'] === true ||
      line['isCompactSummary'] === true ||
      line['isVisibleInTranscriptOnly'] === true,
    apiError:
      line['isApiErrorMessage'] === true
        ? {
            reason: asString(line['error']),
            status: asNumber(line['apiErrorStatus']),
            type: asString(line['apiErrorType']),
          }
        : undefined,
  }
}

function decodeRetry(line: JsonObject): AgentEvent {
  const error = asObject(line['error'])
  const status = asNumber(error?.['status']) ?? asNumber(line['status'])
  return {
    kind: 'retry',
    rateLimited: isRateLimit(status, asString(line['error']), asString(error?.['type'])),
  }
}
