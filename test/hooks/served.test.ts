import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { servedHook } from '../../src/agent-config/served-hook.ts'
import { sessionsDir } from '../../src/hooks/places.ts'
import { answerServed, prepareHooks } from '../../src/hooks/served.ts'
import { SessionNotes } from '../../src/hooks/session-notes.ts'
import { countSilences } from '../../src/hooks/silence.ts'
import { readReceipts } from '../../src/receipts/read.ts'
import { BASH, DEPLOY_FAILED, FAILS, READ, SESSION, TEST_FAILED, world } from './support.ts'

/** What Claude Code sends to the server: our own template, with the values of its hook put in. */
function asClaudeSends(event: string, known: Record<string, unknown>): Record<string, unknown> {
  const { input } = servedHook(event, 'ralph') as { input: Record<string, string> }
  const valueAt = (path: string) =>
    path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], known) ?? ''
  return Object.fromEntries(
    Object.entries(input).map(([name, text]) => [
      name,
      text.replace(/\$\{([\w.]+)\}/g, (_, path: string) => String(valueAt(path))),
    ]),
  )
}

async function servedWorld(...iterations: Parameters<typeof world>[0] & object) {
  const { project, home, ralph } = await world(iterations)
  const send = async (event: string, fields: object, env: NodeJS.ProcessEnv = {}) => {
    const transcript_path = join(project, 'none.jsonl')
    const known = { session_id: SESSION, cwd: project, transcript_path, ...fields }
    const all = { RALPH_HOME: home, RALPH_HOOK_DEADLINE_MS: '20000', ...env }
    const answer = await answerServed(asClaudeSends(event, known), all)
    return answer === undefined ? undefined : JSON.parse(answer).hookSpecificOutput
  }
  return { project, home, config: ralph.config, send }
}

describe('a hook that the server answers', { timeout: 60_000 }, () => {
  it('says on reading a file what `ralph hook` says, once per session, with a receipt', async () => {
    await prepareHooks()
    const { send, project, config } = await servedWorld(TEST_FAILED)
    const read = READ(join(project, 'src/pay.ts'))
    expect(await send('PreToolUse', read)).toMatchObject({
      hookEventName: 'PreToolUse',
      additionalContext: expect.stringContaining('expected 100 to be 120'),
    })
    expect(await send('PreToolUse', read)).toBeUndefined()
    // A sub-agent reads nothing of what its session was told.
    expect(await send('PreToolUse', { ...read, agent_id: 'a1' })).toBeDefined()
    const { receipts } = await readReceipts(config.paths.receipts, { surface: 'hook' })
    expect(receipts.map(({ event, run }) => [event, run])).toEqual([
      ['PreToolUse', SESSION],
      ['PreToolUse', SESSION],
    ])
  })

  it('holds a command back once, after the failures it was told of', async () => {
    const { send } = await servedWorld(DEPLOY_FAILED)
    const deploy = 'node scripts/deploy.js'
    expect(await send('PreToolUse', BASH(deploy))).toBeUndefined()
    const failed = FAILS(
      deploy,
      'Error: bucket shop-assets does not exist\n    at upload (scripts/deploy.js:4:9)',
    )
    expect((await send('PostToolUseFailure', failed)).additionalContext).toContain('met before')
    expect(await send('PreToolUse', BASH(deploy))).toMatchObject({ permissionDecision: 'deny' })
    expect(await send('PreToolUse', BASH(deploy))).toBeUndefined()
  })

  it('says nothing in a run without memory, and holds nothing back; what it would have said is kept as withheld', async () => {
    const { send, config } = await servedWorld(DEPLOY_FAILED)
    const env = { RALPH_LOOP_RUN: 'run-1', RALPH_LOOP_MEMORY: 'withheld' }
    const deploy = 'node scripts/deploy.js'
    const failed = FAILS(
      deploy,
      'Error: bucket shop-assets does not exist\n    at upload (scripts/deploy.js:4:9)',
    )
    expect(await send('PreToolUse', BASH(deploy), env)).toBeUndefined()
    expect(await send('PostToolUseFailure', failed, env)).toBeUndefined()
    expect(await send('PreToolUse', BASH(deploy), env)).toBeUndefined()
    const { receipts } = await readReceipts(config.paths.receipts, { surface: 'hook' })
    expect(receipts.map(({ event, run, withheld }) => [event, run, withheld])).toEqual([
      ['PreToolUse', 'run-1', true],
      ['PostToolUseFailure', 'run-1', true],
    ])
    // It ran all the same, so that its outcome counts for the session.
    const notes = new SessionNotes(sessionsDir(config), SESSION)
    expect(notes.commandLines().some((line) => line.includes('"started"'))).toBe(true)
  })

  it('does not count what a person interrupted as a failure', async () => {
    const { send, config } = await servedWorld(DEPLOY_FAILED)
    const failed = { ...FAILS('node scripts/deploy.js', 'Error: bucket shop-assets does not exist') }
    expect(await send('PostToolUseFailure', { ...failed, is_interrupt: true })).toBeUndefined()
    expect(new SessionNotes(sessionsDir(config), SESSION).commandLines()).toEqual([])
  })

  it('briefs with the first prompt, and notes the session so that it can be recorded', async () => {
    const { send, config } = await servedWorld(TEST_FAILED)
    const prompt = { prompt: 'go on with the tax, please' }
    // In the loop by what the session's environment says.
    expect(await send('UserPromptSubmit', prompt, { RALPH_LOOP_RUN: 'run-1' })).toBeUndefined()
    expect((await send('UserPromptSubmit', prompt)).additionalContext).toContain('Memory of the feature')
    expect(await send('Stop', {})).toBeUndefined()
    const pending = new SessionNotes(sessionsDir(config), SESSION).pending()
    expect(pending).toMatchObject({ sessionId: SESSION, feature: { name: 'auth' } })
    // Whoever started the server runs the session.
    if (process.platform === 'linux') expect(pending?.process?.pid).toBeLessThanOrEqual(process.ppid)
  })

  it('is silent when it is late or fails, and that is counted', async () => {
    const { send, project, config } = await servedWorld(TEST_FAILED)
    const read = READ(join(project, 'src/pay.ts'))
    expect(await send('PreToolUse', read, { RALPH_HOOK_DEADLINE_MS: '0.001' })).toBeUndefined()
    expect(countSilences(config)).toMatchObject({ late: 1, failed: 0 })
    await writeFile(join(project, '.ralph/rag_config.json'), '{')
    expect(await send('PreToolUse', read)).toBeUndefined()
    expect(countSilences(config)).toMatchObject({ late: 1, failed: 1 })
    // What nobody heard was not told.
    await writeFile(join(project, '.ralph/rag_config.json'), '{}')
    expect(await send('PreToolUse', read)).toBeDefined()
  })

  it('answers nothing to what is no hook of ours', async () => {
    const { home, project } = await world([TEST_FAILED])
    const env = { RALPH_HOME: home }
    const wrong = [
      {},
      { hook_event_name: 'PreToolUse' },
      { hook_event_name: 'PreToolUse', session_id: 5, cwd: project },
      // These hand over a session, which no server is asked for.
      { hook_event_name: 'SessionEnd', session_id: 's', cwd: project, transcript_path: '/etc/passwd' },
      { hook_event_name: 'constructor', session_id: 's', cwd: project },
    ]
    for (const fields of wrong) expect(await answerServed(fields, env)).toBeUndefined()
  })
})
