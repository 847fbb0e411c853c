import type { ToolCall } from '../../transcripts/agent-run.ts'
import { type Failure, oneLine } from './failures/failure.ts'
import { findFailures } from './failures/find-failures.ts'
import { parseShell, programOf } from './shell.ts'
import { shellFailure, typeByCommand } from './shell-failure.ts'
import { refusal, toolFailure } from './tool-failure.ts'

/** They show what is in files or on the machine; an error in what they print is not an error of this run. */
const SHOWING = new Set([
  ...[
    'cat',
    'head',
    'tail',
    'less',
    'more',
    'nl',
    'grep',
    'egrep',
    'rg',
    'ag',
    'find',
    'fd',
    'ls',
    'tree',
    'diff',
  ],
  ...['sed', 'awk', 'sort', 'uniq', 'cut', 'tr', 'wc', 'jq', 'yq', 'xxd', 'echo', 'printf', 'tee', 'date'],
  ...['cd', 'pwd', 'mkdir', 'touch', 'rm', 'cp', 'mv', 'stat', 'file', 'which', 'type', 'env', 'export'],
  ...['true', 'test', '[', 'sleep'],
])
/** Of git, only what runs hooks does something. */
const GIT_ACTING = /^(?:commit|push|merge|rebase|pull|am|cherry-pick)$/
/** Reads the errors out of the calls of one run, in order. */
export class CallErrors {
  /** Files that a run's output was sent to: showing one shows that output. */
  readonly #logs = new Set<string>()

  of(call: ToolCall): Failure[] {
    if (call.status === 'unfinished' && call.output === '') return []
    if (call.kind !== 'shell') return call.status === 'failed' ? [toolFailure(call)] : []
    const command = call.command ?? ''
    const refused = call.status === 'failed' ? refusal(call) : undefined
    if (refused) return [refused]
    // Of a failure in the background only this sentence is told.
    if (call.output.startsWith('Background command ')) {
      return call.status === 'failed' ? [{ type: typeByCommand(command), message: oneLine(call.output) }] : []
    }
    const output = call.output.replace(/^Exit code \d+\n?/, '')
    const running = this.#runsSomething(command)
    const found = running ? findFailures(output, command) : []
    if (found.length > 0 || call.status !== 'failed') return found
    return shellFailure(command, call.output, !running)
  }

  #runsSomething(command: string): boolean {
    const parts = parseShell(command).map((part) => ({ part, ...programOf(part) }))
    // Nothing plain to see, as in a loop: it may run anything.
    if (parts.length === 0) return true
    const acting = parts.filter(({ name, args }) =>
      name === 'git' ? GIT_ACTING.test(args[0]?.text ?? '') : name !== '' && !SHOWING.has(name),
    )
    if (acting.length === 0) {
      return parts.some(({ args }) => args.some(({ text }) => this.#logs.has(text)))
    }
    for (const { part, name, args } of parts) {
      for (const { target } of part.redirects) this.#logs.add(target.text)
      if (name === 'tee') for (const { text } of args) this.#logs.add(text)
    }
    return true
  }
}
