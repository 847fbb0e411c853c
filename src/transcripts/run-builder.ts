import type { AgentFormat } from './agent-format.ts'
import type { AgentRun, AssistantText, RunResult, ServiceFailure, ToolCall } from './agent-run.ts'
import type { LastAct, RunEnd } from './ending.ts'
import type { AgentEvent, DecodedLine, ResultEvent } from './events.ts'
import { excerpt } from './excerpt.ts'
import { HeldCalls } from './held-calls.ts'
import type { CollectLimits } from './limits.ts'
import { UsageMeter } from './usage-meter.ts'

/** What a run's lines say; how it ended depends also on the format. */
export interface CollectedRun {
  facts: Omit<AgentRun, 'agent' | 'format' | 'ending' | 'service' | 'process' | 'lines'>
  end: RunEnd
}

/** A request that is being repeated has not failed for good. */
const ASKED_AGAIN: ServiceFailure = { cause: 'rate_limit', words: '', passing: true }

/** Events in, facts of the run out, in bounded memory. */
export class RunBuilder {
  readonly #limits: CollectLimits
  readonly #calls: HeldCalls
  readonly #waiting = new Map<string, ToolCall>()
  readonly #background = new Map<string, ToolCall>()
  readonly #meter = new UsageMeter()
  readonly #session: Pick<AgentRun, 'sessionId' | 'cwd' | 'model' | 'version'> = {
    sessionId: undefined,
    cwd: undefined,
    model: undefined,
    version: undefined,
  }
  readonly #rateLimit: AgentRun['rateLimit'] = { retries: 0, resetsAt: undefined }
  #prompt: string | undefined
  #texts: AssistantText[] = []
  #textTotal = 0
  #continued = false
  #result: ResultEvent | undefined
  #actedSinceResult = false
  #mainAct: LastAct | undefined
  #subAgentAct: LastAct | undefined
  #firstTime: number | undefined
  #lastTime: number | undefined
  #workingMs = 0

  constructor(limits: CollectLimits) {
    this.#limits = limits
    this.#calls = new HeldCalls(limits)
  }

  /** `settle`: how the agent that wrote the line completes a call with its result. */
  add(line: DecodedLine, settle: AgentFormat['settle']): void {
    if (line.timestamp) this.#clock(Date.parse(line.timestamp), line.afterWait === true)
    this.#session.sessionId ??= line.sessionId
    for (const event of line.events) this.#apply(event, settle)
  }

  /** A line from before what is asked about: only running totals reach into the rest. */
  passOver(line: DecodedLine): void {
    for (const event of line.events) {
      if (event.kind === 'totals') this.#meter.before(event.costUsd, event.usage)
    }
  }

  #apply(event: AgentEvent, settle: AgentFormat['settle']): void {
    switch (event.kind) {
      case 'session':
        this.#identify(event)
        break
      case 'prompt':
        this.#prompt ??= excerpt(event.text, this.#limits.text)
        break
      case 'text':
        this.#acted('text', event.subAgent)
        this.#say(event.text, event.subAgent)
        break
      case 'call':
        this.#acted('call', event.call.subAgent)
        this.#call(event.call)
        break
      case 'call_result':
        this.#settle(event, settle)
        break
      case 'background_end':
        this.#endBackground(event.id, event.failed, event.summary)
        break
      case 'continued':
        this.#continued = true
        break
      case 'interrupted':
        this.#acted('interrupted', false)
        break
      case 'retry':
        if (event.rateLimited) this.#rateLimit.retries++
        this.#acted(event.rateLimited ? ASKED_AGAIN : 'retry', false)
        break
      case 'api_failure':
        this.#acted(this.#shortened(event.failure), event.subAgent)
        break
      case 'quota':
        this.#rateLimit.resetsAt = event.resetsAt ?? this.#rateLimit.resetsAt
        break
      case 'response':
        this.#meter.response(event.id, event.usage)
        break
      case 'totals':
        this.#meter.sessionTotals(event.costUsd, event.usage)
        break
      case 'result':
        this.#meter.result(event.result, this.#result === undefined)
        this.#result = event.result
        this.#actedSinceResult = false
    }
  }

  #identify({ cwd, model, version, subAgent }: AgentEvent & { kind: 'session' }): void {
    // The first says where the run began; a turn later in the run may say otherwise.
    this.#session.cwd ??= cwd
    this.#session.version ??= version
    if (model && !(subAgent && this.#session.model)) this.#session.model = model
  }

  #say(text: string, subAgent: boolean): void {
    const last = this.#texts.at(-1)
    if (this.#continued && last && !subAgent) {
      this.#textTotal -= last.text.length
      last.text = excerpt(last.text + text, this.#limits.text)
      this.#textTotal += last.text.length
      this.#continued = false
      return
    }
    const kept = { text: excerpt(text, this.#limits.text), subAgent }
    this.#texts.push(kept)
    this.#textTotal += kept.text.length
    if (this.#textTotal > this.#limits.textTotal) this.#forgetOldTexts()
  }

  /** Down to half, so that this happens seldom. */
  #forgetOldTexts(): void {
    let from = 0
    while (this.#textTotal > this.#limits.textTotal / 2 && from < this.#texts.length - 1) {
      this.#textTotal -= this.#texts[from++]!.text.length
    }
    this.#texts = this.#texts.slice(from)
  }

  #call(call: ToolCall): void {
    if (this.#waiting.has(call.id)) return
    this.#waiting.set(call.id, call)
    if (this.#waiting.size > this.#limits.toolCalls) this.#waiting.delete(this.#waiting.keys().next().value!)
    this.#calls.add(call)
  }

  #settle(
    { id, result, subAgent }: AgentEvent & { kind: 'call_result' },
    settle: AgentFormat['settle'],
  ): void {
    const call = this.#waiting.get(id)
    if (call) {
      this.#waiting.delete(id)
      settle(call, result, this.#limits)
      this.#calls.outputKept(call)
      if (call.status === 'unfinished') this.#background.set(id, call)
    } else if (result.isError) {
      // The call itself is not in the transcript (it began before, or its line was broken); the failure still counts.
      const orphan: ToolCall = {
        id,
        name: 'unknown',
        kind: 'other',
        paths: [],
        command: undefined,
        creates: undefined,
        subAgent,
        status: 'failed',
        output: '',
      }
      settle(orphan, result, this.#limits)
      this.#calls.add(orphan)
      this.#calls.outputKept(orphan)
    }
    this.#acted('call', subAgent)
  }

  #endBackground(id: string, failed: boolean, summary: string): void {
    const call = this.#background.get(id)
    if (!call) return
    this.#background.delete(id)
    call.status = failed ? 'failed' : 'ok'
    if (!failed) return
    call.output = excerpt(summary, this.#limits.failureOutput)
    this.#calls.outputKept(call)
  }

  #acted(act: LastAct, subAgent: boolean): void {
    if (subAgent) this.#subAgentAct = act
    else this.#mainAct = act
    this.#actedSinceResult = true
  }

  /** Sums up the time between lines, except where the agent waited for a person. */
  #clock(time: number, afterWait: boolean): void {
    if (Number.isNaN(time)) return
    this.#firstTime = Math.min(this.#firstTime ?? time, time)
    // Lines of parallel sub-agents are not in order: only what lies beyond the latest time is new.
    if (this.#lastTime !== undefined && time > this.#lastTime && !afterWait)
      this.#workingMs += time - this.#lastTime
    this.#lastTime = Math.max(this.#lastTime ?? time, time)
  }

  build(): CollectedRun {
    // The file of a sub-agent on its own: there it is the main agent.
    const alone = this.#mainAct === undefined
    const result = this.#result && closingWords(this.#result, this.#limits)
    return {
      facts: {
        ...this.#session,
        startedAt: isoTime(this.#firstTime),
        endedAt: isoTime(this.#lastTime),
        prompt: this.#prompt,
        toolCalls: this.#calls.all,
        texts: alone ? this.#texts.map(({ text }) => ({ text, subAgent: false })) : this.#texts,
        result,
        rateLimit: this.#rateLimit,
        usage: this.#meter.usage(),
        costUsd: this.#meter.costUsd(),
        durationMs: this.#duration(),
      },
      end: {
        result: result && {
          ...result,
          service: this.#result?.service && this.#shortened(this.#result.service),
        },
        resultIsLast: !this.#actedSinceResult,
        lastAct: alone ? this.#subAgentAct : this.#mainAct,
      },
    }
  }

  #shortened(failure: ServiceFailure): ServiceFailure {
    return { ...failure, words: excerpt(failure.words, this.#limits.failureOutput) }
  }

  /** Of a run whose lines tell no time nobody knows how long it took. */
  #duration(): number | undefined {
    const told = this.#result?.durationMs
    return this.#workingMs > 0 ? Math.max(told ?? 0, this.#workingMs) : told
  }
}

function closingWords(result: ResultEvent, limits: CollectLimits): RunResult {
  return {
    subtype: result.subtype,
    isError: result.isError,
    text: excerpt(result.text, limits.text),
    errors: result.errors.slice(0, 20).map((error) => excerpt(error, limits.failureOutput)),
    terminalReason: result.terminalReason,
  }
}

function isoTime(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString()
}
