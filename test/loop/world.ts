import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBoard } from '../../src/board/board.ts'
import { projectDemands, resolveConfig } from '../../src/config.ts'
import { RalphError } from '../../src/errors.ts'
import { FeatureMemory } from '../../src/feature-memory/feature-memory.ts'
import type { IterationRecord } from '../../src/feature-memory/record.ts'
import { projectFileHasher } from '../../src/learnings/anchors.ts'
import { Learnings } from '../../src/learnings/store.ts'
import type { LoopEvent } from '../../src/loop/events.ts'
import { runLoop } from '../../src/loop/loop.ts'
import type { LoopOptions, LoopParts, LoopSignals } from '../../src/loop/parts.ts'
import { type Notice, Notices } from '../../src/notices.ts'
import { WaitingIterations } from '../../src/project-knowledge/waiting-iterations.ts'
import { ReceiptLog } from '../../src/receipts/log.ts'
import type { RetrievalParts } from '../../src/retrieval/parts.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { TrustStore } from '../../src/trust/trust-store.ts'

/** What every agent of these tests can do, before its own few lines. */
export const TOOLBOX = `
import { readFileSync, writeFileSync, existsSync, appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { spawn } from 'node:child_process'
let prompt = ''
for await (const chunk of process.stdin) prompt += chunk
const task = Number(/## Your task: (\\d+)/.exec(prompt)?.[1])
const TASKS = '.ralph/db/tasks.yaml', FEATURES = '.ralph/db/features.yaml'
const say = (event) => console.log(JSON.stringify(event))
const call = (name, input, output = 'ok', failed = false, more = {}) => {
  const id = 'call-' + Math.random()
  say({ type: 'assistant', message: { id: 'm' + id, model: 'claude-haiku-4-5', content: [{ type: 'tool_use', id, name, input }] } })
  say({ type: 'user', ...more, message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, is_error: failed, content: output }] } })
}
// With all that the real program keeps of it.
const write = (file, content) => {
  const path = process.cwd() + '/' + file
  const originalFile = existsSync(file) ? readFileSync(file, 'utf8') : null
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  call('Write', { file_path: path, content }, 'The file has been updated', false, { tool_use_result: { type: originalFile === null ? 'create' : 'update', filePath: path, content, originalFile } })
}
const rewrite = (file, from, to) => write(file, readFileSync(file, 'utf8').replace(from, to))
// As somebody else does, in an editor: the agent's log does not know of it.
const person = (file, from, to) => writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
const edit = (file, from, to) => {
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
  call('Edit', { file_path: process.cwd() + '/' + file }, 'The file has been updated')
}
const setStatus = (status, id = task) => edit(TASKS, new RegExp('(- id: ' + id + '\\\\n(?:    .*\\\\n)*?    status: )\\\\w+'), '$1' + status)
const end = (text = 'Did what was asked for, and checked it.', more = {}) =>
  say({ type: 'result', subtype: 'success', is_error: false, result: text, total_cost_usd: 0.1, duration_ms: 5, usage: { input_tokens: 100, output_tokens: 10 }, ...more })
const refuse = (text, more = {}) => {
  say({ type: 'assistant', error: 'rate_limit', is_api_error_message: true, message: { id: 'e', model: '<synthetic>', content: [{ type: 'text', text }] } })
  end(text, { is_error: true, terminal_reason: 'api_error', total_cost_usd: 0, ...more })
}
say({ type: 'system', subtype: 'init', session_id: 's', cwd: process.cwd(), model: 'claude-haiku-4-5', tools: [] })
`

export interface World {
  project: string
  parts: LoopParts
  /** What other memories of the same project would stand on. */
  retrieval: RetrievalParts
  events: LoopEvent[]
  /** Those of one kind. */
  told<Kind extends LoopEvent['kind']>(kind: Kind): Extract<LoopEvent, { kind: Kind }>[]
  notices: Notice[]
  put(path: string, text: string): Promise<void>
  text(path: string): Promise<string>
  tasks(...statuses: string[]): Promise<void>
  /** The agent's own lines. */
  agent(script: string): Promise<void>
  loop(options?: Partial<LoopOptions>, signals?: LoopSignals): ReturnType<typeof runLoop>
  records(feature?: string): Promise<IterationRecord[]>
  options(options?: Partial<LoopOptions>): LoopOptions
  close(): Promise<void>
}

