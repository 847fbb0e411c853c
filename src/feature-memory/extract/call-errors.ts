import { parseShell, programOf } from '../../shell/parse-shell.ts'
import type { ToolCall } from '../../transcripts/agent-run.ts'
import { isActing } from './acting.ts'
import { type Failure, failureMessage } from './failures/failure.ts'
import { findFailures } from './failures/find-failures.ts'
import { shellFailure, typeByCommand } from './shell-failure.ts'
import { fateOf, refusal, toolFailure } from './tool-failure.ts'

/** Reads the errors out of the calls of one run, in order. */
export class CallErrors {
  /** Files that a run's output was sent to: showing one shows that output. */
  readonly #logs = new Set<string>()

  of(call: ToolCall): Failure[] {
    if (call.status === 'unfinished' && call.output === '') return []
    const fate = fateOf(call)
    if (fate === 'refused') return [refusal(call)]
    if (fate !== 'ran') return []
    if (call.kind !== 'shell') return call.status === 'failed' ? [toolFailure(call)] : []
    const command = call.command ?? ''
    // Of a failure in the background only this sentence is told.
    if (call.output.startsWith('Background command ')) {
      return call.status === 'failed'
        ? [{ type: typeByCommand(command), message: failureMessage(call.output) }]
        : []
    }
    const output = call.output.replace(/^Exit code \d+\n?/, '')
    const running = this.#runsSomething(command)
    const found = running ? findFailures(output, command) : []
    if (found.length > 0 || call.status !== 'failed') return found
    return shellFailure(command, call.output, !running)
  }

  #runsSomething(command: string): boolean {
    const parts = parseShell(command)
    // Nothing plain to see, as in a loop: it may run anything.
    if (parts.length === 0) return true
    const placed = parts.map((part) => ({ part, ...programOf(part) }))
    if (!parts.some(isActing)) return placed.some(({ args }) => args.some(({ text }) => this.#logs.has(text)))
    for (const { part, name, args } of placed) {
      for (const { target } of part.redirects) this.#logs.add(target.text)
      if (name === 'tee') for (const { text } of args) this.#logs.add(text)
    }
    return true
  }
}
