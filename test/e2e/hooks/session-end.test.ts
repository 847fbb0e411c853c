import { existsSync } from 'node:fs'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { forsakenSessions } from '../../../src/hooks/forsaken.ts'
import { hooksDir, sessionsDir } from '../../../src/hooks/places.ts'
import { recordSession } from '../../../src/hooks/record-session.ts'
import { notedSessions } from '../../../src/hooks/session-notes.ts'
import { readReceipts } from '../../../src/receipts/read.ts'
import { eventually, TEST_FAILED, world } from '../../hooks/support.ts'
import { runRalph } from '../../support/ralph.ts'

const sessionFile = (name: string) =>
  fileURLToPath(new URL(`../../fixtures/session-files/${name}.jsonl`, import.meta.url))

describe('when a session ends', { timeout: 120_000 }, () => {
  it('it is recorded in the background, once, and what was told is accounted for', async () => {
    const { hook, project, ralph } = await world([TEST_FAILED])
    const transcript = join(project, 'session.jsonl')
    const text = await readFile(sessionFile('headless-hooks-main'), 'utf8')
    await writeFile(transcript, text.replaceAll('/home/dev/shop', project))
    await hook('SessionStart', { source: 'startup' })
    await hook('Stop', { transcript_path: transcript })
    // Installed twice, for the user and for the project: both say good-bye.
    await Promise.all([1, 2].map(() => hook('SessionEnd', { transcript_path: transcript, reason: 'other' })))
    const record = await eventually(async () =>
      (await ralph.featureMemory.recent('auth', 5)).find(({ kind }) => kind === 'session'),
    )
    expect(record.summary.length).toBeGreaterThan(0)
    expect(record.filesTouched.some(({ action }) => action !== 'read') || record.errors.length > 0).toBe(true)
    const ending = await eventually(
      async () => (await readReceipts(ralph.config.paths.receipts)).receipts[0]?.ending,
    )
    expect(ending).toMatchObject({ iterationNumber: 2, outcome: record.outcome })
    // Whoever comes later waits for the lock of the session, and finds nothing left to record.
    const [session] = notedSessions(sessionsDir(ralph.config))
    expect(await recordSession(ralph, session!.notes)).toEqual({})
    expect(await ralph.featureMemory.recent('auth', 5)).toHaveLength(2)
  })

  it('is recorded also when the machine is too busy to answer in time', async () => {
    const { hook, project, ralph } = await world([TEST_FAILED])
    const transcript = join(project, 'session.jsonl')
    const text = await readFile(sessionFile('headless-hooks-main'), 'utf8')
    await writeFile(transcript, text.replaceAll('/home/dev/shop', project))
    await hook('Stop', { transcript_path: transcript })
    const env = { RALPH_HOOK_DEADLINE_MS: '1' }
    await hook('SessionEnd', { transcript_path: transcript, reason: 'other' }, { env })
    await eventually(async () =>
      (await ralph.featureMemory.recent('auth', 5)).find(({ kind }) => kind === 'session'),
    )
  })

  const killedSession = async () => {
    const made = await world([TEST_FAILED])
    const transcript = join(made.project, 'killed.jsonl')
    const lines = (await readFile(sessionFile('headless-hooks-main'), 'utf8')).split('\n')
    const changed = lines.findIndex((line) => line.includes('"tool_result"')) + 1
    const text = lines.slice(0, changed).join('\n')
    await writeFile(transcript, `${text}\n`.replaceAll('/home/dev/shop', made.project))
    const fields = { transcript_path: transcript, session_id: 'killed' }
    await made.hook('SessionStart', { ...fields, source: 'startup' }, { thenKilled: true })
    const recorded = () =>
      eventually(async () =>
        (await made.ralph.featureMemory.recent('auth', 5)).find(({ kind }) => kind === 'session'),
      )
    return { ...made, fields, recorded }
  }

  it('one that was killed in its first turn is recorded when the next one starts', async () => {
    const { hook, recorded } = await killedSession()
    await hook('SessionStart', { source: 'startup', session_id: 'next' })
    expect(await recorded()).toMatchObject({ kind: 'session', taskId: 0 })
  })

  it('or when somebody runs a command', async () => {
    const { project, home, recorded } = await killedSession()
    expect(await runRalph(['status'], { cwd: project, home })).toMatchObject({ code: 0 })
    expect(await recorded()).toMatchObject({ kind: 'session' })
  })

  it('one that is still running is left alone', async () => {
    const { hook, fields, ralph } = await killedSession()
    // Resumed: this test is the program that runs it now.
    await hook('SessionStart', { ...fields, source: 'resume' })
    await hook('SessionStart', { source: 'startup', session_id: 'next' })
    expect(forsakenSessions(ralph.config)).toEqual([])
  })

  it('belongs to the feature it had while it ran', async () => {
    const { hook, project, recorded } = await killedSession()
    await writeFile(join(project, '.git', 'HEAD'), 'ref: refs/heads/main\n')
    await hook('SessionStart', { source: 'startup', session_id: 'next' })
    expect(await recorded()).toMatchObject({ feature: 'auth' })
  })

  it('the loop records its own', async () => {
    const { hook, project, ralph } = await world()
    const transcript = join(project, 'session.jsonl')
    await copyFile(sessionFile('headless-hooks-main'), transcript)
    const env = { RALPH_LOOP_RUN: 'run-7', RALPH_FEATURE: 'auth' }
    await hook('Stop', { transcript_path: transcript }, { env })
    await hook('SessionEnd', { transcript_path: transcript }, { env })
    expect(existsSync(hooksDir(ralph.config))).toBe(false)
  })
})

describe('a session as Claude Code told it', { timeout: 120_000 }, () => {
  it('passes from start to end, and is remembered', async () => {
    const { hook, project, ralph } = await world([TEST_FAILED])
    const recorded = (await readFile(sessionFile('interactive.hooks-input'), 'utf8')).trim().split('\n')
    const transcript = join(project, 'interactive.jsonl')
    const session = await readFile(sessionFile('interactive'), 'utf8')
    await writeFile(transcript, session.replaceAll('/home/dev/shop', project))
    const told: string[] = []
    for (const line of recorded) {
      const input = {
        ...JSON.parse(line.replaceAll('/home/dev/shop', project)).input,
        transcript_path: transcript,
      }
      const result = await hook(input.hook_event_name, {}, { input: JSON.stringify(input) })
      expect(result).toMatchObject({ code: 0, stderr: '' })
      if (result.context !== undefined) told.push(input.hook_event_name)
    }
    expect(told).toEqual(['SessionStart'])
    const record = await eventually(async () =>
      (await ralph.featureMemory.recent('auth', 1)).find(({ kind }) => kind === 'session'),
    )
    expect(record).toMatchObject({
      taskTitle: 'Please write a file.',
      filesTouched: [{ path: 'interactive.txt', action: 'created' }],
    })
    const { sessionId } = JSON.parse(session.split('\n').find((line) => line.includes('"sessionId"'))!)
    const conversation = await eventually(() =>
      ralph.conversations.details({ conversationId: sessionId }).catch(() => undefined),
    )
    expect(JSON.stringify(conversation)).toContain('Please write a file.')
  })
})
