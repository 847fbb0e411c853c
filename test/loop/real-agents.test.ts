import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { programFile } from '../../src/agent-config/found-agents.ts'
import { listProcesses } from '../../src/loop/agent/process-table.ts'
import { AGENT_NAMES, AGENTS, type AgentName } from '../../src/transcripts/agents.ts'
import { sessionPlaces } from '../../src/transcripts/session-places.ts'
import { agentHome } from '../stand-ins/agent-homes.ts'
import { type AgentModels, startAgentModels } from '../stand-ins/agent-models.ts'
import { builtCommand } from '../support/built-command.ts'
import { needs, skipBecause } from '../support/needs.ts'
import { makeWorld, type World } from './world.ts'

/**
 * The real programs, where somebody has installed them for this: RALPH_AGENT_PROGRAMS names the folders of their commands, e.g.
 * `npm install --prefix /tmp/codex @openai/codex` and `/tmp/codex/node_modules/.bin`. They ask a model of ours, offline.
 */
const BINS = process.env.RALPH_AGENT_PROGRAMS ?? ''
const OTHERS = AGENT_NAMES.filter((name) => name !== 'claude-code')

/** With all rights, where a command is to run; its own choice of a model is made by asking one. */
const UNBOUND: Record<string, string[]> = {
  codex: ['codex'],
  gemini: ['gemini', '--model', 'gemini-2.5-pro', '--yolo'],
  opencode: ['opencode', '--auto'],
  qwen: ['qwen', '--auth-type', 'openai', '--yolo'],
  copilot: ['copilot', '--allow-all-tools'],
  pi: ['pi', '--tools', 'read,edit,write,bash'],
}
const CAREFUL: Record<string, string[]> = {
  ...Object.fromEntries(OTHERS.map((name) => [name, [name]])),
  gemini: ['gemini', '--model', 'gemini-2.5-pro'],
  qwen: ['qwen', '--auth-type', 'openai'],
}

let world: World | undefined
let models: AgentModels | undefined
afterEach(async () => {
  await models?.close()
  await world?.close()
  models = world = undefined
})

/** A project with a task, our real server, and a model that does as it is told. Only where the program is there. */
async function prepared(agent: AgentName): Promise<{ world: World; models: AgentModels }> {
  const { program } = AGENTS[agent]
  skipBecause(programFile(program, BINS) ? undefined : `${program} is not in RALPH_AGENT_PROGRAMS`)
  world = await makeWorld()
  models = await startAgentModels()
  const { project, parts } = world
  const command = await builtCommand()
  parts.env = await agentHome(join(project, 'home'), models.url, BINS.split(delimiter))
  parts.sessionPlaces = sessionPlaces(parts.env, join(project, 'home'))
  parts.mcpServer = (feature, run) => ({
    command: process.execPath,
    args: [command, 'mcp', `--project=${project}`, `--feature=${feature}`, `--run=${run}`],
  })
  await world.tasks('pending')
  await world.put('.ralph/db/features.yaml', 'features:\n  - name: auth\n')
  return { world, models }
}

/** They take their time to start on a busy machine. */
const PATIENT = { timeLimitMs: 240_000, silenceLimitMs: 240_000 }

describe.each(OTHERS)('%s', (agent) => {
  it('fails, then succeeds, asking memory and keeping what it learned', { timeout: 300_000 }, async () => {
    const { world, models } = await prepared(agent)
    const file = (name: string) => join(world.project, name)
    models.next(
      { memory: 'search_feature_memory', input: { query: 'login' } },
      { write: file('draft.txt'), content: 'a draft\n' },
      { say: 'I could not finish: the form still fails. Next: write final.txt.' },
    )
    models.next(
      {
        memory: 'append_feature_learning',
        input: { text: 'The form needs final.txt', reason: 'it failed without' },
      },
      { write: file('final.txt'), content: 'final\n' },
      { read: file('.ralph/db/tasks.yaml') },
      { edit: file('.ralph/db/tasks.yaml'), from: '    status: pending', to: '    status: done' },
      { say: 'Wrote final.txt; the task is done.' },
    )
    const summary = await world.loop({ agent: CAREFUL[agent]!, maxIterations: 2, ...PATIENT })
    expect(summary).toMatchObject({ outcomes: { failure: 1, success: 1 } })
    const records = await world.records()
    expect(records.map(({ agent: who, filesTouched }) => [who, filesTouched[0]?.path])).toEqual([
      [agent, 'draft.txt'],
      [agent, 'final.txt'],
    ])
    // Copilot tells only in its session file, which is read then.
    expect(records.every(({ tokensUsed }) => tokensUsed! > 0)).toBe(true)
    // What the first said is told to the second.
    expect(JSON.stringify(models.asked.at(-1)).includes('the form still fails')).toBe(true)
    // pi speaks no MCP.
    if (agent !== 'pi')
      expect(await world.text('.ralph/db/features.yaml')).toContain('The form needs final.txt')
    expect(existsSync(file('.gemini'))).toBe(false)
  })

  it('is ended with all that it has started', { timeout: 300_000 }, async () => {
    needs('signals')
    const { world, models } = await prepared(agent)
    const begun = join(world.project, 'begun')
    const script = `require('fs').writeFileSync('${begun}', ''); setInterval(() => {}, 1000)`
    models.next({ run: `node -e "${script}"` }, { say: 'never said' })
    const stop = new AbortController()
    const looking = setInterval(() => existsSync(begun) && stop.abort(), 50)
    const summary = await world.loop({ agent: UNBOUND[agent]!, ...PATIENT }, { stop: stop.signal })
    clearInterval(looking)
    expect(summary.cause).toBe('interrupted')
    const { run } = world.told('iteration_started')[0]!
    expect((await listProcesses(run, process.platform)).filter(({ marked }) => marked)).toEqual([])
    expect((await world.records())[0]).toMatchObject({
      agent,
      ending: { kind: 'stopped', cause: 'interrupted' },
    })
  })
})
