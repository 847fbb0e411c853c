import { HOOK_TOOL } from '../agent-config/served-hook.ts'
import { asObject, asString, type JsonObject, parseObject } from '../text/json.ts'

/** Who answers hooks; nothing said is undefined. Never throws. */
export interface HookAnswerer {
  prepare: () => Promise<void>
  answer: (fields: JsonObject) => Promise<string | undefined>
}

/** As Claude Code calls itself. */
const CLAUDE_CODE = 'claude-code'
/** Set on calls that a model has asked for. */
const TOOL_USE_MARK = 'claudecode/toolUseId'
/** The first answers to the client come before what later ones need. */
const PREPARE_AFTER_MS = 300

/**
 * Calls of a hook, taken from the wire before anything else sees them. Only Claude Code's own count, and none that its model
 * asked for: to everybody else there is no such tool.
 */
export class HookCalls {
  readonly #open: () => Promise<HookAnswerer>
  readonly #write: (line: string) => void
  #fromClaude = false

  constructor(open: () => Promise<HookAnswerer>, write: (line: string) => void) {
    this.#open = open
    this.#write = write
  }

  /** True when the line was a hook's call: it is answered from here. */
  take(line: Buffer): boolean {
    if (!this.#fromClaude && line.includes('clientInfo"')) this.#greet(parseObject(line.toString('utf8')))
    if (!this.#fromClaude || !line.includes(`"${HOOK_TOOL}"`)) return false
    const { method, id, params } = parseObject(line.toString('utf8')) ?? {}
    const { name, arguments: fields, _meta: meta } = asObject(params) ?? {}
    if (method !== 'tools/call' || name !== HOOK_TOOL || id === undefined) return false
    if (asObject(meta)?.[TOOL_USE_MARK] !== undefined) return false
    void this.#answer(id, asObject(fields) ?? {})
    return true
  }

  #greet(message: JsonObject | undefined): void {
    const { clientInfo, _meta: meta } = asObject(message?.['params']) ?? {}
    const client = asObject(clientInfo) ?? asObject(asObject(meta)?.['io.modelcontextprotocol/clientInfo'])
    if (asString(client?.['name']) !== CLAUDE_CODE) return
    this.#fromClaude = true
    // What cannot be loaded is tried again by the first hook, which says nothing then.
    const prepare = () => this.#open().then((hooks) => hooks.prepare())
    setTimeout(() => void prepare().catch(() => undefined), PREPARE_AFTER_MS).unref()
  }

  async #answer(id: unknown, fields: JsonObject): Promise<void> {
    const text = await this.#open().then(
      (hooks) => hooks.answer(fields),
      () => undefined,
    )
    // An error would show in the session at every step.
    const result = { content: text === undefined ? [] : [{ type: 'text', text }], resultType: 'complete' }
    this.#write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
  }
}
