import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chatCompletions, gemini, responses } from './agent-dialects.ts'

/** What the model does next, whatever the program calls its tools. */
export type Act =
  | { say: string }
  | { read: string }
  /** A new file. */
  | { write: string; content: string }
  /** One line of a file for another. */
  | { edit: string; from: string; to: string }
  | { run: string }
  /** One of ralph's own tools. */
  | { memory: string; input: object }
  /** The service refuses, so often. */
  | { status: number; message: string; times?: number }

export type Json = { [key: string]: unknown }

export interface Answer {
  text?: string
  call?: { tool: string; namespace?: string; input: Json | string }
}

export interface Asked {
  path: string
  body: Json
}

/** How one interface of a model is asked and answered. */
export interface Dialect {
  isAsked(path: string): boolean
  /** How often the model has answered in this conversation. */
  answers(body: Json): number
  /** The tools that are offered, with the names of their arguments. */
  tools(body: Json): Map<string, string[]>
  reply(asked: Asked, answer: Answer): { type: string; body: string }
  error(status: number, message: string): Json
}

export interface AgentModels {
  url: string
  /** What was asked, in order. */
  asked: Asked[]
  /** The next conversation goes like this; its last act has to be words. */
  next(...acts: Act[]): void
  close(): Promise<void>
}

const DIALECTS: readonly Dialect[] = [responses, chatCompletions, gemini]

/**
 * A model that does what it is told, for the real programs of coding agents: it speaks the Responses API (Codex), chat
 * completions (opencode, Qwen Code, Copilot, pi) and the Gemini API, and names tools as the program that asks does.
 */
export async function startAgentModels(): Promise<AgentModels> {
  const asked: AgentModels['asked'] = []
  const waiting: Act[][] = []
  let current: Act[] = []
  let isFresh = false

  /** Programs ask again after a failure: what begins anew after an answer is the next conversation. */
  function nextAct(answers: number): Act {
    if (answers === 0 && !isFresh) current = [...(waiting.shift() ?? [])]
    isFresh = true
    const act = current[answers] ?? { say: 'There is nothing left to do.' }
    if (!('status' in act)) isFresh = false
    else if ((act.times ?? 1) > 1) current[answers] = { ...act, times: act.times! - 1 }
    else current.splice(answers, 1)
    return act
  }

  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const path = request.url ?? ''
    const send = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type }).end(body)
    const dialect = DIALECTS.find((one) => request.method === 'POST' && one.isAsked(path))
    if (!dialect) return send(404, 'application/json', '{}')
    const body = JSON.parse(text) as Json
    asked.push({ path, body })
    const tools = dialect.tools(body)
    // Titles and the like are asked for without tools.
    const act = tools.size === 0 ? { say: 'A title' } : nextAct(dialect.answers(body))
    if ('status' in act)
      return send(act.status, 'application/json', JSON.stringify(dialect.error(act.status, act.message)))
    const reply = dialect.reply({ path, body }, answerOf(act, tools))
    send(200, reply.type, reply.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    next: (...acts) => waiting.push(acts),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answerOf(act: Exclude<Act, { status: number }>, tools: Map<string, string[]>): Answer {
  if ('say' in act) return { text: act.say }
  if ('memory' in act) return { call: memoryCall(act, tools) }
  if ('run' in act) {
    // Where it is not offered it is called all the same, by the name that the program knows.
    const tool = offered(tools, ['exec_command', 'run_shell_command', 'bash'], tools.has('read_file') ? 1 : 2)
    const given = { cmd: act.run, command: act.run, description: 'run it' }
    return { call: { tool, input: only(given, tools.get(tool)) } }
  }
  if ('read' in act) return { call: readCall(act.read, tools) }
  if ('edit' in act) return { call: editCall(act, tools) }
  const tool = offered(tools, ['apply_patch', 'write_file', 'write', 'create'])
  const { write: path, content } = act
  if (tool === 'apply_patch') {
    const lines = content.trimEnd().split('\n')
    const input = patch(`*** Add File: ${path}`, ...lines.map((line) => `+${line}`))
    return { call: { tool, input } }
  }
  const given = { file_path: path, filePath: path, path, content, file_text: content }
  return { call: { tool, input: only(given, tools.get(tool)) } }
}

function editCall(
  { edit: path, from, to }: { edit: string; from: string; to: string },
  tools: Map<string, string[]>,
) {
  const tool = offered(tools, ['apply_patch', 'replace', 'edit'])
  if (tool === 'apply_patch')
    return { tool, input: patch(`*** Update File: ${path}`, '@@', `-${from}`, `+${to}`) }
  const given = {
    ...{ file_path: path, filePath: path, path },
    ...{ old_string: from, oldString: from, old_str: from },
    ...{ new_string: to, newString: to, new_str: to },
    edits: [{ oldText: from, newText: to }],
    instruction: 'change this line',
  }
  return { tool, input: only(given, tools.get(tool)) }
}

function readCall(path: string, tools: Map<string, string[]>) {
  const tool = offered(tools, ['read_file', 'read', 'view', 'exec_command'])
  const given = { file_path: path, filePath: path, path, cmd: `cat '${path}'` }
  return { tool, input: only(given, tools.get(tool)) }
}

function memoryCall({ memory, input }: { memory: string; input: object }, tools: Map<string, string[]>) {
  const given = input as Json
  const tool = [...tools.keys()].find((name) => name.endsWith(memory))
  if (tool !== undefined) return { tool, input: given }
  // Behind a search for tools; a direct call works all the same.
  if (tools.has('apply_patch')) return { tool: memory, namespace: 'mcp__ralph', input: given }
  return { tool: `mcp__ralph__${memory}`, input: given }
}

function patch(...lines: string[]): string {
  return ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')
}

/** The first that the program offers, else the one at `otherwise`. */
function offered(tools: Map<string, string[]>, names: readonly string[], otherwise = 0): string {
  return names.find((name) => tools.has(name)) ?? names[otherwise]!
}

function only(given: Json, names: readonly string[] = []): Json {
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)))
}
