import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { whileServersAreLent } from '../../src/loop/agent/lent-servers.ts'
import { PROGRAMS } from '../../src/loop/agent/programs/programs.ts'
import type { LoopOptions } from '../../src/loop/parts.ts'
import { type RunFacts, RunFiles } from '../../src/loop/run-file.ts'
import { AGENT_NAMES, type AgentName } from '../../src/transcripts/agents.ts'
import { recording, type StandIn, standInAgents } from './stand-in-agents.ts'
import { makeWorld, type World } from './world.ts'

const OTHERS = AGENT_NAMES.filter((name) => name !== 'claude-code')

let world: World
beforeEach(async () => {
  world = await makeWorld()
  await world.tasks('pending')
})
afterEach(() => world.close())

/** Programs on a search path of this world. */
async function programs(agents: Partial<Record<AgentName, StandIn[]>>) {
  const stood = await standInAgents(join(world.project, 'bin'), agents)
  world.parts.env = { ...world.parts.env, PATH: stood.path, RALPH_HOME: '/home/ralph' }
  return stood
}
const loop = (agent: string, more: Partial<LoopOptions> = {}) =>
  world.loop({ agent: agent.split(' '), maxIterations: 1, ...more })
const DONE = {
  does: "const t = '.ralph/db/tasks.yaml'; files.writeFileSync(t, files.readFileSync(t, 'utf8').replace('pending', 'done'))",
}

/** The note of a run that a killed loop left behind. */
const factsOf = (agent: AgentName, runs: RunFiles): RunFacts => ({
  ...{ runId: 'killed', startedAt: '2026-11-17T17:00:00.000Z', review: false, agent, phase: 'running' },
  ...{ feature: 'auth', taskId: 1, taskTitle: 'Task 1', discipline: 'general', shownLearnings: [] },
  ...{ before: { status: 'pending', comments: 0 }, log: runs.logPath('killed') },
})

describe.each(OTHERS)('%s', (agent) => {
  it('is given the prompt and our server, and what it did is recorded as its own', async () => {
    const { given } = await programs({ [agent]: [{ recording: recording(agent, '02-mended'), ...DONE }] })
    expect(await loop(agent)).toMatchObject({ cause: 'iterations', outcomes: { success: 1 } })
    const [run] = await given()
    expect(run!.prompt).toMatch(/^Ralph loop run/)
    expect(run!.env).toMatchObject({ RALPH_FEATURE: 'auth', RALPH_LOOP_RUN: expect.any(String) })
    const handedOver = JSON.stringify([
      run!.args,
      run!.env['OPENCODE_CONFIG_CONTENT'],
      run!.servers,
      run!.lent,
    ])
    if (agent === 'pi') expect(handedOver).not.toContain('--feature=auth')
    else expect(handedOver).toContain('--feature=auth')
    const [record] = await world.records()
    expect(record).toMatchObject({ agent, outcome: 'success', ending: { kind: 'done' } })
    expect(record!.filesTouched.map(({ path }) => path)).toContain('src/cart.js')
    expect(record!.checks.length).toBeGreaterThan(0)
    expect(record!.summary).not.toContain('Ralph loop run')
    expect(world.told('iteration_started')[0]).toMatchObject({ agent })
  })

  it('ends the loop when its service does not know the key', async () => {
    await programs({ [agent]: [{ recording: recording(agent, '03f-401'), exit: agent === 'pi' ? 0 : 1 }] })
    expect(await loop(agent, { maxIterations: 5 })).toMatchObject({ cause: 'agent_unusable', iterations: 1 })
  })

  it('is waited for when its service has had enough of us', async () => {
    // Qwen Code goes on asking for hours; in the recording it was ended.
    await programs({
      [agent]: [
        { recording: recording(agent, '03c-429-forever'), exit: 1 },
        { recording: recording(agent, '02-mended'), ...DONE },
      ],
    })
    expect(await loop(agent, { maxIterations: 2 })).toMatchObject({ outcomes: { success: 1 } })
    expect(world.told('waiting')).toHaveLength(1)
    const [first] = await world.records()
    expect(first!.ending).toMatchObject({ kind: 'service_failed', cause: 'rate_limit' })
  })

  it('is told apart in the log of a run that a killed loop left behind', async () => {
    const runs = new RunFiles(join(world.parts.cacheDir, 'loop'))
    await runs.save(factsOf(agent, runs))
    await copyFile(recording(agent, '04a-sigterm'), runs.logPath('killed'))
    await world.tasks('done')
    expect(await world.loop()).toMatchObject({ cause: 'done' })
    expect((await world.records())[0]).toMatchObject({
      agent,
      ending: { kind: 'stopped', cause: 'recovered' },
    })
  })

  it('that is not there is named, with how it is installed', async () => {
    await programs({})
    await expect(loop(agent)).rejects.toMatchObject({
      code: 'not_found',
      hint: expect.stringMatching(/^Install .* \(npm install -g \S+\)/),
    })
    expect(await world.records()).toEqual([])
  })
})

