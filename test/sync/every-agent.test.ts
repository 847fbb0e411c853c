import { expect, it } from 'vitest'
import { hasNewSessions } from '../../src/sync/new-sessions.ts'
import { syncSessions } from '../../src/sync/sync.ts'
import { keepSessionsOfAll } from './kept-by-agents.ts'
import { kept } from './support.ts'

const AGENTS = ['codex', 'copilot', 'gemini', 'opencode', 'pi', 'qwen']

it('records the sessions of every agent, as one story', { timeout: 120_000 }, async () => {
  const { ralph, project, userHome } = await kept()
  keepSessionsOfAll(userHome, project)
  expect(hasNewSessions(ralph.config)).toBe(true)
  const report = await syncSessions(ralph)
  expect(report).toMatchObject({ found: 6, failed: [], older: 0, running: 0 })
  expect(report.recorded.map(({ agent }) => agent).sort()).toEqual(AGENTS)
  const records = await ralph.featureMemory.recent('general', 9)
  const stories = records.map(({ agent, sessionId, filesTouched, checks, outcome }) => ({
    agent,
    sessionId: sessionId !== undefined,
    outcome,
    files: filesTouched
      .filter(({ action }) => action !== 'read')
      .map(({ path }) => path)
      .sort(),
    checks: checks.map(({ command, result }) => `${command} ${result}`),
  }))
  console.log(JSON.stringify(stories, null, 1))
  const conversations = await ralph.conversations.history.list({})
  console.log(
    conversations.map(({ id, source, project, exchangeCount, title }) => ({
      id,
      source,
      project,
      exchangeCount,
      title,
    })),
  )
  expect(conversations.map(({ source }) => source).sort()).toEqual(AGENTS)
  expect(hasNewSessions(ralph.config)).toBe(false)
  expect(await syncSessions(ralph)).toMatchObject({ recorded: [], unchanged: 6 })
  const again = await ralph.conversations.importSessions()
  console.log(again)
})
