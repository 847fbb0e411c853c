import { asNumber, asObject, asString, type JsonObject } from '../../text/json.ts'
import type { LineDecoder } from '../agent-format.ts'
import type { ServiceFailure, TranscriptFormat } from '../agent-run.ts'
import { closedByService, closing } from '../closing.ts'
import type { AgentEvent, DecodedLine, ResultEvent } from '../events.ts'
import type { CollectLimits } from '../limits.ts'
import { isRateLimit, serviceFailure } from '../service-failure.ts'
import { ShellOutputs } from './shell-outputs.ts'
import { completedCall, startedCall } from './tools.ts'
import { metricsUsage, usageOf } from './usage.ts'
import type { Workspace } from './workspace.ts'

/** Copilot's names for what service-failure.ts knows by the services' own. */
const NAMES: Record<string, string> = { quota: 'billing', authorization: 'permission_error' }

/** Events of one stream or file, in their order. */
export class EventDecoder implements LineDecoder {
  readonly #format: TranscriptFormat
  readonly #limits: CollectLimits
  #workspace: Workspace | undefined
  readonly #shells = new ShellOutputs()
  /** Of the turn under way. */
  #lastText = ''
  #failure: ServiceFailure | undefined
  #aborted: string | undefined
  #usageTold = false

  constructor(format: TranscriptFormat, limits: CollectLimits, workspace?: Workspace) {
    this.#format = format
    this.#limits = limits
    this.#workspace = workspace
  }

  decode(line: JsonObject): DecodedLine {
    const timestamp = asString(line['timestamp'])
    if (line['type'] === 'result') {
      const sessionId = asString(line['sessionId'])
      return { known: true, timestamp, sessionId, events: [this.#result(line)] }
    }
    const data = asObject(line['data']) ?? {}
    const subAgent = line['agentId'] !== undefined || data['parentToolCallId'] !== undefined
    const events = [...this.#place(), ...this.#events(line, data, subAgent)]
    const begins = line['type'] === 'user.message' || line['type'] === 'session.resume'
    const isStart = line['type'] === 'session.start'
    return {
      known: true,
      timestamp,
      events,
      ...(begins && { afterWait: true, promptId: asString(data['messageId']) ?? asString(line['id']) }),
      ...(isStart && { sessionId: asString(data['sessionId']) }),
    }
  }

  #events(line: JsonObject, data: JsonObject, subAgent: boolean): AgentEvent[] {
    switch (line['type']) {
      case 'session.start':
      case 'session.resume':
        return [startOf(data)]
      case 'session.model_change':
        return [{ kind: 'session', model: asString(data['newModel']) }]
      case 'session.title_changed':
        return [{ kind: 'session', title: asString(data['title']) }]
      case 'user.message':
        return subAgent ? [] : this.#prompt(data)
      case 'assistant.message':
        return this.#message(data, subAgent)
      case 'tool.execution_start':
        return this.#call(data, subAgent)
      case 'tool.shell_output':
        this.#shells.add(data)
        return []
      case 'tool.execution_complete':
        return this.#completed(data, subAgent)
      case 'system.notification':
        return this.#shells.ended(asObject(data['kind']) ?? {})
      case 'assistant.turn_retry':
        return [{ kind: 'retry', rateLimited: isRateLimit(undefined, asString(data['reason'])) }]
      case 'session.error':
        return this.#failed(data)
      case 'abort':
        this.#aborted = asString(data['reason']) ?? 'user_abort'
        return [{ kind: 'interrupted' }]
      case 'assistant.usage':
        return this.#used(data, line)
      case 'session.usage_record':
        return this.#used(asObject(data['usage']) ?? {}, line)
      case 'session.shutdown':
        return this.#shutdown(data, line)
      default:
        return []
    }
  }

  /** What stands beside the file, told before anything in it. */
  #place(): AgentEvent[] {
    const { cwd, title } = this.#workspace ?? {}
    this.#workspace = undefined
    return cwd === undefined && title === undefined ? [] : [{ kind: 'session', cwd, title }]
  }

  #prompt(data: JsonObject): AgentEvent[] {
    this.#turnBegins()
    const source = asString(data['source'])
    const isPersons = (source === undefined || source === 'user') && data['isAutopilotContinuation'] !== true
    const text = asString(data['content']) ?? ''
    return isPersons && text.trim() !== '' ? [{ kind: 'prompt', text }] : []
  }

