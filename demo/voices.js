/**
 * How the scripted agent tells what it does: in the event stream of one program or another, shaped like recordings of them.
 * What it does is the same in each.
 */
import { randomBytes, randomUUID } from 'node:crypto'

/** Tokens and cost are estimates from the length of the texts, at the price of a small model. */
const INPUT_PRICE = 1 / 1_000_000
const OUTPUT_PRICE = 5 / 1_000_000
const MODEL = 'scripted-agent'

class Voice {
  spoken = 0
  calls = 0

  constructor(prompt) {
    this.promptTokens = Math.round(prompt.length / 4)
  }

  say(event) {
    process.stdout.write(`${JSON.stringify(event)}\n`)
  }

  get outputTokens() {
    return Math.round(this.spoken / 4)
  }

  get cost() {
    return this.promptTokens * INPUT_PRICE + this.outputTokens * OUTPUT_PRICE
  }
}

/** `claude -p --output-format stream-json` */
class ClaudeCode extends Voice {
  session = `demo-${process.pid}`

  begin() {
    const { session } = this
    const tools = ['Write', 'Edit', 'Bash']
    this.say({
      type: 'system',
      subtype: 'init',
      session_id: session,
      cwd: process.cwd(),
      model: MODEL,
      tools,
    })
  }

  talk(text) {
    this.#answer({ type: 'text', text })
  }

  write(path, content, act) {
    this.#use('Write', { file_path: path, content }, act)
  }

  edit(path, before, after, act) {
    this.#use('Edit', { file_path: path, old_string: before, new_string: after }, act)
  }

  run(command, act) {
    const { status, output } = act()
    this.#use(
      'Bash',
      { command },
      () => (status === 0 ? output : `Exit code ${status}\n${output}`),
      status !== 0,
    )
    return status === 0
  }

  asked(tool, input, text) {
    this.#use(`mcp__ralph__${tool}`, input, () => text)
  }

  finish(result) {
    this.say({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result,
      num_turns: this.calls + 1,
      total_cost_usd: this.cost,
      usage: { input_tokens: this.promptTokens, output_tokens: this.outputTokens },
      session_id: this.session,
    })
  }

  #use(name, input, act, isError = false) {
    const id = `call-${process.pid}-${++this.calls}`
    this.#answer({ type: 'tool_use', id, name, input })
    const result = { type: 'tool_result', tool_use_id: id, content: act(), is_error: isError }
    this.say({ type: 'user', message: { role: 'user', content: [result] } })
  }

  #answer(part) {
    const message = { id: `message-${process.pid}-${this.spoken}`, role: 'assistant', content: [part] }
    this.spoken += JSON.stringify(message).length
    this.say({ type: 'assistant', message })
  }
}

/** `codex exec --json` */
class Codex extends Voice {
  begin() {
    this.say({ type: 'thread.started', thread_id: randomUUID() })
    this.say({ type: 'turn.started' })
  }

  talk(text) {
    this.spoken += text.length
    this.say({ type: 'item.completed', item: { id: this.#id(), type: 'agent_message', text } })
  }

  write(path, content, act) {
    this.spoken += content.length
    this.#change(path, act)
  }

  edit(path, _before, _after, act) {
    this.#change(path, act)
  }

  run(command, act) {
    const item = { id: this.#id(), type: 'command_execution', command: `/bin/bash -lc '${command}'` }
    const running = { aggregated_output: '', exit_code: null, status: 'in_progress' }
    this.say({ type: 'item.started', item: { ...item, ...running } })
    const { status, output } = act()
    const over = {
      aggregated_output: output,
      exit_code: status,
      status: status === 0 ? 'completed' : 'failed',
    }
    this.say({ type: 'item.completed', item: { ...item, ...over } })
    return status === 0
  }

  asked(tool, input, text) {
    const item = { id: this.#id(), type: 'mcp_tool_call', server: 'ralph', tool, arguments: input }
    const result = { content: [{ type: 'text', text }], structured_content: null }
    this.say({
      type: 'item.started',
      item: { ...item, result: null, error: null, status: 'in_progress' },
    })
    this.say({ type: 'item.completed', item: { ...item, result, error: null, status: 'completed' } })
  }

  finish(result) {
    this.talk(result)
    this.say({
      type: 'turn.completed',
      usage: {
        input_tokens: this.promptTokens,
        cached_input_tokens: 0,
        cache_write_input_tokens: 0,
        output_tokens: this.outputTokens,
        reasoning_output_tokens: 0,
      },
    })
  }

  #change(path, act) {
    const item = { id: this.#id(), type: 'file_change', changes: [{ path, kind: 'update' }] }
    this.say({ type: 'item.started', item: { ...item, status: 'in_progress' } })
    act()
    this.say({ type: 'item.completed', item: { ...item, status: 'completed' } })
  }

  #id() {
    return `item_${this.calls++}`
  }
}

/** `opencode run --format json` */
class Opencode extends Voice {
  session = `ses_${randomBytes(12).toString('hex')}`
  message = `msg_${randomBytes(12).toString('hex')}`

  begin() {
    this.#part('step_start', { type: 'step-start' })
  }

  talk(text) {
    this.spoken += text.length
    this.#part('text', { type: 'text', text, time: { start: Date.now(), end: Date.now() } })
  }

  write(path, content, act) {
    this.spoken += content.length
    const metadata = { diagnostics: {}, filepath: path, exists: true }
    this.#use('write', { filePath: path, content }, () => ({ output: act(), metadata }))
  }

  edit(path, before, after, act) {
    const patch = `--- ${path}\n+++ ${path}\n-${before}\n+${after}\n`
    const metadata = { diff: patch, filediff: { file: path, patch, additions: 1, deletions: 1 } }
    const input = { filePath: path, oldString: before, newString: after }
    this.#use('edit', input, () => ({ output: act(), metadata }))
  }

  run(command, act) {
    let passed = false
    this.#use('bash', { command }, () => {
      const { status, output } = act()
      passed = status === 0
      return { output, metadata: { output, exit: status, truncated: false } }
    })
    return passed
  }

  asked(tool, input, text) {
    this.#use(`ralph_${tool}`, input, () => ({ output: text, metadata: { truncated: false } }))
  }

  finish(result) {
    this.talk(result)
    const [input, output] = [this.promptTokens, this.outputTokens]
    const tokens = { total: input + output, input, output, reasoning: 0, cache: { read: 0, write: 0 } }
    this.#part('step_finish', { type: 'step-finish', reason: 'stop', tokens, cost: this.cost })
  }

  #use(tool, input, act) {
    const start = Date.now()
    const { output, metadata } = act()
    const state = {
      status: 'completed',
      input,
      output,
      metadata,
      title: tool,
      time: { start, end: Date.now() },
    }
    this.#part('tool_use', { type: 'tool', tool, callID: `call_${++this.calls}`, state })
  }

  #part(type, part) {
    const ids = {
      id: `prt_${randomBytes(12).toString('hex')}`,
      messageID: this.message,
      sessionID: this.session,
    }
    this.say({ type, timestamp: Date.now(), sessionID: this.session, part: { ...part, ...ids } })
  }
}

const VOICES = { 'claude-code': ClaudeCode, codex: Codex, opencode: Opencode }

/** @param {string} name @param {string} prompt */
export function voiceOf(name, prompt) {
  return new VOICES[name](prompt)
}
