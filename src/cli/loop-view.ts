import type { LoopEvent } from '../loop/events.ts'
import { drawnRemark } from '../telling/memory-words.ts'
import { plural } from '../text/plural.ts'
import { shortId } from '../text/short-id.ts'
import { oneLine } from '../text/truncate.ts'
import { agentLabel } from '../transcripts/agents.ts'
import { outcomeBadge } from './iteration-text.ts'
import type { Output } from './output.ts'

type Started = Extract<LoopEvent, { kind: 'iteration_started' }>
type Running = Extract<LoopEvent, { kind: 'activity' }>
type Ended = Extract<LoopEvent, { kind: 'iteration_ended' }>
type Waiting = Extract<LoopEvent, { kind: 'gates_waiting' }>
type Stopped = Extract<LoopEvent, { kind: 'stopped' }>

const REDRAW_MS = 1_000

/** Shows a loop as it runs: one moving line on a terminal, plain lines in a pipe, JSON lines for programs. */
export class LoopView {
  readonly #out: Output
  #current: { started: Started; at: number; activity: Running | undefined } | undefined
  #reported = 0
  #timer: NodeJS.Timeout | undefined

  constructor(out: Output) {
    this.#out = out
  }

  show = (event: LoopEvent): void => {
    if (event.kind === 'activity') {
      this.#activity(event)
      return
    }
    this.#out.event(event)
    if (event.kind === 'iteration_started') this.#begin(event)
    if (event.kind === 'iteration_ended') this.#current = undefined
    if (event.kind === 'dry_run' && !this.#out.json) this.#out.say(event.prompt)
    for (const line of this.#linesOf(event)) this.#out.talk(line)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** Programs get news of a run once a second at most, people see the line move. */
  #activity(event: Running): void {
    if (this.#current) this.#current.activity = event
    if (Date.now() - this.#reported < REDRAW_MS) return
    this.#reported = Date.now()
    this.#out.event(event)
    this.#redraw()
  }

  #linesOf(event: Exclude<LoopEvent, Running>): string[] {
    switch (event.kind) {
      case 'status':
        return [this.#out.talkStyle(event.available ? 'green' : 'yellow', event.line)]
      case 'board_problem':
        return [`${this.#mark('yellow', 'board')} ${event.message}`]
      case 'holdout':
        return [
          `${this.#mark('cyan', 'hold-out')} ${event.share} of the iterations on tasks go without memory, to compare ${this.#dim(`(seed ${event.seed})`)}`,
        ]
      case 'recovered':
        return [`${this.#mark('cyan', 'recovered')} ${event.message}`]
      case 'iteration_started':
        return [this.#startLine(event)]
      case 'undone':
        return [
          ...event.what.map((what) => `  ${this.#mark('red', 'undone')} ${what}`),
          ...(event.rejectedIn
            ? [`  ${this.#dim(`the agent's version is kept in ${event.rejectedIn}`)}`]
            : []),
        ]
      case 'kept':
        return [`  ${this.#mark('cyan', 'kept')} not by the agent: ${event.what.join('; ')}`]
      case 'iteration_ended':
        return this.#endLines(event)
      case 'waiting':
        return [`${this.#mark('yellow', 'waiting')} ${event.reason}; next try ${clock(event.until)}`]
      case 'trouble':
        return [
          `${this.#mark('red', 'trouble')} ${event.message}`,
          ...(event.hint ? [`  → ${event.hint}`] : []),
        ]
      case 'gates_waiting':
        return this.#gateLines(event)
      case 'sent_back':
        return event.gates.map(
          ({ taskId, taskTitle, by, feedback }) =>
            `${this.#mark('yellow', 'sent back')} task ${taskId} ${oneLine(taskTitle, 60)}, by ${by}: ${oneLine(feedback, 120)}`,
        )
      case 'dry_run':
        return []
      case 'stopped':
        return [this.#summary(event)]
    }
  }

  #begin(event: Started): void {
    this.#current = { started: event, at: Date.now(), activity: undefined }
    this.#timer ??= setInterval(() => this.#redraw(), REDRAW_MS).unref()
  }

  #startLine(event: Started): string {
    const what = event.review
      ? `review of ${event.feature}`
      : `task ${event.taskId} ${event.taskTitle} ${this.#dim(`(${event.feature})`)}`
    const who = event.agent ? `${agentLabel(event.agent)}, ` : ''
    const drawn = drawnRemark(event.memory)
    const without = drawn === undefined ? '' : ` ${this.#out.talkStyle('yellow', drawn)}`
    return `${this.#out.talkStyle('bold', '▶')} ${what} ${this.#dim(`${who}prompt ${event.promptTokens} tokens`)}${without}`
  }

  #redraw(): void {
    if (!this.#current) return
    const { started, at, activity } = this.#current
    const parts = [
      started.review ? `review ${started.feature}` : `task ${started.taskId}`,
      started.feature,
      duration(Date.now() - at),
      ...(activity
        ? [`${thousands(activity.tokens)} tokens`, ...dollars(activity.cost), activity.lastAction]
        : ['starting']),
    ]
    this.#out.progress(`  ${parts.join(' · ')}`)
  }

  #endLines(event: Ended): string[] {
    const facts = [
      ...(event.iterationNumber === undefined ? ['not recorded'] : [`iteration ${event.iterationNumber}`]),
      duration(event.agentMs),
      ...(event.tokens ? [`${thousands(event.tokens)} tokens`] : []),
      ...dollars(event.costUsd),
      ...(event.taskStatus ? [`task ${event.taskStatus}`] : []),
      ...(event.remark ? [oneLine(event.remark, 120)] : []),
    ]
    return [
      `  ${outcomeBadge(this.#out, event.outcome)} ${this.#dim(facts.join(' · '))}`,
      ...(event.summary ? [`    ${oneLine(event.summary, 200)}`] : []),
    ]
  }

  #gateLines({ gates }: Waiting): string[] {
    const [longest] = gates
    const id = shortId('gate', longest!.id)
    const verb = gates.length === 1 ? 'waits' : 'wait'
    return [
      `${this.#mark('yellow', 'gate')} ${plural(gates.length, 'task')} ${verb} for a person, the longest: ${oneLine(longest!.taskTitle, 80)} (${longest!.gateType})`,
      `  → ralph gate list, then ralph gate approve ${id} or ralph gate reject ${id} --feedback "…"`,
    ]
  }

  #summary({ reason, iterations, outcomes, tokens, costUsd, elapsedMs }: Stopped): string {
    const counts = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`)
    const facts = [
      `${plural(iterations, 'iteration')}${counts.length > 0 ? ` (${counts.join(', ')})` : ''}`,
      ...(tokens > 0 ? [`${thousands(tokens)} tokens`] : []),
      ...(costUsd > 0 ? dollars(costUsd) : []),
      duration(elapsedMs),
    ]
    return `${this.#out.talkStyle('bold', '■')} ${reason}\n  ${this.#dim(facts.join(' · '))}`
  }

  #mark(colour: 'yellow' | 'red' | 'cyan', word: string): string {
    return this.#out.talkStyle(colour, `${word}:`)
  }

  #dim(text: string): string {
    return this.#out.talkStyle('dim', text)
  }
}

function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000)
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m ${seconds % 60}s`
  return `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}

function thousands(count: number): string {
  return count < 10_000 ? String(Math.round(count)) : `${Math.round(count / 1_000)}k`
}

function dollars(cost: number | undefined): string[] {
  return cost === undefined ? [] : [`$${cost.toFixed(2)}`]
}

function clock(time: string): string {
  const wait = Date.parse(time) - Date.now()
  return `at ${new Date(time).toLocaleTimeString()} (in ${duration(Math.max(0, wait))})`
}
