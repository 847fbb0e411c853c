import { truncate } from '../text/truncate.ts'
import type { AgentEvent } from './events.ts'
import type { ExchangeStep, TranscriptExchange } from './exchange.ts'
import { isLoopPrompt, isOwnTool } from './own-marks.ts'

interface Open {
  promptId: string | undefined
  conversationId: string
  prompt: string
  fromLoop: boolean
  offset: number
  startedAt: Date | undefined
  lastAt: Date | undefined
  steps: ExchangeStep[]
  /** Texts since the last tool call: the answer, if nothing more comes. */
  answer: string[]
  calls: Map<string, string>
  /** Of our own tools. */
  ownCalls: Set<string>
  interrupted: boolean
  /** The output limit cut the last text: the next one continues it. */
  cut: boolean
}

/** The line that events come from. */
export interface LineOrigin {
  conversationId: string
  offset: number
  at: Date | undefined
  /** Of a prompt in it, where the program names it. */
  promptId?: string | undefined
}

const OK_RESULT = 900
const FAILED_RESULT = 3_000
const STEPS = 1_000

/** What an agent's lines tell → exchanges: each prompt of a person with all that the agent did until the next one. */
export class ExchangeBuilder {
  #open: Open | undefined

  /** Where the exchange under way begins: reading can go on from there later. */
  get openOffset(): number | undefined {
    return this.#open?.offset
  }

  /** Whether the exchange under way is one of the loop. */
  get isFromLoop(): boolean {
    return this.#open?.fromLoop === true
  }

  /** Takes what the next line tells; returns the exchange that it brought to its end. */
  push(events: readonly AgentEvent[], origin: LineOrigin): TranscriptExchange | undefined {
    let finished: TranscriptExchange | undefined
    let begun = false
    for (const event of events) {
      if (event.kind === 'prompt') {
        // Text around a picture comes in several parts.
        if (begun && this.#open) this.#open.prompt += `\n${event.text}`
        else {
          finished = this.finish()
          this.#open = begin(event.text.trim(), origin)
          begun = true
        }
      } else if (this.#open) follow(this.#open, event, origin.at)
    }
    return finished
  }

  /** The exchange under way, as far as it has come. */
  finish(): TranscriptExchange | undefined {
    const open = this.#open
    this.#open = undefined
    if (!open) return undefined
    const { answer, lastAt, calls: _calls, ownCalls: _own, cut: _cut, ...exchange } = open
    if (answer.length > 0) return { ...exchange, answer: answer.join('\n\n'), endedAt: lastAt }
    const last = exchange.steps.findLast(({ role }) => role === 'assistant')
    const steps = exchange.steps.filter((step) => step !== last)
    return { ...exchange, steps, answer: last?.content ?? '', interrupted: true, endedAt: lastAt }
  }
}

function begin(prompt: string, { conversationId, promptId, offset, at }: LineOrigin): Open {
  return {
    promptId,
    conversationId,
    prompt,
    fromLoop: isLoopPrompt(prompt),
    offset,
    startedAt: at,
    lastAt: at,
    steps: [],
    answer: [],
    calls: new Map(),
    ownCalls: new Set(),
    interrupted: false,
    cut: false,
  }
}

function follow(open: Open, event: AgentEvent, at: Date | undefined): void {
  switch (event.kind) {
    case 'text':
      if (open.cut && open.answer.length > 0) open.answer.push(open.answer.pop() + event.text)
      else open.answer.push(event.text)
      open.cut = false
      break
    case 'continued':
      open.cut = true
      return
    case 'call': {
      settleAnswer(open)
      const { id, name, command, paths } = event.call
      open.calls.set(id, name)
      if (isOwnTool(event.call)) open.ownCalls.add(id)
      step(open, { role: 'tool_call', toolName: name, content: command ?? paths.join(', ') })
      break
    }
    case 'call_result': {
      // What memory answered is in memory already.
      if (open.ownCalls.has(event.id)) break
      const { isError, text } = event.result
      const toolName = open.calls.get(event.id)
      const content = bothEnds(text, isError ? FAILED_RESULT : OK_RESULT)
      step(open, {
        role: 'tool_result',
        content: isError ? `(failed) ${content}` : content,
        ...(toolName && { toolName }),
      })
      break
    }
    case 'api_failure':
      step(open, { role: 'system', content: event.failure.words })
      break
    case 'interrupted':
      open.interrupted = true
      break
    default:
      return
  }
  if (at) open.lastAt = at
}

/** What was said before a tool was called was not the answer yet. */
function settleAnswer(open: Open): void {
  for (const text of open.answer) step(open, { role: 'assistant', content: text })
  open.answer = []
}

function step(open: Open, message: ExchangeStep): void {
  if (open.steps.length < STEPS) open.steps.push(message)
}

/** Commands are at the beginning of an output, what came of them at the end. */
function bothEnds(text: string, limit: number): string {
  if (text.length <= limit) return text
  return `${truncate(text, Math.floor((limit * 2) / 3))}\n${text.slice(-Math.floor(limit / 3)).toWellFormed()}`
}

/** As an agent's line writes it; undefined for what is no time. */
export function toDate(timestamp: string | undefined): Date | undefined {
  if (timestamp === undefined) return undefined
  const date = new Date(timestamp)
  return Number.isNaN(date.getTime()) ? undefined : date
}
