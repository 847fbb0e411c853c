import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Collector } from '../../../src/transcripts/collector.ts'
import { piSessions } from '../../../src/transcripts/pi/session-files.ts'
import { exchangesOf } from '../told-exchanges.ts'

const home = mkdtempSync(join(tmpdir(), 'ralph-pi-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

type Line = Record<string, unknown>
const header = (cwd = '/home/user/project'): Line => ({
  type: 'session',
  version: 3,
  id: 's-1',
  timestamp: '2026-11-16T17:00:00.000Z',
  cwd,
})
const entry = (id: string, parentId: string | null, message: Line): Line => ({
  type: 'message',
  id,
  parentId,
  timestamp: '2026-11-16T17:00:00.000Z',
  message: { timestamp: 1, ...message },
})
const asks = (text: string) => ({ role: 'user', content: text })
const says = (text: string, more: Line = {}) => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  stopReason: 'stop',
  ...more,
})

function kept(name: string, lines: readonly Line[]): string {
  const path = join(home, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return path
}

function read(lines: readonly Line[]) {
  const collector = new Collector()
  for (const line of lines) collector.pushObject(line)
  return collector.finish()
}

describe('a session is a tree', () => {
  const tree = [
    header(),
    entry('a', null, asks('Add a discount.')),
    entry('b', 'a', says('Added in percent.')),
    entry('c', 'a', asks('Add a discount in cents.')),
    {
      type: 'branch_summary',
      id: 'd',
      parentId: 'c',
      timestamp: '2026-11-16T17:00:00.000Z',
      fromId: 'b',
      summary: 'In percent.',
    },
    entry('e', 'd', says('Added in cents.')),
    {
      type: 'session_info',
      id: 'f',
      parentId: 'e',
      timestamp: '2026-11-16T17:00:00.000Z',
      name: 'Discounts',
    },
  ]

  test('the conversation is what leads to the last line', async () => {
    const exchanges = await exchangesOf(kept('tree.jsonl', tree))
    expect(exchanges.map(({ prompt, answer }) => [prompt, answer])).toEqual([
      ['Add a discount.', ''],
      ['Add a discount in cents.', 'Added in cents.'],
    ])
  })

  test('the run counts what was done in every branch', () => {
    expect(read(tree).texts.map(({ text }) => text)).toEqual(['Added in percent.', 'Added in cents.'])
  })

  test('parents that lead in a circle, or to nobody, are survived', async () => {
    const circle = [
      header(),
      entry('a', 'b', asks('One?')),
      entry('b', 'a', says('Two.')),
      entry('c', 'gone', asks('Three?')),
    ]
    expect((await exchangesOf(kept('circle.jsonl', circle))).map(({ prompt }) => prompt)).toEqual(['Three?'])
  })

  test('a file of the first version has no tree', async () => {
    const plain = [
      header(),
      { type: 'message', timestamp: '2026-11-16T17:00:00.000Z', message: asks('Hello?') },
      { type: 'message', timestamp: '2026-11-16T17:00:01.000Z', message: says('Hello.') },
    ]
    expect(await exchangesOf(kept('first.jsonl', plain))).toMatchObject([
      { prompt: 'Hello?', answer: 'Hello.' },
    ])
  })
})

describe('how a run ends', () => {
  test.each([
    ['stop', 'completed'],
    ['length', 'failed'],
    ['aborted', 'interrupted'],
    ['error', 'service_failed'],
    ['toolUse', 'completed'],
  ])('%s: %s', (stopReason, ending) => {
    const message = says('Words.', { stopReason, errorMessage: '503 busy' })
    const run = read([header(), { type: 'message_end', message }, { type: 'agent_end', messages: [message] }])
    expect(run.ending).toBe(ending)
  })

  test('a service that answered at last did not fail', () => {
    const busy = says('', { content: [], stopReason: 'error', errorMessage: '529 overloaded' })
    const run = read([
      header(),
      entry('a', null, asks('Hi')),
      entry('b', 'a', busy),
      entry('c', 'b', says('Hello.')),
    ])
    expect(run).toMatchObject({ ending: 'completed', service: undefined, rateLimit: { retries: 1 } })
  })
})

describe('where sessions lie', () => {
  const place = join(home, 'sessions')
  const project = join(home, 'my shop.v2')
  const slug = (path: string) => `--${path.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`
  mkdirSync(project, { recursive: true })
  const own = kept(`sessions/${slug(project)}/1_a.jsonl`, [header(project)])
  const below = kept(`sessions/${slug(join(project, 'src'))}/2_b.jsonl`, [header(join(project, 'src'))])
  kept(`sessions/${slug(`${project}-old`)}/3_c.jsonl`, [header(`${project}-old`)])
  const loose = kept('sessions/4_d.jsonl', [header(project)])

  test('those of a project are in folders named after it, or all in one', async () => {
    const found = await piSessions.findOfProject(place, project)
    expect(found.map(({ path }) => path).sort()).toEqual([own, below, loose].sort())
    expect(await piSessions.find(place)).toHaveLength(4)
    expect(await piSessions.findOfProject(join(home, 'never'), project)).toEqual([])
  })
})
