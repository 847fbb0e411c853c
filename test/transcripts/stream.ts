import type { AgentRun } from '../../src/transcripts/agent-run.ts'
import { Collector, type ProcessOutcome } from '../../src/transcripts/collector.ts'

/** Writes `stream-json` as the real CLI does, for runs nobody recorded. */
export const PROJECT = '/home/dev/shop'
export const SESSION = '0533890d-0fb6-4417-b1e5-628bb4870df6'

type Line = Record<string, unknown>

export const init: Line = {
  type: 'system',
  subtype: 'init',
  cwd: PROJECT,
  session_id: SESSION,
  model: 'claude-haiku-4-5',
}

export function says(text: string, extra: Line = {}): Line {
  const message = {
    id: 'msg_1',
    role: 'assistant',
    model: 'claude-haiku-4-5',
    content: [{ type: 'text', text }],
  }
  return { type: 'assistant', message, parent_tool_use_id: null, session_id: SESSION, ...extra }
}

let calls = 0

interface Answer {
  error?: boolean
  structured?: unknown
  parent?: string
}

/** A call and its result. */
export function uses(
  name: string,
  input: Line,
  content: unknown,
  { error, structured, parent }: Answer = {},
): Line[] {
  const id = `toolu_${++calls}`
  const frame = { parent_tool_use_id: parent ?? null, session_id: SESSION }
  const block = { type: 'tool_result', tool_use_id: id, content, ...(error ? { is_error: true } : {}) }
  return [
    {
      type: 'assistant',
      message: { id: `msg_${id}`, content: [{ type: 'tool_use', id, name, input }] },
      ...frame,
    },
    { type: 'user', message: { role: 'user', content: [block] }, tool_use_result: structured, ...frame },
  ]
}

export function runs(command: string, output = ''): Line[] {
  return uses('Bash', { command }, output, { structured: { stdout: output, stderr: '', interrupted: false } })
}

export function fails(command: string, output: string, exitCode = 1): Line[] {
  return uses('Bash', { command }, `Exit code ${exitCode}\n${output}`, { error: true })
}

export function ends(text: string, extra: Line = {}): Line {
  return { type: 'result', subtype: 'success', is_error: false, result: text, session_id: SESSION, ...extra }
}

export function collected(lines: readonly Line[], process: ProcessOutcome = {}): AgentRun {
  const collector = new Collector()
  for (const line of lines) collector.pushLine(JSON.stringify(line))
  return collector.finish(process)
}
