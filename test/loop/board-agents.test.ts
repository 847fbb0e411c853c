import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PROGRAMS } from '../../src/loop/agent/programs/programs.ts'
import type { AgentName } from '../../src/transcripts/agents.ts'
import { agentDemand } from '../../src/trust/board-demands.ts'
import { TrustStore } from '../../src/trust/trust-store.ts'
import { recording, type StandIn, standInAgents } from './stand-in-agents.ts'
import { makeWorld, type World } from './world.ts'

let world: World
beforeEach(async () => {
  world = await makeWorld()
})
afterEach(() => world.close())

async function programs(agents: Partial<Record<AgentName, StandIn[]>>) {
  const stood = await standInAgents(join(world.project, 'bin'), agents)
  world.parts.env = { ...world.parts.env, PATH: stood.path }
  return stood
}

describe('an agent that the board names', () => {
  const board = (...tasks: string[]) => world.put('.ralph/db/tasks.yaml', `tasks:\n${tasks.join('')}`)
  const task = (id: number, more = '') =>
    `  - id: ${id}\n    title: Task ${id}\n    feature: auth\n    status: pending\n${more}`
  const trust = (...agents: AgentName[]) =>
    new TrustStore({ file: join(world.project, 'home', 'trust.json'), project: world.project }).trustOnly(
      agents.map(agentDemand),
    )
  const mended = (agent: AgentName) => ({ recording: recording(agent, '02-mended') })
  const done = (id: number) => ({
    does: `const t = '.ralph/db/tasks.yaml'; files.writeFileSync(t, files.readFileSync(t, 'utf8').replace(/(id: ${id}\\n(?:    .*\\n)*?    status: )pending/, '$1done'))`,
  })

  it('works on its tasks once a person has trusted it; the others are for the agent of the loop', async () => {
    await board(task(1, '    agent: codex\n'), task(2, '    discipline: pictures\n'), task(3))
    await world.put('.ralph/db/disciplines.yaml', 'disciplines:\n  - name: pictures\n    agent: gemini\n')
    await trust('codex', 'gemini')
    const { given } = await programs({
      codex: [{ ...mended('codex'), ...done(1) }],
      gemini: [{ ...mended('gemini'), ...done(2) }],
    })
    await world.agent("setStatus('done'); end()")
    expect(await world.loop({ model: 'opus' })).toMatchObject({ cause: 'done', outcomes: { success: 3 } })
    expect((await world.records()).map(({ taskId, agent }) => [taskId, agent])).toEqual([
      [1, 'codex'],
      [2, 'gemini'],
      [3, 'claude-code'],
    ])
    // The loop's model is one of the loop's agent.
    for (const { args } of await given()) expect(args).not.toContain('opus')
  })

  it('is not started before that, which is said, and the loop goes on with other tasks', async () => {
    await board(task(1, '    agent: codex\n'), task(2))
    await programs({ codex: [mended('codex')] })
    await world.agent("setStatus('done'); end()")
    const summary = await world.loop()
    expect(summary).toMatchObject({ cause: 'agent_unusable', iterations: 1, outcomes: { success: 1 } })
    expect(summary.reason).toBe(
      'nobody can work on task 1: the board names codex, which nobody has trusted here: ralph trust',
    )
    expect((await world.records()).map(({ taskId }) => taskId)).toEqual([2])
  })

  it('needs nobody’s trust where a person has started the loop with it, options included', async () => {
    await board(task(1, '    agent: codex\n'))
    const { given } = await programs({ codex: [{ ...mended('codex'), ...done(1) }] })
    expect(await world.loop({ agent: ['codex', '--profile', 'mine'], maxIterations: 1 })).toMatchObject({
      outcomes: { success: 1 },
    })
    expect((await given())[0]!.args.slice(0, 3)).toEqual(['exec', '--profile', 'mine'])
  })

  it('that is not installed, or not logged in, leaves its tasks; others go on', async () => {
    await board(task(1, '    agent: codex\n'), task(2, '    agent: pi\n'), task(3))
    await trust('codex', 'pi')
    await programs({ pi: [{ recording: recording('pi', '03f-401') }] })
    await world.agent("setStatus('done'); end()")
    const summary = await world.loop()
    expect(summary).toMatchObject({ cause: 'agent_unusable', outcomes: { success: 1 } })
    expect(summary.reason).toContain('nobody can work on tasks 1, 2: the agent "codex" cannot be found; ')
    expect(world.told('trouble').map(({ hint }) => hint)).toEqual([
      expect.stringContaining('npm install -g @openai/codex'),
      PROGRAMS.pi.login,
    ])
  })

  it('is nothing for an agent to change', async () => {
    await board(task(1), task(2, '    agent: gemini\n'))
    await world.agent(
      "edit(TASKS, /title: Task 1\\n/, 'title: Task 1\\n    agent: codex\\n'); edit(TASKS, 'agent: gemini', 'agent: codex'); edit(TASKS, /$/, '  - id: 3\\n    title: Another\\n    agent: codex\\n'); end()",
    )
    await world.loop({ task: 1, maxIterations: 1 })
    const tasks = await world.parts.board.tasks()
    expect(tasks.map(({ id, agent }) => [id, agent])).toEqual([
      [1, undefined],
      [2, 'gemini'],
      [3, undefined],
    ])
    expect(world.told('undone')[0]!.what).toEqual([
      expect.stringContaining('task 1: agent, which is for people to choose: removed'),
      expect.stringContaining('task 2: agent, which is for people to choose: restored'),
      expect.stringContaining('task 3: agent, which is for people to choose: removed'),
    ])
  })
})
