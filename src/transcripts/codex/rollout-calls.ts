import { asObject, asString, type JsonObject, parseObject } from '../../text/json.ts'
import type { FileChange } from '../agent-run.ts'
import { patchedFiles } from '../apply-patch.ts'
import type { AgentEvent, CallResult } from '../events.ts'
import { outputText, readOutput } from './call-output.ts'
import { itemCall, itemResult } from './items.ts'
import { type CallFrame, changeCall, modelCall, patchIn, toolCall } from './tools.ts'

/**
 * The calls of a rollout. It tells each up to three times: as the model made it, as the program carried it out (an item, or an
 * event in older versions), and as the model got to read it. The program's account counts; where there is none, as of a patch
 * that did not fit, the model's does. In code mode the model only writes scripts, and the program's account is all there is.
 */
export class RolloutCalls {
  readonly #frame: CallFrame
  /** Made and not settled, with what it does to files if it is a patch. */
  readonly #open = new Map<string, FileChange[] | undefined>()
  /** Compaction repeats old calls. */
  readonly #seen = new Set<string>()
  /** Scripts of code mode, by the id of their call. */
  readonly #scripts = new Map<string, string>()
  /** Commands in the background by their numbers, with what they had printed. */
  readonly #background = new Map<string, { id: string; text: string }>()
  /** Looks at such a command, by the id of their call. */
  readonly #polls = new Map<string, string>()
  readonly #stopped = new Set<string>()

  constructor(frame: CallFrame) {
    this.#frame = frame
  }

  /** As the model made it. */
  made(payload: JsonObject): AgentEvent[] {
    const id = asString(payload['call_id']) ?? asString(payload['id'])
    const name = fullName(payload)
    if (!id || !name || this.#seen.has(id)) return []
    this.#seen.add(id)
    const input = asString(payload['arguments']) ?? asString(payload['input']) ?? actionText(payload)
    if (name === 'exec' && payload['type'] === 'custom_tool_call') {
      this.#scripts.set(id, input)
      return []
    }
    if (name === 'write_stdin') this.#polls.set(id, String(parseObject(input)?.['session_id']))
    const event = modelCall(id, name, input, this.#frame)
    if (!event) return []
    const patch = patchIn(name, input)
    this.#open.set(id, patch === undefined ? undefined : patchedFiles(patch))
    return [event]
  }

  /** As the program carried it out. `afterTurn`: told when the turn was over, which ends what still runs. */
  carriedOut(item: JsonObject, afterTurn = false): AgentEvent[] {
    const id = asString(item['id'])
    if (!id) return []
    if (this.#open.has(id)) return this.#settle(id, itemResult(item, afterTurn || this.#stopped.has(id)))
    if (this.#seen.has(id)) return []
    const event = itemCall(id, item, this.#frame)
    if (!event) return []
    this.#seen.add(id)
    return [event, ...this.#settle(id, itemResult(item, false))]
  }

  /** As the model got to read it. */
  answered(payload: JsonObject): AgentEvent[] {
    const id = asString(payload['call_id']) ?? ''
    const script = this.#scripts.get(id)
    if (script !== undefined) {
      this.#scripts.delete(id)
      return this.#failedScript(id, script, outputText(payload['output']))
    }
    const watched = this.#background.get(this.#polls.get(id) ?? '')
    const subject = watched?.id ?? id
    if (!this.#open.has(subject)) return []
    const output = readOutput(payload['output'])
    if (output.state === 'aborted') {
      this.#stopped.add(subject)
      return []
    }
    const before = watched?.text ?? ''
    if (output.state === 'running') {
      this.#background.set(output.session, { id: subject, text: before + output.text })
      return []
    }
    // A look that came to nothing says nothing of the command.
    if (watched && output.result.structured === undefined) return []
    const result = { ...output.result, text: before + output.result.text }
    return this.#settle(subject, this.#withChanges(subject, result))
  }

  /** What was never settled: a script that was under way. */
  end(): AgentEvent[] {
    return [...this.#scripts].map(([id]) => toolCall(id, 'exec', {}, this.#frame))
  }

  #settle(id: string, result: CallResult): AgentEvent[] {
    this.#open.delete(id)
    return [{ kind: 'call_result', id, result, subAgent: this.#frame.subAgent }]
  }

  /** Older versions do not say what a patch changed: that it fitted is enough. */
  #withChanges(id: string, result: CallResult): CallResult {
    const changes = this.#open.get(id)
    return changes ? { ...result, structured: { ...asObject(result.structured), changes } } : result
  }

  #failedScript(id: string, script: string, output: string): AgentEvent[] {
    const [, error] = /^Script failed[\s\S]*?Script error:\s*([\s\S]*)/.exec(output) ?? []
    if (error === undefined) return []
    const files = error.includes('patch') ? patchedFiles(script.replaceAll('\\n', '\n')) : []
    const event =
      files.length > 0 ? changeCall(id, files, this.#frame) : toolCall(id, 'exec', {}, this.#frame)
    return [event, ...this.#settle(id, { isError: true, text: error, structured: undefined })]
  }
}

/** As the program's own accounts name it: tools of MCP servers with their server, in either of two fields. */
function fullName(payload: JsonObject): string | undefined {
  if (payload['type'] === 'local_shell_call') return 'local_shell'
  const [name, namespace] = [asString(payload['name']), asString(payload['namespace'])]
  return namespace?.startsWith('mcp__') ? `${namespace}__${name}` : name
}

/** What a call of the older built-in shell is to do, in the form of the others. */
function actionText(payload: JsonObject): string {
  const action = asObject(payload['action'])
  return JSON.stringify({ command: action?.['command'], workdir: action?.['working_directory'] })
}
