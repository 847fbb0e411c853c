import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { workOutFacts } from '../../../src/hooks/facts/work-out.ts'
import { openRalph } from '../../../src/ralph.ts'
import { builtCommand } from '../../../test/support/built-command.ts'
import { median } from '../../support/figures.ts'
import { firstMcpAnswer } from '../../support/mcp-start.ts'
import { inTurns, runOnce, type Taken } from '../../support/rounds.ts'
import type { DataSet } from '../data/data-set.ts'
import { programOf } from '../load.ts'
import type { Document, Peer } from '../peer.ts'
import type { StartFigures } from '../report/figures.ts'

const ROUNDS = 15
const RECORDS = 300

/** What is started again and again, from nothing to its end or, for a server, to the first answer of a tool. */
interface Started {
  command: string
  run: () => Taken | Promise<Taken>
}

/** All in turns, each with the same records in its store; those of peers that were chosen. */
export async function measureStarts(
  data: DataSet,
  peers: readonly Peer[],
  scratch: string,
): Promise<StartFigures[]> {
  const folder = join(scratch, 'starts')
  mkdirSync(folder, { recursive: true })
  try {
    const documents = (await data.batches(RECORDS).next()).value ?? []
    const asked = data.questions()[0]!.text
    const started: { [what: string]: Started } = {
      node: { command: 'node -e 0', run: () => runOnce(['-e', '0']) },
      ...(await ours(documents, asked, join(folder, 'ours'))),
    }
    for (const peer of peers)
      Object.assign(started, await startsOf(peer, documents, asked, join(folder, peer.name)))
    return await figuresOf(started)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function figuresOf(started: { [what: string]: Started }): Promise<StartFigures[]> {
  const resident = new Map<string, number[]>()
  const programs = Object.entries(started).map(([what, { run }]) => {
    const noted = async () => {
      const taken = await run()
      if ('residentMb' in taken)
        resident.set(what, [...(resident.get(what) ?? []), taken.residentMb as number])
      return taken
    }
    return [what, noted] as const
  })
  const taken = await inTurns(Object.fromEntries(programs), ROUNDS)
  return [...taken].map(([what, times]) => {
    const walls = times.map(({ wall }) => wall)
    const residentMb = resident.has(what) ? median(resident.get(what)!) : undefined
    return {
      what,
      command: started[what]!.command,
      medianMs: median(walls),
      leastMs: Math.min(...walls),
      cpuMs: median(times.map(({ cpu }) => cpu)),
      ...(residentMb !== undefined && { residentMb }),
    }
  })
}

async function ours(
  documents: readonly Document[],
  asked: string,
  folder: string,
): Promise<{ [what: string]: Started }> {
  const command = await builtCommand()
  const [project, home] = [join(folder, 'shop'), join(folder, 'home')]
  mkdirSync(join(project, '.git'), { recursive: true })
  writeFileSync(join(project, '.git', 'HEAD'), 'ref: refs/heads/feature/auth\n')
  const ralph = await openRalph({ project, home })
  for (const { at, title, body } of documents) {
    await ralph.featureMemory.recordIteration({
      taskId: at,
      taskTitle: title,
      feature: 'auth',
      discipline: 'backend',
      timestamp: new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString(),
      outcome: at % 3 === 0 ? 'failure' : 'success',
      summary: body,
      errors: [{ message: `case ${at} failed`, type: 'runtime', command: `npm run case-${at}` }],
      filesTouched: [{ path: `src/case-${at % 40}.ts`, action: 'modified' }],
    })
  }
  await ralph.featureMemory.catchUp('auth')
  await workOutFacts(ralph.config, 'auth')
  await ralph.close()

  const env = { ...process.env, RALPH_HOME: home }
  const run = (...words: string[]) => runOnce([command, ...words], { cwd: project, env })
  let sessions = 0
  const hook = (event: string, fields: object): Started => ({
    command: `ralph hook ${event}`,
    run: () => {
      const told = { session_id: `session-${++sessions}`, cwd: project, hook_event_name: event, ...fields }
      return runOnce([command, 'hook', event], { cwd: project, env, input: JSON.stringify(told) })
    },
  })
  const failing = { tool_name: 'Bash', tool_input: { command: 'npm run case-299' } }
  return {
    'Ralph Memory, version': { command: 'ralph --version', run: () => run('--version') },
    'Ralph Memory, search': {
      command: 'ralph memory search',
      run: () => run('memory', 'search', asked, '--feature', 'auth'),
    },
    'Ralph Memory, hook at the start of a session': hook('SessionStart', { source: 'startup' }),
    'Ralph Memory, hook before a tool': hook('PreToolUse', failing),
    'Ralph Memory, MCP': {
      command: 'ralph mcp',
      run: () =>
        firstMcpAnswer([command, 'mcp', `--project=${project}`, '--feature=auth'], 'get_recent_iterations', {
          env,
        }),
    },
  }
}

/** Those that have a program of their own. */
async function startsOf(
  peer: Peer,
  documents: readonly Document[],
  asked: string,
  folder: string,
): Promise<{ [what: string]: Started }> {
  const programs: { [name: string]: () => { [what: string]: Started } } = {
    'server-memory': () => {
      const program = programOf('server-memory', '@modelcontextprotocol/server-memory', 'dist/index.js')
      const env = { ...process.env, MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }
      const run = () => firstMcpAnswer([program], 'search_nodes', { env, input: { query: asked } })
      return { 'server-memory, MCP': { command: 'mcp-server-memory', run } }
    },
    agentmemory: () => {
      const program = programOf('agentmemory', '@agentmemory/agentmemory', 'dist/standalone.mjs')
      const env = { ...process.env, HOME: folder, STANDALONE_PERSIST_PATH: join(folder, 'standalone.json') }
      const run = () => firstMcpAnswer([program], 'memory_recall', { env, input: { query: asked } })
      return { 'agentmemory, standalone, MCP': { command: 'agentmemory mcp', run } }
    },
    qmd: () => {
      const program = programOf('qmd', '@tobilu/qmd', 'dist/cli/qmd.js')
      const env = { ...process.env, HOME: folder, INDEX_PATH: join(folder, 'index.sqlite') }
      return {
        'qmd, search by words': {
          command: 'qmd search',
          run: () => runOnce([program, 'search', asked], { env, cwd: folder }),
        },
        'qmd, MCP': { command: 'qmd mcp', run: () => firstMcpAnswer([program, 'mcp'], 'status', { env }) },
      }
    },
  }
  const started = programs[peer.name]
  if (!started) return {}
  mkdirSync(folder, { recursive: true })
  const store = await peer.open(folder)
  await store.insertMany(documents)
  await store.settle?.()
  await store.close()
  return started()
}