  #turnBegins(): void {
    this.#lastText = ''
    this.#failure = undefined
    this.#aborted = undefined
  }

  #message(data: JsonObject, subAgent: boolean): AgentEvent[] {
    const events: AgentEvent[] = []
    const model = asString(data['model'])
    if (model !== undefined) events.push({ kind: 'session', model, subAgent })
    const text = asString(data['content']) ?? ''
    if (text.trim() !== '') events.push({ kind: 'text', text, subAgent })
    if (subAgent) return events
    // Whatever failed before, it was asked again and answered.
    this.#failure = undefined
    if (text.trim() !== '') this.#lastText = text
    return events
  }

  #call(data: JsonObject, subAgent: boolean): AgentEvent[] {
    const call = startedCall(data, subAgent, this.#limits)
    if (!call) return []
    const input = asObject(data['arguments'])
    if (call.kind === 'shell') this.#shells.started(call.id, input)
    const about =
      asString(input?.['pattern']) ?? asString(input?.['description']) ?? asString(input?.['query'])
    return [{ kind: 'call', call, about }]
  }

  #completed(data: JsonObject, subAgent: boolean): AgentEvent[] {
    const id = asString(data['toolCallId'])
    if (id === undefined) return []
    const result = completedCall(data, this.#shells.outputOf(id))
    const ended = this.#shells.completed(id, result)
    return [{ kind: 'call_result', id, result: this.#shells.ownResult(id, result), subAgent }, ...ended]
  }

  #failed(data: JsonObject): AgentEvent[] {
    const type = asString(data['errorType'])
    const words = asString(data['message']) ?? type ?? 'unknown error'
    const names = [
      NAMES[type ?? ''] ?? type,
      asString(data['errorCode']),
      asString(data['providerErrorType']),
    ]
    this.#failure = serviceFailure(words, asNumber(data['statusCode']), names)
    return [{ kind: 'api_failure', failure: this.#failure, subAgent: false }]
  }

  #used(usage: JsonObject, line: JsonObject): AgentEvent[] {
    this.#usageTold = true
    const id = asString(usage['apiCallId']) ?? asString(line['id']) ?? ''
    return [{ kind: 'response', id, usage: usageOf(usage), characters: () => 0 }]
  }

  /** The file's own end; without it the program was killed. Older versions tell only here what was used. */
  #shutdown(data: JsonObject, line: JsonObject): AgentEvent[] {
    const usage = this.#usageTold ? undefined : metricsUsage(data['modelMetrics'])
    const id = asString(line['id']) ?? ''
    const events: AgentEvent[] = usage ? [{ kind: 'response', id, usage, characters: () => 0 }] : []
    this.#usageTold = false
    if (this.#format !== 'session') return events
    const isSound = data['shutdownType'] !== 'error'
    return [...events, { kind: 'result', result: this.#closing(isSound ? 0 : 1, undefined) }]
  }

  #result(line: JsonObject): AgentEvent {
    const durationMs = asNumber(asObject(line['usage'])?.['sessionDurationMs'])
    return { kind: 'result', result: this.#closing(asNumber(line['exitCode']) ?? 0, durationMs) }
  }

  /** After a signal the program calls itself successful too: that it was stopped stands before. */
  #closing(exitCode: number, durationMs: number | undefined): ResultEvent {
    const service =
      this.#aborted === 'autopilot_credit_limit'
        ? { cause: 'budget' as const, words: 'the limit of credits was reached', passing: false }
        : this.#failure
    if (service) return closedByService(service, { durationMs })
    const text = this.#lastText
    if (this.#aborted === undefined && exitCode === 0) return closing({ text, durationMs })
    const terminalReason = this.#aborted === undefined ? undefined : `aborted_${this.#aborted}`
    return closing({ subtype: 'error_during_execution', isError: true, text, terminalReason, durationMs })
  }
}

function startOf(data: JsonObject): AgentEvent {
  const model = asString(data['selectedModel'])
  return {
    kind: 'session',
    cwd: asString(asObject(data['context'])?.['cwd']),
    // Which one it will be is told with the first answer.
    model: model === 'auto' ? undefined : model,
    version: asString(data['copilotVersion']),
    parentId: undefined,
  }
}
