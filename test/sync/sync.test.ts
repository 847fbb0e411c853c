import { rm } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { sessionsDir } from '../../src/hooks/places.ts'
import { recordSession } from '../../src/hooks/record-session.ts'
import { SessionNotes } from '../../src/hooks/session-notes.ts'
import { hasNewSessions } from '../../src/sync/new-sessions.ts'
import { syncSessions } from '../../src/sync/sync.ts'
import { LOOP_PROMPT_MARK } from '../../src/transcripts/own-marks.ts'
import { DAY, type Kept, kept, MINUTE, SESSION } from './support.ts'

const remembered = async ({ ralph }: Kept) => ({
  general: (await ralph.featureMemory.recent('general', 9)).length,
  features: await ralph.featureMemory.features(),
  ...(await ralph.conversations.history.counts()),
})

describe('sessions that no hook has told of', { timeout: 60_000 }, () => {
  it('are recorded as iteration and as conversation, once', async () => {
    const here = await kept()
    const path = await here.keep(SESSION, here.lines)
    expect(hasNewSessions(here.ralph.config)).toBe(true)
    expect(await syncSessions(here.ralph)).toMatchObject({
      recorded: [{ agent: 'claude-code', sessionId: SESSION, path, feature: 'general', iterationNumber: 1 }],
      found: 1,
      failed: [],
    })
    const whole = await remembered(here)
    expect(whole).toMatchObject({ general: 1, features: ['general'], conversations: 1 })
    expect(hasNewSessions(here.ralph.config)).toBe(false)
    expect(await syncSessions(here.ralph)).toMatchObject({ recorded: [], found: 1, unchanged: 1 })
    expect(await remembered(here)).toEqual(whole)
  })

  it('that a hook has recorded, here or elsewhere, are left alone', async () => {
    const here = await kept()
    const path = await here.keep(SESSION, here.lines)
    const notes = new SessionNotes(sessionsDir(here.ralph.config), SESSION)
    const feature = { name: 'payments', by: 'branch', reason: 'the branch of that day' } as const
    notes.setPending({ sessionId: SESSION, transcript: path, cwd: here.project, feature })
    await recordSession(here.ralph, notes)
    const whole = await remembered(here)
    expect(whole).toMatchObject({ general: 0, features: ['payments'], conversations: 1 })
    expect(await syncSessions(here.ralph)).toMatchObject({ recorded: [], unchanged: 1 })
    // The notes of hooks are kept for two weeks; the journals know it for ever.
    await here.keep(SESSION, here.lines, 19 * MINUTE)
    await rm(sessionsDir(here.ralph.config), { recursive: true })
    await syncSessions(here.ralph)
    expect(await remembered(here)).toEqual(whole)
  })

  it('that went on after they were recorded are recorded from there', async () => {
    const here = await kept()
    const half = here.lines.findIndex((line) => line.includes('"tool_result"')) + 1
    await here.keep(SESSION, here.lines.slice(0, half), 30 * MINUTE)
    await syncSessions(here.ralph)
    await here.keep(SESSION, here.lines, 0)
    expect(hasNewSessions(here.ralph.config)).toBe(false)
    expect(hasNewSessions(here.ralph.config, Date.now() + 10 * MINUTE)).toBe(true)
    await syncSessions(here.ralph, { running: true })
    const { conversations } = await remembered(here)
    expect(conversations).toBe(1)
    const stretches = await here.ralph.featureMemory.recent('general', 9)
    expect(stretches.length).toBeGreaterThan(0)
    expect(new Set(stretches.map(({ endedAt }) => endedAt)).size).toBe(stretches.length)
  })

  it('that may still go on, are too old, or are runs of the loop wait or stay out', async () => {
    const here = await kept()
    const other = (id: string) => here.lines.map((line) => line.replaceAll(SESSION, id))
    await here.keep('running', other('running'), MINUTE)
    await here.keep('old', other('old'), 8 * DAY)
    await here.keep(
      'looped',
      other('looped').map((line) => {
        const entry = JSON.parse(line)
        if (entry.type === 'user' && typeof entry.message?.content === 'string')
          entry.message.content = `${LOOP_PROMPT_MARK} ${entry.message.content}`
        return JSON.stringify(entry)
      }),
    )
    const report = await syncSessions(here.ralph)
    expect(report).toMatchObject({ recorded: [], found: 3, unchanged: 1, running: 1, older: 1 })
    expect(await remembered(here)).toMatchObject({ features: [], conversations: 0 })
    const asked = await syncSessions(here.ralph, { running: true })
    expect(asked.recorded.map(({ sessionId }) => sessionId)).toEqual(['running'])
    const all = await syncSessions(here.ralph, { since: 0 })
    expect(all.recorded.map(({ sessionId }) => sessionId)).toEqual(['old'])
    // Asked for once, the old ones are no longer left out.
    expect(await syncSessions(here.ralph)).toMatchObject({ older: 0, unchanged: 3 })
  })

  it('of another agent than was asked for stay as they are', async () => {
    const here = await kept()
    await here.keep(SESSION, here.lines)
    expect(await syncSessions(here.ralph, { agent: 'codex' })).toMatchObject({ found: 0, recorded: [] })
    expect(hasNewSessions(here.ralph.config)).toBe(true)
  })
})