/** A project in a folder of its own, with everything real but the agent and the embedder. */
export async function makeWorld(): Promise<World> {
  const project = await mkdtemp(join(tmpdir(), 'loop-'))
  await mkdir(join(project, '.ralph', 'db'), { recursive: true })
  const heard: Notice[] = []
  const events: LoopEvent[] = []
  const opened = openParts(project, heard)
  const { parts } = opened
  const put = async (path: string, text: string) => {
    await mkdir(join(project, path, '..'), { recursive: true })
    await writeFile(join(project, path), text)
  }
  const options = (given: Partial<LoopOptions> = {}): LoopOptions => ({
    agent: [process.execPath, join(project, 'agent.mjs'), '{prompt_file}', '{mcp_config}'],
    timeLimitMs: 20_000,
    silenceLimitMs: 20_000,
    stagnationLimit: 3,
    reviewEvery: 0,
    promptBudget: 8_000,
    backOff: { firstMs: 20, longestMs: 100, longestResetMs: 60_000 },
    ...given,
  })
  return {
    project,
    parts,
    retrieval: opened.retrieval,
    events,
    told: <Kind extends LoopEvent['kind']>(kind: Kind) =>
      events.filter((event): event is Extract<LoopEvent, { kind: Kind }> => event.kind === kind),
    notices: heard,
    put,
    text: (path) => readFile(join(project, path), 'utf8'),
    tasks: (...statuses) =>
      put(
        '.ralph/db/tasks.yaml',
        `tasks:\n${statuses.map((status, index) => `  - id: ${index + 1}\n    title: Task ${index + 1}\n    feature: auth\n    status: ${status}\n`).join('')}`,
      ),
    agent: (script) => put('agent.mjs', TOOLBOX + script),
    loop: (given, signals) => runLoop(parts, options(given), (event) => events.push(event), signals),
    records: async (feature = 'auth') => {
      const records: IterationRecord[] = []
      for await (const record of parts.featureMemory.journal(feature).records()) records.push(record)
      return records
    },
    options,
    close: async () => {
      await opened.close()
      await rm(project, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

export function openParts(
  project: string,
  heard: Notice[] = [],
): { parts: LoopParts; retrieval: RetrievalParts; close(): Promise<void> } {
  const notices = new Notices((notice) => heard.push(notice))
  const cacheDir = join(project, '.ralph', 'cache')
  const board = openBoard({ dir: join(project, '.ralph', 'db'), cacheDir })
  const index = openSqliteIndex({ path: join(cacheDir, 'index.db') })
  const embedder = () => Promise.reject(new RalphError('unavailable', 'no embedder in this test'))
  const retrieval: RetrievalParts = { index, embedder, notices }
  const featureMemory = new FeatureMemory({
    project,
    memoryDir: join(project, '.ralph', 'db', 'memory'),
    cacheDir,
    ...retrieval,
  })
  const learnings = new Learnings({
    store: board.learnings,
    hashFile: projectFileHasher(project),
    now: () => new Date().toISOString(),
  })
  const parts: LoopParts = {
    project,
    board,
    featureMemory,
    learnings,
    waiting: new WaitingIterations({ home: join(project, 'home'), project }),
    receipts: new ReceiptLog({ folder: join(project, '.ralph', 'receipts') }),
    notices,
    settings: projectSettings(project),
    cacheDir,
    env: { PATH: process.env.PATH },
    mcpServer: (feature, run) => ({
      command: 'ralph',
      args: ['mcp', `--feature=${feature}`, `--run=${run}`],
    }),
    ragStatus: () => Promise.resolve({ available: true, searchable: true, line: 'RAG: active (test)' }),
  }
  return { parts, retrieval, close: () => index.close() }
}

/** A home of the project's own, in which nothing is trusted yet. */
function projectSettings(project: string): LoopParts['settings'] {
  const home = join(project, 'home')
  return {
    file: join(project, '.ralph', 'rag_config.json'),
    demands: async () => projectDemands(await resolveConfig({ project, home, env: {} })),
    isTrusted: (demand) => new TrustStore({ file: join(home, 'trust.json'), project }).isTrusted(demand),
  }
}
