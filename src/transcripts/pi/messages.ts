import { asArray, asNumber, asObject, asString, type JsonObject, objects } from '../../text/json.ts'
import type { ServiceFailure, TokenUsage, ToolCall, ToolKind } from '../agent-run.ts'
import { mcpKind, shortened, usablePaths } from '../call-details.ts'
import type { CallOutcome } from '../call-outcome.ts'
import { closedByService, closing } from '../closing.ts'
import type { AgentEvent, CallResult, ResultEvent } from '../events.ts'
import type { CollectLimits } from '../limits.ts'
import { serviceFailure } from '../service-failure.ts'
import { tokenCount } from '../token-count.ts'

const KINDS = new Map<string, ToolKind>([
  ['read', 'read'],
  ['write', 'write'],
  ['edit', 'edit'],
  ['bash', 'shell'],
  ['grep', 'search'],
])

/** The parts of a message; a plain text is one. */
function messageParts(content: unknown): JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objects(asArray(content))
}

export function messageText(content: unknown): string {
  return messageParts(content)
    .map((part) => asString(part['text']) ?? '')
    .filter(Boolean)
    .join('\n')
}

/** What the model said, and the calls it made. */
export function answerEvents(message: JsonObject, limits: CollectLimits): AgentEvent[] {
  return messageParts(message['content']).flatMap((part): AgentEvent[] => {
    if (part['type'] === 'toolCall') {
      const [id, name] = [asString(part['id']), asString(part['name'])]
      return id && name ? [callEvent(id, name, asObject(part['arguments']) ?? {}, limits)] : []
    }
    const text = part['type'] === 'text' ? asString(part['text']) : undefined
    return text?.trim() ? [{ kind: 'text', text, subAgent: false }] : []
  })
}

export function callEvent(id: string, name: string, args: JsonObject, limits: CollectLimits): AgentEvent {
  const kind = KINDS.get(name) ?? mcpKind(name)
  const file = kind === 'read' || kind === 'write' || kind === 'edit'
  const call: ToolCall = {
    id,
    name,
    kind,
    paths: usablePaths(file ? [asString(args['path'])] : [], limits),
    command: kind === 'shell' ? shortened(asString(args['command']), limits.command) : undefined,
    // Every command gets a shell of its own.
    ...(kind === 'shell' && { directory: '.' }),
    creates: undefined,
    subAgent: false,
    status: 'unfinished',
    output: '',
  }
  return { kind: 'call', call, about: asString(args['pattern']) ?? asString(args['query']) }
}

/** What came of a call: `{content, details}` in the stream, the message itself in a session file. */
export function callResult(result: JsonObject, isError: boolean): CallResult {
  const text = messageText(result['content'])
  // The number stands at the end of what the command printed, and nowhere else.
  const [ending, code] = /\n*Command exited with code (\d+)(?=\n|$)/.exec(text) ?? []
  if (!isError || ending === undefined) return { isError, text, structured: undefined }
  const structured: CallOutcome = { exitCode: Number(code) }
  return { isError, text: text.replace(ending, ''), structured }
}

/** Of one call of the model; what came from the cache is apart. */
export function usedFor(message: JsonObject): { usage: TokenUsage; costUsd: number } | undefined {
  const usage = asObject(message['usage'])
  if (!usage) return undefined
  const count = (name: string) => tokenCount(usage[name])
  return {
    usage: {
      input: count('input'),
      output: count('output'),
      cacheRead: count('cacheRead'),
      cacheWrite: count('cacheWrite'),
    },
    costUsd: Math.max(0, asNumber(asObject(usage['cost'])?.['total']) ?? 0),
  }
}

export function failureOf(errorMessage: unknown): ServiceFailure {
  const text = asString(errorMessage) ?? ''
  const status = /^(\d{3})\b/.exec(text)?.[1]
  return serviceFailure(text, status === undefined ? undefined : Number(status), [])
}

/** How a message of the model ends the run; undefined while it waits for its tools. */
export function endOf(message: JsonObject): ResultEvent | undefined {
  switch (message['stopReason']) {
    case 'stop':
      return closing({ text: messageText(message['content']) })
    case 'length': {
      const text = messageText(message['content'])
      return closing({ subtype: 'error_output_limit', text, terminalReason: 'length' })
    }
    case 'error':
      return closedByService(failureOf(message['errorMessage']))
    case 'aborted':
      return closing({ subtype: 'error_interrupted', isError: true, text: '', terminalReason: 'aborted' })
    default:
      return undefined
  }
}
