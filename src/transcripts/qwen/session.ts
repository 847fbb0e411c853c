import { asNumber, asObject, asString, type JsonObject, objects } from '../../text/json.ts'
import type { LineDecoder } from '../agent-format.ts'
import type { ServiceFailure } from '../agent-run.ts'
import type { AgentEvent, CallResult, DecodedLine } from '../events.ts'
import { messageParts, textOf, toolAnswers, typedText } from '../gemini/parts.ts'
import { toldResult } from '../gemini/shell-output.ts'
import { tokenUsage } from '../gemini/tokens.ts'
import { aboutCall, describeGeminiCall } from '../gemini/tools.ts'
import type { CollectLimits } from '../limits.ts'
import { isRateLimit, serviceFailure } from '../service-failure.ts'

const TYPES = new Set(['user', 'assistant', 'tool_result', 'system'])

/** Claude Code's session lines have the same frame, but neither of these in it. */
export function isQwenSessionLine(line: JsonObject): boolean {
  if (!TYPES.has(asString(line['type']) ?? '') || asString(line['sessionId']) === undefined) return false
  return (
    asString(line['provenance']) !== undefined ||
    'systemPayload' in line ||
    Array.isArray(asObject(line['message'])?.['parts'])
  )
}

/** What is kept in the place of an answer without words. */
const NOTHING_SAID = '(empty content)'

/** Words of a person's; in the user's role the program tells what its tasks and goals have come to as well. */
const PERSONS = new Set([undefined, 'mid_turn_user_message'])

/** A line of `~/.qwen/projects/<project>/chats/<session>.jsonl` or of a sub-agent's file in `subagents/<session>/`. */
export class QwenSessionDecoder implements LineDecoder {
  readonly #limits: CollectLimits
  readonly #shellCalls = new Set<string>()
  #countsTokens = false
  /** The service did not answer, and nothing has come since. */
  #failure: ServiceFailure | undefined

  constructor(limits: CollectLimits) {
    this.#limits = limits
  }