describe('a program that gives up with nothing but words on stderr', () => {
  it.each([
    ['gemini', 41, 'Invalid auth method selected.', /log in|GEMINI_API_KEY/],
    ['gemini', 55, 'Gemini CLI is not running in a trusted directory.', /GEMINI_CLI_TRUST_WORKSPACE/],
    ['copilot', 1, 'Error: No authentication information found.', /\/login/],
  ] as const)('%s, exit code %i: %s', async (agent, exit, complaint, hint) => {
    await programs({ [agent]: [{ exit, complaint }] })
    await expect(loop(agent)).rejects.toMatchObject({
      message: expect.stringContaining(complaint),
      hint: expect.stringMatching(hint),
    })
    expect(await world.records()).toEqual([])
  })

  it('pi, after a first line', async () => {
    const first = join(world.project, 'first.jsonl')
    await world.put(
      'first.jsonl',
      '{"type":"session","version":3,"id":"s","timestamp":"2026-11-17T17:38:00.288Z","cwd":"/p"}\n',
    )
    await programs({
      pi: [
        { recording: first, exit: 1, complaint: 'No API key found for the selected model.\n\nUse /login' },
      ],
    })
    expect(await loop('pi', { maxIterations: 3 })).toMatchObject({ cause: 'agent_unusable', iterations: 1 })
  })

  it('Qwen Code, when its turns are used up', async () => {
    const cut = join(world.project, 'cut.jsonl')
    await world.put(
      'cut.jsonl',
      '{"type":"system","subtype":"init","session_id":"s","cwd":"/p","tools":[],"model":"q","permission_mode":"yolo","qwen_code_version":"0.24.4"}\n',
    )
    await programs({ qwen: [{ recording: cut, exit: 53, complaint: 'Reached max session turns' }] })
    await loop('qwen')
    expect((await world.records())[0]!.ending).toMatchObject({ kind: 'service_failed', cause: 'turns' })
  })
})

describe('the file of the project that Gemini reads servers from', () => {
  const SETTINGS = '.gemini/settings.json'

  it('has ours while it runs, beside what is there, and is as it was afterwards', async () => {
    const before =
      '{\n  // mine\n  "mcpServers": { "ralph": { "command": "old" }, "other": { "command": "x" } }\n}\n'
    await world.put(SETTINGS, before)
    const { given } = await programs({ gemini: [{ recording: recording('gemini', '01-first-go') }] })
    // The stand-in reads JSON without comments.
    await world.put(SETTINGS, before.replace('  // mine\n', ''))
    await loop('gemini')
    const [run] = await given()
    const { mcpServers } = run!.lent!
    expect(mcpServers['other']).toEqual({ command: 'x' })
    // By name: what stands in a file of the project is no secret.
    const RALPH_HOME = `$${'{RALPH_HOME}'}`
    expect(mcpServers['ralph']).toMatchObject({ trust: true, env: { RALPH_HOME } })
    expect(await world.text(SETTINGS)).toBe(before.replace('  // mine\n', ''))
  })

  it('is gone afterwards where there was none', async () => {
    await programs({ gemini: [{ recording: recording('gemini', '01-first-go') }] })
    await loop('gemini')
    expect(existsSync(join(world.project, '.gemini'))).toBe(false)
  })

  it('is as it was after the next start of a loop that was killed meanwhile', async () => {
    await world.put(SETTINGS, '{"theme":"dark"}')
    const runs = new RunFiles(join(world.parts.cacheDir, 'loop'))
    const facts = factsOf('gemini', runs)
    await new Promise((killed) => {
      const loan = {
        of: PROGRAMS.gemini.lends,
        servers: { ralph: { command: 'ralph' } },
        env: {},
        places: { project: world.project, keptIn: runs.file('killed', '.lent') },
        note: (lent: string[]) => runs.save({ ...facts, lent }),
      }
      void whileServersAreLent(loan, () => new Promise(() => killed(undefined)))
    })
    expect(await world.text(SETTINGS)).toContain('ralph')
    await world.tasks('done')
    expect(await world.loop()).toMatchObject({ cause: 'done' })
    expect(await world.text(SETTINGS)).toBe('{"theme":"dark"}')
  })
})
