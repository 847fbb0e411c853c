import { asArray, asNumber, asObject, asString, type JsonObject, objects } from '../../text/json.ts'
import type { TokenUsage } from '../agent-run.ts'
import type { AgentEvent } from '../events.ts'
import type { CollectLimits } from '../limits.ts'
import { isApiErrorText, serviceFailure } from '../service-failure.ts'
import { describeCall } from './tools.ts'

/** What surrounds a message differs between the output stream and the session file; the messages are the same. */
export interface MessageFrame {
  subAgent: boolean
  /** The agent's own account of a tool result. */
  structured: unknown
  /** Text in the user's role that the program wrote, not a person. */
  synthetic: boolean
  apiError: { reason: string | undefined; status: number | undefined; type: string | undefined } | undefined
}

/** `describe`: for a program with other tools that writes its messages in the same way. */
export function assistantEvents(
  message: JsonObject,
  frame: MessageFrame,
  limits: CollectLimits,
  describe: typeof describeCall = describeCall,
): AgentEvent[] {
  const { subAgent } = frame
  const text = textOf(message['content'])
  const synthetic = message['model'] === '<synthetic>'
  if (frame.apiError || (synthetic && isApiErrorText(text))) {
    const { reason, status, type } = frame.apiError ?? {}
    return [{ kind: 'api_failure', failure: serviceFailure(text, status, [reason, type]), subAgent }]
  }
  // "No response requested." and the like: the program's words, not the model's.
  if (synthetic) return []

  const events: AgentEvent[] = []
  const model = asString(message['model'])
  if (model) events.push({ kind: 'session', model, subAgent })
  const id = asString(message['id'])
  const usage = messageUsage(message['usage'])
  if (id && usage) {
    const characters = () => JSON.stringify(message['content'] ?? '').length
    events.push({ kind: 'response', id, usage, characters })
  }
  for (const item of blocks(message['content'])) {
    if (item['type'] === 'text') {
      const said = asString(item['text'])
      if (said?.trim()) events.push({ kind: 'text', text: said, subAgent })
    } else if (item['type'] === 'tool_use') {
      const callId = asString(item['id'])
      const name = asString(item['name'])
      if (!callId || !name) continue
      const input = asObject(item['input']) ?? {}
      const about = asString(input['query']) ?? asString(input['pattern']) ?? asString(input['description'])
      events.push({ kind: 'call', call: describe(callId, name, input, subAgent, limits), about })
    }
  }
  return events
}

export function userEvents(message: JsonObject, frame: MessageFrame): AgentEvent[] {
  const events: AgentEvent[] = []
  const items = blocks(message['content'])
  // One account for several results would be the account of any of them.
  const structured =
    items.filter((item) => item['type'] === 'tool_result').length > 1 ? undefined : frame.structured
  for (const item of items) {
    if (item['type'] === 'tool_result') {
      const id = asString(item['tool_use_id'])
      if (!id) continue
      const result = { isError: item['is_error'] === true, text: textOf(item['content']), structured }
      events.push({ kind: 'call_result', id, result, subAgent: frame.subAgent })
    } else if (item['type'] === 'text') {
      const event = userText(asString(item['text']) ?? '', frame)
      if (event) events.push(event)
    }
  }
  return events
}

/** Slash commands, their output, notices and the like, which the program writes in the user's role. */
const NOT_SAID = /^\s*<(?:command-|local-command-|bash-|system-reminder|user-memory-input|ide_)/

function userText(text: string, frame: MessageFrame): AgentEvent | undefined {
  if (frame.subAgent) return undefined
  if (text.startsWith('[Request interrupted by user')) return { kind: 'interrupted' }
  if (text.startsWith('Output token limit hit')) return { kind: 'continued' }
  if (text.startsWith('<task-notification>')) return backgroundEnd(text)
  return frame.synthetic || NOT_SAID.test(text) || !text.trim() ? undefined : { kind: 'prompt', text }
}

/** A session file tells the end of a background command only in the words the model gets to read. */
function backgroundEnd(text: string): AgentEvent | undefined {
  const field = (name: string) => new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(text)?.[1]
  const id = field('tool-use-id')
  const status = field('status')
  if (!id || !status) return undefined
  return { kind: 'background_end', id, failed: status !== 'completed', summary: field('summary') ?? '' }
}

/** The parts of a message; a plain string is one text. */
function blocks(content: unknown): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return objects(asArray(content))
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return blocks(content)
    .map((item) => asString(item['text']) ?? '')
    .filter(Boolean)
    .join('\n')
}

/** As the API spells it, in messages and in a result's `usage`. */
export function messageUsage(value: unknown): TokenUsage | undefined {
  const usage = asObject(value)
  if (!usage) return undefined
  return {
    input: asNumber(usage['input_tokens']) ?? 0,
    output: asNumber(usage['output_tokens']) ?? 0,
    cacheRead: asNumber(usage['cache_read_input_tokens']) ?? 0,
    cacheWrite: asNumber(usage['cache_creation_input_tokens']) ?? 0,
  }
}

/** As the CLI totals it, per model. */
export function modelUsage(value: unknown): { usage: TokenUsage; costUsd: number } | undefined {
  const models = asObject(value)
  if (!models) return undefined
  const usage: TokenUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  let costUsd = 0
  for (const model of objects(Object.values(models))) {
    usage.input += asNumber(model['inputTokens']) ?? 0
    usage.output += asNumber(model['outputTokens']) ?? 0
    usage.cacheRead += asNumber(model['cacheReadInputTokens']) ?? 0
    usage.cacheWrite += asNumber(model['cacheCreationInputTokens']) ?? 0
    costUsd += asNumber(model['costUSD']) ?? 0
  }
  return { usage, costUsd }
}
