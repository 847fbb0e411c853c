import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { forsakenSessions } from '../../src/hooks/forsaken.ts'
import { sessionsDir } from '../../src/hooks/places.ts'
import { recordSession } from '../../src/hooks/record-session.ts'
import { removeOldSessions, SessionNotes } from '../../src/hooks/session-notes.ts'
import { countSilences } from '../../src/hooks/silence.ts'
import type { Ralph } from '../../src/ralph.ts'
import { readReceipts } from '../../src/receipts/read.ts'
import { SESSION, world } from './support.ts'

const FIXTURE = fileURLToPath(new URL('../fixtures/session-files/headless-hooks-main.jsonl', import.meta.url))
const DAY_MS = 86_400_000

async function endedSession() {
  const { ralph, project, home } = await world()
  const lines = (await readFile(FIXTURE, 'utf8')).replaceAll('/home/dev/shop', project).trim().split('\n')
  const transcript = join(project, 'session.jsonl')
  const write = (count = lines.length) => writeFile(transcript, `${lines.slice(0, count).join('\n')}\n`)
  await write()
  const notes = new SessionNotes(sessionsDir(ralph.config), SESSION)
  const pending = { sessionId: SESSION, transcript, cwd: project, endedAt: Date.now() - 60_000 }
  notes.setPending({ ...pending, feature: { name: 'auth', by: 'branch', reason: 'the branch' } })
  ralph.receipts.append({ surface: 'hook', event: 'SessionStart', run: SESSION, items: [], leftOut: [] })
  const remembered = async () => ({
    iterations: (await ralph.featureMemory.recent('auth', 9)).length,
    ending: (await readReceipts(ralph.config.paths.receipts)).receipts[0]?.ending?.iterationNumber,
    ...(await ralph.conversations.history.counts()),
  })
  return { ralph, home, notes, pending, lines, write, remembered }
}

const DIED = new Error('killed')

/** `ralph`, but whoever uses it dies before or after the named step. */
function dying(ralph: Ralph, step: 'record' | 'importSessions', when: 'before' | 'after'): Ralph {
  const die = (owner: object) =>
    new Proxy(owner, {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        if (name !== step) return Function.prototype.bind.call(value, target)
        return async (...args: unknown[]) => {
          if (when === 'after') await Reflect.apply(value, target, args)
          throw DIED
        }
      },
    })
  const { featureMemory, conversations, config, receipts, board } = ralph
  const parts = { config, receipts, board }
  return step === 'record'
    ? ({ ...parts, conversations, featureMemory: die(featureMemory) } as Ralph)
    : ({ ...parts, featureMemory, conversations: die(conversations) } as Ralph)
}

it('counts the hooks of a session that found no server, once', { timeout: 120_000 }, async () => {
  const { ralph, notes, pending, lines } = await endedSession()
  const attachment = { type: 'hook_non_blocking_error', hookEvent: 'PreToolUse', exitCode: 1 }
  const failed = (stderr: string) =>
    JSON.stringify({ type: 'attachment', attachment: { ...attachment, stderr }, sessionId: SESSION })
  const found = [
    failed("MCP server 'ralph' not connected"),
    failed("MCP server 'plugin:ralph-memory:ralph' not connected"),
    failed("MCP server 'other' not connected"),
    // Somebody may have said so.
    JSON.stringify({ type: 'user', text: '"stderr":"MCP server \'ralph\' not connected"' }),
  ]
  await writeFile(pending.transcript, `${[...lines, ...found].join('\n')}\n`)
  await recordSession(ralph, notes)
  await recordSession(ralph, notes)
  expect(countSilences(ralph.config)).toMatchObject({ unreached: 2, late: 0 })
})

describe('a session whose recording came to nothing', { timeout: 120_000 }, () => {
  it.each([
    ['record', 'before'],
    ['record', 'after'],
    ['importSessions', 'before'],
    ['importSessions', 'after'],
  ] as const)('killed at %s, %s it: is recorded by the next one, once', async (step, when) => {
    const { ralph, notes, remembered } = await endedSession()
    await expect(recordSession(dying(ralph, step, when), notes)).rejects.toBe(DIED)
    expect(forsakenSessions(ralph.config)).toHaveLength(1)
    await recordSession(ralph, notes)
    const whole = await remembered()
    expect(whole).toMatchObject({ iterations: 1, ending: 1, conversations: 1 })
    expect(forsakenSessions(ralph.config)).toEqual([])
    await recordSession(ralph, notes)
    expect(await remembered()).toEqual(whole)
  })

  it('is recorded when the storage is back', async () => {
    const { ralph, home, notes, remembered } = await endedSession()
    const database = join(home, 'ralph.db')
    await mkdir(database, { recursive: true })
    await expect(recordSession(ralph, notes)).rejects.toThrow()
    expect(forsakenSessions(ralph.config)).toHaveLength(1)
    await rm(database, { recursive: true })
    await recordSession(ralph, notes)
    expect(await remembered()).toMatchObject({ iterations: 1, ending: 1, conversations: 1 })
  })

  it('that went on meanwhile, and would now belong elsewhere, is doubled nowhere', async () => {
    const { ralph, notes, pending, lines, write, remembered } = await endedSession()
    const half = lines.findIndex((line) => line.includes('"tool_result"')) + 1
    await write(half)
    await expect(recordSession(dying(ralph, 'record', 'after'), notes)).rejects.toBe(DIED)
    await write()
    notes.setPending({ ...pending, feature: { name: 'payments', by: 'branch', reason: 'the branch' } })
    await recordSession(ralph, notes)
    const stretches = [
      ...(await ralph.featureMemory.recent('auth', 9)),
      ...(await ralph.featureMemory.recent('payments', 9)),
    ]
    const created = stretches.flatMap(({ filesTouched }) =>
      filesTouched.filter(({ action }) => action === 'created').map(({ path }) => path),
    )
    expect(created).toEqual([...new Set(created)])
    expect(await ralph.featureMemory.recent('auth', 9)).toHaveLength(1)
    expect(await remembered()).toMatchObject({ conversations: 1 })
  })

  it('is not recorded again from its beginning when it goes on after its notes are lost', async () => {
    const { ralph, notes, pending, lines, write } = await endedSession()
    await write(lines.findIndex((line) => line.includes('"tool_result"')) + 1)
    await recordSession(ralph, notes)
    const [first] = await ralph.featureMemory.recent('auth', 9)
    await rm(sessionsDir(ralph.config), { recursive: true })
    await write()
    notes.setPending({ ...pending, feature: { name: 'auth', by: 'branch', reason: 'the branch' } })
    await recordSession(ralph, notes)
    const [second, ...before] = await ralph.featureMemory.recent('auth', 9)
    expect(before).toEqual([first])
    expect(second!.startedAt! > first!.endedAt!).toBe(true)
  })

  it('keeps its notes, however old, until it is recorded', async () => {
    const { ralph, notes } = await endedSession()
    const folder = sessionsDir(ralph.config)
    removeOldSessions(folder, Date.now() + 20 * DAY_MS)
    expect(notes.pending()).toBeDefined()
    await recordSession(ralph, notes)
    removeOldSessions(folder, Date.now() + 20 * DAY_MS)
    expect(notes.pending()).toBeUndefined()
  })
})
