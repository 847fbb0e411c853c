import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { changedPaths } from '../../src/feature-memory/endings.ts'
import { hasNewSessions } from '../../src/sync/new-sessions.ts'
import { syncSessions } from '../../src/sync/sync.ts'
import { AGENT_NAMES } from '../../src/transcripts/agents.ts'
import { keepSessionsOfAll } from './kept-by-agents.ts'
import { kept } from './support.ts'

const AGENTS = AGENT_NAMES.filter((agent) => agent !== 'claude-code').sort()

it('records the sessions of every agent as one story, once', { timeout: 120_000 }, async () => {
  const { ralph, project, userHome } = await kept()
  keepSessionsOfAll(userHome, project)
  expect(hasNewSessions(ralph.config)).toBe(true)
  const report = await syncSessions(ralph)
  expect(report).toMatchObject({ found: 6, failed: [], older: 0, running: 0 })
  expect(report.recorded.map(({ agent }) => agent).sort()).toEqual(AGENTS)

  const records = await ralph.featureMemory.recent('general', 9)
  expect(records.map(({ agent }) => agent).sort()).toEqual(AGENTS)
  for (const record of records) {
    expect(record).toMatchObject({ kind: 'session', outcome: 'success', sessionId: expect.any(String) })
    expect(changedPaths(record)).toContain('src/cart.js')
    // Said by the program, or by the list of prices.
    expect(record.costUsd).toBeGreaterThan(0)
    expect(record.checks.map(({ command, result }) => `${command} ${result}`)).toContain('npm test passed')
  }
  const talks = await ralph.conversations.history.list()
  expect(talks.map(({ source }) => source).sort()).toEqual(AGENTS)
  expect(new Set(talks.map((talk) => talk.project))).toEqual(new Set([project]))
  expect(talks.map(({ id }) => id).sort()).toEqual(records.map(({ sessionId }) => sessionId).sort())

  expect(hasNewSessions(ralph.config)).toBe(false)
  expect(await syncSessions(ralph)).toMatchObject({ recorded: [], unchanged: 6 })
  expect(await ralph.conversations.importSessions()).toMatchObject({ files: { found: 6, unchanged: 6 } })
  // Whoever has lost the notes, and all that was worked out, doubles nothing.
  await rm(join(ralph.config.home, 'cache'), { recursive: true })
  expect(await syncSessions(ralph)).toMatchObject({ recorded: [], unchanged: 6 })
  expect(await ralph.featureMemory.recent('general', 9)).toEqual(records)
})

it('imports what a folder holds by its content, and of one agent where that is asked for', async () => {
  const { ralph, project, userHome } = await kept()
  keepSessionsOfAll(userHome, project)
  const conversations = await ralph.openConversations()
  const one = await conversations.importSessions(undefined, { agent: 'pi' })
  expect(one).toMatchObject({ files: { found: 1, read: 1 }, agents: ['pi'] })
  const named = await conversations.importSessions(join(userHome, '.codex'))
  expect(named).toMatchObject({ files: { found: 1, read: 1 }, agents: ['codex'] })
  const rest = await conversations.importSessions(undefined, { project })
  expect(rest).toMatchObject({ files: { found: 6, unchanged: 2 }, conversations: 4 })
  expect(await conversations.ofProject(project).forget()).toBe(6)
  expect((await conversations.importSessions()).exchanges.added).toBe(6)
})
