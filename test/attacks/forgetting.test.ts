import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeFacts } from '../../src/hooks/facts/feature-facts.ts'
import { LiveCommands } from '../../src/hooks/live-commands.ts'
import { sessionsDir } from '../../src/hooks/places.ts'
import { SessionNotes } from '../../src/hooks/session-notes.ts'
import { runStart } from '../../src/loop/run-file.ts'
import type { Ralph } from '../../src/ralph.ts'
import { project } from '../mcp/support.ts'
import { newIteration } from '../support/records.ts'

/** What is told of an iteration holds its mark: afterwards it is looked for everywhere. */
const mark = (feature: string, number: number) => `mark-${feature}-${number}.`

const startOf = (feature: string, number: number) =>
  `2026-02-0${feature === 'auth' ? 7 : 8}T14:30:0${number}.123Z`

/** One iteration with all that the loop keeps of it, and one of a session with all that hooks keep. */
async function remember(ralph: Ralph, feature: string): Promise<void> {
  const { paths } = ralph.config
  const logs = join(paths.cache, 'loop', 'logs')
  mkdirSync(logs, { recursive: true })
  for (const number of [1, 2]) {
    const timestamp = startOf(feature, number)
    const run = `${runStart(timestamp)}-0a1b2c3d`
    const words = mark(feature, number)
    const file = { path: `src/${words}ts`, action: 'modified' as const }
    const errors = [{ message: `${words} is undefined` }]
    const fields = { feature, timestamp, summary: words, filesTouched: [file], errors }
    const { iterationNumber } = await ralph.featureMemory.recordIteration(newIteration(fields))
    writeFileSync(join(logs, `${run}.jsonl`), `{"text":"${words}"}\n`)
    writeFileSync(join(logs, `${run}.prompt.md`), words)
    const item = { kind: 'iteration', source: `iteration ${number}`, why: 'words', text: words }
    ralph.receipts.append({ surface: 'loop', event: 'prompt', run, feature, items: [item] })
    ralph.receipts.ended({ run, outcome: 'failure', remark: words, iterationNumber })
  }
  await workOut(ralph, feature)
  await ralph.featureMemory.catchUp(feature)
}

async function workOut({ featureMemory }: Ralph, feature: string): Promise<void> {
  await featureMemory.files(feature)
  await featureMemory.timeline(feature)
  await featureMemory.errors(feature)
}

async function session(ralph: Ralph, feature: string): Promise<void> {
  const sessionId = `session-of-${feature}`
  const words = mark(feature, 3)
  const fields = { feature, sessionId, kind: 'session' as const, taskId: 0, summary: words }
  await ralph.featureMemory.recordIteration(newIteration({ ...fields, timestamp: startOf(feature, 3) }))
  const notes = new SessionNotes(sessionsDir(ralph.config), sessionId)
  notes.setPending({ sessionId, transcript: '/t.jsonl', cwd: '/shop' })
  notes.setRecordedBytes(10)
  notes.mayShow(words, 10)
  notes.touch(`src/${words}ts`)
  new LiveCommands(notes).failed(`npm run ${words}`, { signatures: [words], message: words })
  const item = { kind: 'error', source: 'iteration 3', why: 'words', text: words }
  ralph.receipts.append({ surface: 'hook', event: 'PreToolUse', run: sessionId, feature, items: [item] })
}

function holding({ config }: Ralph, words: string): string[] {
  return [join(config.project, '.ralph'), config.home]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((path) => statSync(path).isFile() && readFileSync(path, 'latin1').includes(words))
}

describe('forgetting', () => {
  it('reaches the log, the prompt, the receipts and the file history of an iteration, and of no other', async () => {
    const ralph = await project()
    await remember(ralph, 'auth')
    await remember(ralph, 'pay')
    expect(holding(ralph, mark('auth', 1)).length).toBeGreaterThanOrEqual(4)
    const others = [mark('auth', 2), mark('pay', 1), mark('pay', 2)]
    const before = others.map((words) => holding(ralph, words).length)
    expect(await ralph.featureMemory.forget('auth', { iterations: [1] })).toBe(1)
    await workOut(ralph, 'auth')
    await ralph.close()
    expect(holding(ralph, mark('auth', 1))).toEqual([])
    expect(others.map((words) => holding(ralph, words).length)).toEqual(before)
  })

  it('reaches what hooks noted of a session, and lets it be recorded no second time', async () => {
    const ralph = await project()
    mkdirSync(ralph.config.paths.database, { recursive: true })
    await session(ralph, 'auth')
    await session(ralph, 'pay')
    writeFacts(ralph.config, { feature: 'auth', sections: [{ title: mark('auth', 3), lines: [] }] } as never)
    await ralph.featureMemory.forget('auth', { iterations: [1] })
    expect(holding(ralph, mark('auth', 3))).toEqual([])
    expect(holding(ralph, mark('pay', 3)).length).toBeGreaterThanOrEqual(4)
    const notes = new SessionNotes(sessionsDir(ralph.config), 'session-of-auth')
    expect(notes.recordedBytes()).toBe(10)
    expect(notes.pending()?.sessionId).toBe('session-of-auth')
  })

  it('of a whole feature leaves nothing of it', async () => {
    const ralph = await project()
    mkdirSync(ralph.config.paths.database, { recursive: true })
    await remember(ralph, 'auth')
    await session(ralph, 'auth')
    await remember(ralph, 'pay')
    const item = { kind: 'learning', source: 'learning 1', why: 'words', text: 'mark-auth-shown' }
    ralph.receipts.append({ surface: 'mcp', event: 'recall', run: 'other', feature: 'auth', items: [item] })
    ralph.receipts.append({ surface: 'mcp', event: 'recall', run: 'other', feature: 'pay', items: [] })
    await ralph.featureMemory.forget('auth')
    await ralph.close()
    expect(holding(ralph, 'mark-auth-')).toEqual([])
    expect(holding(ralph, mark('pay', 1)).length).toBeGreaterThanOrEqual(4)
    expect(holding(ralph, '"run":"other"')).toHaveLength(1)
  })

  it('leaves the log of a run that is not recorded yet', async () => {
    const ralph = await project()
    await remember(ralph, 'auth')
    const { RunFiles } = await import('../../src/loop/run-file.ts')
    const runs = new RunFiles(join(ralph.config.paths.cache, 'loop'))
    const runId = `${runStart(startOf('auth', 1))}-0a1b2c3d`
    await runs.save({
      runId,
      startedAt: startOf('auth', 1),
      review: false,
      feature: 'auth',
      taskId: 1,
      taskTitle: 'Add tax',
      discipline: 'dev',
      before: { status: 'pending', comments: 0 },
      log: runs.logPath(runId),
      shownLearnings: [],
      phase: 'running',
    })
    await ralph.featureMemory.forget('auth')
    expect(existsSync(runs.logPath(runId))).toBe(true)
  })
})
