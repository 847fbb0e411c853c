import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RunProcesses } from '../../src/loop/agent/process-tree.ts'
import { type AgentStart, runAgent } from '../../src/loop/agent/run-agent.ts'
import { needs } from '../support/needs.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const RESULT =
  '{"type":"result","subtype":"success","is_error":false,"result":"All done now.","total_cost_usd":0.25}'

/** An agent that is a few lines of JavaScript. */
async function start(script: string, options: Partial<AgentStart> = {}) {
  const file = join(folder, 'agent.mjs')
  await writeFile(
    file,
    `import { spawn } from 'node:child_process'\nconst say = (o) => console.log(typeof o === 'string' ? o : JSON.stringify(o))\n${script}`,
  )
  return runAgent({
    runId: 'run-1',
    command: [process.execPath, file],
    cwd: folder,
    env: { PATH: process.env.PATH },
    prompt: 'the prompt',
    logPath: join(folder, 'log.jsonl'),
    complaintPath: join(folder, 'stderr'),
    limits: { timeMs: 20_000, silenceMs: 20_000 },
    ...options,
  })
}
const alive = () => new RunProcesses('run-1').alive()

it('gives the prompt, keeps the output, collects the run', async () => {
  const end = await start(`
    let prompt = ''
    for await (const chunk of process.stdin) prompt += chunk
    say({ type: 'assistant', message: { id: 'm', model: 'x', content: [{ type: 'text', text: prompt + ' was read by the agent, which is nice' }] } })
    say('${RESULT}')
    console.error('a remark')`)
  expect(end.complaint).toBe('a remark')
  expect(end.run.process).toEqual({ exitCode: 0, signal: undefined, stopped: undefined })
  expect(end.run.texts[0]!.text).toContain('the prompt was read')
  expect(end.run.result?.text).toBe('All done now.')
  expect(end.activity.cost).toBe(0.25)
  expect(await readFile(join(folder, 'log.jsonl'), 'utf8')).toContain('All done now.')
})

it('says what to do when there is no such agent', async () => {
  await expect(start('', { command: ['no-such-agent-here'] })).rejects.toMatchObject({
    message: 'the agent "no-such-agent-here" cannot be found',
    hint: expect.stringContaining('loop.agent'),
  })
})

it('survives an agent that does not read its prompt', async () => {
  const end = await start(`process.stdin.destroy(); say('${RESULT}')`, { prompt: 'x'.repeat(3_000_000) })
  expect(end.run.result?.text).toBe('All done now.')
})

describe('ends an agent', () => {
  it.each([
    [
      'that takes too long',
      { timeMs: 300, silenceMs: 9_999 },
      'time',
      "setInterval(() => say({ type: 'x' }), 50)",
    ],
    ['that falls silent', { timeMs: 9_999, silenceMs: 400 }, 'silence', 'setInterval(() => {}, 50)'],
    [
      'that costs too much',
      { timeMs: 9_999, silenceMs: 9_999, costUsd: 0.2 },
      'cost',
      `say('${RESULT}'); setInterval(() => say({ type: 'x' }), 50)`,
    ],
  ])('%s', async (_, limits, stopped, script) => {
    const end = await start(script, { limits })
    expect(end.run.process.stopped?.reason).toBe(stopped)
    expect(end.run.durationMs).toBeGreaterThan(100)
    expect(await alive()).toEqual([])
  })

  it('that ignores being asked, with everything it started, even what left its group', async () => {
    needs('signals')
    const child = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1e3)"
    const end = await start(
      `process.on('SIGTERM', () => {})
       spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'inherit' })
       spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { detached: true, stdio: 'ignore' }).unref()
       setInterval(() => say({ type: 'x' }), 50)`,
      { limits: { timeMs: 1_000, silenceMs: 9_999 } },
    )
    expect(end.run.process).toMatchObject({ stopped: { reason: 'time', limitMs: 1_000 }, signal: 'SIGKILL' })
    expect(await alive()).toEqual([])
  })

  it('kindly on the first interrupt, at once on the second', async () => {
    needs('signals')
    const polite = new AbortController()
    const listening = start(
      `process.on('SIGINT', () => { say('${RESULT}'); process.exit(0) }); say({ type: 'x' }); setInterval(() => {}, 50)`,
      // Once it listens it says so.
      { signal: polite.signal, onActivity: () => polite.abort() },
    )
    expect(await listening).toMatchObject({
      run: {
        process: { stopped: { reason: 'interrupted' }, exitCode: 0 },
        result: { text: 'All done now.' },
      },
    })

    const [first, second] = [new AbortController(), new AbortController()]
    const deaf = start(
      "process.on('SIGINT', () => say({ type: 'x' })); say({ type: 'x' }); setInterval(() => {}, 50)",
      {
        // Its own log: what the first one said must not pass for a sign of this one.
        logPath: join(folder, 'deaf.jsonl'),
        signal: first.signal,
        killSignal: second.signal,
        onActivity: () => (first.signal.aborted ? second : first).abort(),
      },
    )
    expect((await deaf).run.process).toMatchObject({
      stopped: { reason: 'interrupted' },
      signal: 'SIGKILL',
    })
  })
})

it('does not wait for what an agent left running, and ends it', async () => {
  const end = await start(
    `spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e3)'], { stdio: 'inherit', detached: true }).unref()
     say('${RESULT}')
     setTimeout(() => process.exit(0), 100)`,
  )
  expect(end.run.process.exitCode).toBe(0)
  expect(end.run.result?.text).toBe('All done now.')
  await vi.waitFor(async () => expect(await alive()).toEqual([]))
})

it('counts a long file that the agent writes, before the service has counted it', async () => {
  const end = await start(
    `say({ type: 'assistant', message: { id: 'm1', model: 'toy', usage: { input_tokens: 10, output_tokens: 1 },
       content: [{ type: 'tool_use', id: 't', name: 'Write', input: { file_path: '/p/big.ts', content: 'x'.repeat(400_000) } }] } })`,
    { prices: (_, { output }) => output },
  )
  expect(end.activity.lastAction).toBe('Write big.ts')
  expect(end.activity.cost).toBeGreaterThan(90_000)
})

it('tells what the agent is doing, with tokens and an estimate of the cost', async () => {
  const seen: string[] = []
  const end = await start(
    `say({ type: 'assistant', message: { id: 'm1', model: 'toy', usage: { input_tokens: 1000, output_tokens: 10 },
       content: [{ type: 'tool_use', id: 't', name: 'Edit', input: { file_path: '/p/src/form.ts' } }] } })
     say({ type: 'assistant', message: { id: 'm1', model: 'toy', usage: { input_tokens: 1000, output_tokens: 50 },
       content: [{ type: 'tool_use', id: 'u', name: 'mcp__ralph__search_feature_memory', input: { query: 'login' } }] } })
     say('no json')`,
    {
      prices: (model, tokens) => (model === 'toy' ? (tokens.input + tokens.output) / 1_000 : undefined),
      onActivity: (activity) => seen.push(activity.lastAction),
    },
  )
  expect(seen.at(-1)).toBe('search_feature_memory login')
  expect(end.activity).toMatchObject({ tokens: 1_050, toolCalls: 2 })
  expect(end.activity.cost).toBeGreaterThan(1)
})
