import { asNumber, asString, type JsonObject } from '../../text/json.ts'
import type { AgentEvent, CallResult } from '../events.ts'
import type { CompletedOutcome } from './tools.ts'

/** What a command says last is what it ends with. */
const KEPT_OUTPUT = 64_000

/** Commands under way: what they print, and which of them went on in the background under which name. */
export class ShellOutputs {
  readonly #printed = new Map<string, string>()
  /** Names of shells that a call asked for, and those that a call left running. */
  readonly #asked = new Map<string, string>()
  readonly #running = new Map<string, string>()
  readonly #looks = new Set<string>()

  started(callId: string, input: JsonObject | undefined): void {
    this.#printed.set(callId, '')
    const shell = asString(input?.['shellId'])
    if (shell !== undefined) this.#asked.set(callId, shell)
    if (shell !== undefined && input?.['command'] === undefined) this.#looks.add(callId)
  }

  /** Of a look at a command that went on: how that one ended is not how the look did. */
  ownResult(callId: string, result: CallResult): CallResult {
    if (!this.#looks.delete(callId)) return result
    const { exitCode, ...structured } = (result.structured ?? {}) as CompletedOutcome
    return { ...result, isError: result.isError && exitCode === undefined, structured }
  }

  add(data: JsonObject): void {
    const id = asString(data['toolCallId']) ?? ''
    const before = this.#printed.get(id)
    if (before !== undefined)
      this.#printed.set(id, (before + (asString(data['text']) ?? '')).slice(-KEPT_OUTPUT))
  }

  outputOf(callId: string): string {
    return this.#printed.get(callId) ?? ''
  }

  /** Notes what still runs; tells the end of what ran before and is asked for now. */
  completed(callId: string, result: CallResult): AgentEvent[] {
    const { background, exitCode } = (result.structured ?? {}) as CompletedOutcome
    const asked = this.#asked.get(callId)
    this.#printed.delete(callId)
    this.#asked.delete(callId)
    if (background !== undefined && !this.#running.has(background)) this.#running.set(background, callId)
    return asked === undefined || exitCode === undefined
      ? []
      : this.#end(asked, exitCode, callId, result.text)
  }

  /** The program's own notice. */
  ended(kind: JsonObject): AgentEvent[] {
    const shell = asString(kind['shellId'])
    const exitCode = asNumber(kind['exitCode']) ?? 0
    if (kind['type'] !== 'shell_completed' || shell === undefined) return []
    return this.#end(shell, exitCode, undefined, `Background command ended with exit code ${exitCode}`)
  }

  #end(shell: string, exitCode: number, by: string | undefined, summary: string): AgentEvent[] {
    const id = this.#running.get(shell)
    if (id === undefined || id === by) return []
    this.#running.delete(shell)
    return [{ kind: 'background_end', id, failed: exitCode !== 0, summary }]
  }
}
