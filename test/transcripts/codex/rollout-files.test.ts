import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  codexSessions,
  parentRollout,
  subAgentRollouts,
  threadFile,
} from '../../../src/transcripts/codex/rollout-files.ts'

const home = mkdtempSync(join(tmpdir(), 'ralph-codex-'))
const sessions = join(home, 'sessions')
const project = join(home, 'shop "old"')
afterAll(() => rmSync(home, { recursive: true, force: true }))

let clock = Date.UTC(2026, 10, 16, 12)

/** A rollout as the program writes it: a first line with the vendor's long prompt behind what we look for. */
function keep(day: string, id: string, meta: Record<string, unknown>, folder = join(sessions, day)): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `rollout-${day.replaceAll('/', '-')}T12-00-00-${id}.jsonl`)
  const base_instructions = { text: 'You are "cwd":"/nowhere" '.repeat(2_000) }
  const payload = { session_id: id, id, timestamp: '2026-11-16T12:00:00Z', ...meta, base_instructions }
  const line = { timestamp: '2026-11-16T12:00:00.000Z', ordinal: 0, type: 'session_meta', payload }
  writeFileSync(
    path,
    `${JSON.stringify(line)}\n${JSON.stringify({ ...line, type: 'event_msg', payload: { type: 'task_started' } })}\n`,
  )
  clock += 1_000
  utimesSync(path, clock / 1_000, clock / 1_000)
  return path
}

let main: string
let helper: string
let nested: string
let late: string
let archived: string
beforeAll(() => {
  main = keep('2026/11/15', 'main', { cwd: project })
  keep('2026/11/15', 'other', { cwd: join(home, 'shop "old" 2') })
  helper = keep('2026/11/15', 'helper', {
    cwd: project,
    source: { subagent: { thread_spawn: { parent_thread_id: 'main' } } },
  })
  nested = keep('2026/11/15', 'nested', { cwd: join(project, 'src'), parent_thread_id: 'helper' })
  late = keep('2026/11/16', 'late', { cwd: project, parent_thread_id: 'main' })
  keep('2026/11/16', 'stranger', { cwd: project, parent_thread_id: 'nobody' })
  keep('2026/11/16', 'review', { cwd: home, source: { subagent: 'review' } })
  archived = keep('2026/11/14', 'archived', { cwd: project }, join(home, 'archived_sessions'))
  utimesSync(main, clock / 1_000 + 60, clock / 1_000 + 60)
})

const names = (files: readonly { path: string }[]) =>
  files.map(({ path }) => basename(path, '.jsonl').split('-').at(-1))

test('the sessions of a project, the newest first, those put away too', async () => {
  expect(names(await codexSessions.findOfProject(sessions, project))).toEqual([
    'main',
    'archived',
    'stranger',
    'late',
    'nested',
    'helper',
  ])
  expect(names(await codexSessions.find(sessions))).toHaveLength(8)
})

test('the one that is named, and none where nothing was ever kept', async () => {
  expect(names(await codexSessions.find(main))).toEqual(['main'])
  expect(await codexSessions.findOfProject(join(home, 'never'), project)).toEqual([])
  await expect(codexSessions.find(join(home, 'never'))).rejects.toMatchObject({ code: 'not_found' })
})

test('a person’s session is told from the part of a sub-agent', async () => {
  const whole = (await codexSessions.find(sessions)).filter((file) => codexSessions.isWhole(file))
  expect(names(whole).sort()).toEqual(['archived', 'main', 'other'])
})

test('the sub-agents of a thread, also theirs and those of a later day', async () => {
  expect(await subAgentRollouts(main)).toEqual([helper, nested, late])
  expect(await subAgentRollouts(helper)).toEqual([nested])
  expect(await subAgentRollouts(archived)).toEqual([])
  expect(await subAgentRollouts(join(home, 'gone.jsonl'))).toEqual([])
})

test('the thread that started a sub-agent, from whichever day', async () => {
  expect(await parentRollout(late, 'main')).toBe(main)
  expect(await parentRollout(late, 'never')).toBeUndefined()
  expect(await threadFile(dirname(archived), 'archived')).toBe(archived)
  expect(await threadFile(join(home, 'never'), 'main')).toBeUndefined()
})

test('a file that is no rollout hides no other', async () => {
  const folder = join(sessions, '2026/11/13')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries({
    empty: '',
    words: 'not JSON\n',
    number: '7\n',
    object: '{"cwd":"/x"}\n',
  }))
    writeFileSync(join(folder, `rollout-${name}.jsonl`), text)
  expect(names(await codexSessions.findOfProject(sessions, project))).toHaveLength(6)
  rmSync(folder, { recursive: true })
})