  decode(line: JsonObject): DecodedLine {
    const { sessionId, parentId } = ownerOf(line)
    const subAgent = parentId !== undefined
    const session = { cwd: asString(line['cwd']), version: asString(line['version']), parentId, subAgent }
    const frame = { known: true, timestamp: asString(line['timestamp']), sessionId }
    const facts: AgentEvent = { kind: 'session', ...session }
    switch (line['type']) {
      case 'user': {
        const prompt = this.#typed(line)
        return {
          ...frame,
          events: [facts, ...prompt],
          promptId: asString(line['uuid']),
          afterWait: prompt.length > 0,
        }
      }
      case 'assistant':
        return { ...frame, events: [facts, ...this.#answer(line, subAgent)] }
      case 'tool_result':
        return { ...frame, events: [facts, ...this.#callResults(line, subAgent)] }
      default:
        return { ...frame, events: this.#system(line) }
    }
  }

  end(): AgentEvent[] {
    const failure = this.#failure
    this.#failure = undefined
    return failure ? [{ kind: 'api_failure', failure, subAgent: false }] : []
  }

  #typed(line: JsonObject): AgentEvent[] {
    const isPersons =
      PERSONS.has(asString(line['subtype'])) && (line['provenance'] ?? 'real_user') === 'real_user'
    if (!isPersons) return []
    const text = asString(asObject(line['systemPayload'])?.['displayText']) ?? typedText(partsIn(line))
    return text.trim() ? [...this.end(), { kind: 'prompt', text }] : []
  }

  #answer(line: JsonObject, subAgent: boolean): AgentEvent[] {
    this.#failure = undefined
    const events: AgentEvent[] = []
    const model = asString(line['model'])
    if (model) events.push({ kind: 'session', model, subAgent })
    const parts = partsIn(line)
    const text = textOf(parts)
    const usage = asObject(line['usageMetadata'])
    const id = asString(line['uuid'])
    if (usage && id)
      events.push({ kind: 'response', id, usage: usageOf(usage), characters: () => text.length })
    if (text.trim() && text !== NOTHING_SAID) events.push({ kind: 'text', text, subAgent })
    for (const { functionCall } of parts) events.push(...this.#call(asObject(functionCall), subAgent))
    if (this.#isCut(usage)) events.push({ kind: 'interrupted' })
    return events
  }

  /** What an answer took is told at its end: where answers tell it, one that does not was stopped before. */
  #isCut(usage: JsonObject | undefined): boolean {
    if (usage) this.#countsTokens = true
    return !usage && this.#countsTokens
  }

  #call(call: JsonObject | undefined, subAgent: boolean): AgentEvent[] {
    const [id, name] = [asString(call?.['id']), asString(call?.['name'])]
    if (id === undefined || name === undefined) return []
    const input = asObject(call?.['args']) ?? {}
    const described = describeGeminiCall(id, name, input, subAgent, this.#limits)
    if (described.kind === 'shell') this.#shellCalls.add(id)
    return [{ kind: 'call', call: described, about: aboutCall(input) }]
  }

  #callResults(line: JsonObject, subAgent: boolean): AgentEvent[] {
    this.#failure = undefined
    const account = asObject(line['toolCallResult'])
    return toolAnswers(partsIn(line)).flatMap(({ id = asString(account?.['callId']), isError, text }) => {
      if (id === undefined) return []
      const own = account?.['callId'] === id ? account : undefined
      const failed = isError || (own?.['status'] !== undefined && own['status'] !== 'success')
      const result = resultOf(own, text, failed, this.#shellCalls.delete(id))
      return [{ kind: 'call_result', id, result, subAgent }]
    })
  }

  /** Book-keeping, but for what the service refused. */
  #system(line: JsonObject): AgentEvent[] {
    const payload = asObject(line['systemPayload'])
    if (line['subtype'] === 'custom_title')
      return [{ kind: 'session', title: asString(payload?.['customTitle']) }]
    const told = asObject(payload?.['uiEvent'])
    if (told?.['event.name'] !== 'qwen-code.api_error') return []
    const status = asNumber(told['status_code'])
    const names = [asString(told['error_type'])]
    this.#failure = serviceFailure(asString(told['error_message']) ?? '', status, names)
    return [{ kind: 'retry', rateLimited: isRateLimit(status) }]
  }
}

function resultOf(
  account: JsonObject | undefined,
  text: string,
  isError: boolean,
  isShell: boolean,
): CallResult {
  const display = asObject(account?.['resultDisplay'])
  if (!isShell) return { isError, text, structured: { display } }
  const told = toldResult(text)
  const exitCode = asNumber(display?.['exitCode'])
  // That its time was up is not in what it printed.
  const printed = display?.['outcome'] === 'timed_out' ? undefined : asString(display?.['output'])
  return {
    isError: isError || (exitCode === undefined ? told.failed : exitCode !== 0),
    text: printed || told.output,
    structured: { exitCode: exitCode ?? told.exitCode, unfinished: told.unfinished },
  }
}

/** A sub-agent's lines name the session that started it. */
function ownerOf(line: JsonObject): { sessionId: string | undefined; parentId: string | undefined } {
  const sessionId = asString(line['sessionId'])
  const agentId = asString(line['agentId'])
  if (agentId === undefined || line['isSidechain'] !== true) return { sessionId, parentId: undefined }
  return { sessionId: `${sessionId}/${agentId}`, parentId: sessionId }
}

function partsIn(line: JsonObject): JsonObject[] {
  return objects(messageParts(asObject(line['message'])?.['parts']))
}

function usageOf(usage: JsonObject) {
  return tokenUsage({
    input: asNumber(usage['promptTokenCount']),
    output: asNumber(usage['candidatesTokenCount']),
    cached: asNumber(usage['cachedContentTokenCount']),
    total: asNumber(usage['totalTokenCount']),
  })
}
