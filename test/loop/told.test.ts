import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AgentLoop } from '../../src/loop/agent-loop.ts'
import { RunFiles } from '../../src/loop/run-file.ts'
import { marked } from '../../src/loop/told.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { makeWorld, type World } from './world.ts'

const SECRET = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'

describe('what a run was told', () => {
  let world: World
  beforeEach(async () => {
    world = await makeWorld()
  })
  afterEach(() => world.close())

  const logs = () => readdirSync(join(world.project, '.ralph/cache/loop/logs'))

  it('is its prompt, masked, with each memory where it stands', async () => {
    await world.tasks('pending')
    await world.put(
      '.ralph/db/features.yaml',
      `features:\n  - name: auth\n    description: Log in with ${SECRET} only.\n`,
    )
    await world.parts.learnings.append('auth', {
      text: 'Totals are kept in cents',
      reason: 'read in cart.ts',
      source: 'human',
    })
    await world.agent(`write('src/cart.ts', '1'); end('Looked at the totals, nothing is done yet.')`)
    await world.loop({ maxIterations: 2 })
    const [first, second] = await world.records()
    const loop = new AgentLoop(world.parts)
    const [telling, ...more] = await loop.told(second!)
    expect(more).toEqual([])
    expect(telling).toMatchObject({ surface: 'loop', event: 'prompt' })
    const whole = telling!.text!.map(({ text }) => text).join('')
    expect(whole).toContain('## Your task: 1')
    expect(whole).not.toContain(SECRET)
    const said = telling!.text!.filter(({ item }) => item !== undefined)
    const told = said.map(({ text, item }) => [telling!.items[item!]!.source, text])
    expect(told).toContainEqual([
      `iteration ${first!.iterationNumber}`,
      expect.stringContaining('Looked at the totals'),
    ])
    expect(told).toContainEqual([
      expect.stringMatching(/^learning /),
      expect.stringContaining('Totals are kept in cents'),
    ])
    expect(telling!.items.every(({ marked: found, used }) => found && typeof used === 'boolean')).toBe(true)
    if (process.platform !== 'win32')
      expect(statSync(join(world.project, '.ralph/cache/loop/logs', logs().at(-1)!)).mode & 0o077).toBe(0)
  })

  it('is still the receipt when the prompt is gone, and nothing when both are', async () => {
    await world.tasks('pending')
    await world.agent(`end('Nothing done.')`)
    await world.loop({ maxIterations: 1 })
    const [record] = await world.records()
    const runs = new RunFiles(join(world.project, '.ralph/cache/loop'))
    expect(await runs.promptOf(record!.timestamp)).toContain('## Your task: 1')
    await runs.forget(() => true)
    expect(logs()).toEqual([])
    const loop = new AgentLoop(world.parts)
    expect(await loop.told(record!)).toMatchObject([{ event: 'prompt' }])
    expect((await loop.told(record!))[0]).not.toHaveProperty('text')
    expect(await loop.told({ ...record!, timestamp: '2020-01-01T00:00:00Z' })).toEqual([])
  })

  it('tells what hooks and tools said in the same session, up to its end', async () => {
    const session = { run: 'session-1', feature: 'auth', surface: 'hook', event: 'SessionStart' } as const
    const item = { kind: 'iteration', source: 'iteration 7', why: 'words', text: 'It failed with E42.' }
    const text = `Before this: ${item.text} Look out.`
    const { timestamp } = world.parts.receipts.append({ ...session, text, items: [item] })
    const record = (await world.parts.featureMemory.recordIteration({
      ...{ feature: 'auth', taskId: 0, taskTitle: 'Session', kind: 'session', sessionId: 'session-1' },
      ...{ timestamp, endedAt: timestamp, outcome: 'success', summary: 'Done.' },
    }))!
    world.parts.receipts.append({ ...session, event: 'other', run: 'session-2', items: [item] })
    const loop = new AgentLoop(world.parts)
    expect(await loop.told(record)).toMatchObject([
      {
        event: 'SessionStart',
        text: [{ text: 'Before this: ' }, { text: item.text, item: 0 }, { text: ' Look out.' }],
      },
    ])
    expect(await loop.told({ ...record, endedAt: '2020-01-01T00:00:00Z' })).toEqual([])
  })
})

describe('prompts that are kept', () => {
  it('are fewer than two hundred, the oldest gone first', async () => {
    const folder = await temporaryFolder()
    const runs = new RunFiles(folder)
    await runs.prepare()
    const { writeFile } = await import('node:fs/promises')
    for (let number = 100; number < 303; number++)
      await writeFile(join(folder, 'logs', `20260101T000000${number}-a.prompt.md`), 'x')
    await runs.dropOldLogs()
    const left = readdirSync(join(folder, 'logs')).sort()
    expect([left.length, left[0]]).toEqual([200, '20260101T000000103-a.prompt.md'])
  })

  it('are cut where one is beyond all measure', async () => {
    const folder = await temporaryFolder()
    const runs = new RunFiles(folder)
    await runs.prepare()
    const { writeFile } = await import('node:fs/promises')
    await writeFile(runs.file('20260101T000000100-a', '.prompt.md'), 'word '.repeat(300_000))
    await runs.done('20260101T000000100-a')
    const kept = readFileSync(join(folder, 'logs', '20260101T000000100-a.prompt.md'), 'utf8')
    expect(kept).toHaveLength(1_000_000)
  })
})

describe('marked', () => {
  const item = (text: string, kind = 'learning') => ({ kind, source: text, why: '', text })
  const shown = (text: string, ...texts: string[]) =>
    marked(
      text,
      texts.map((one) => item(one)),
    ).map(({ text: part, item: at }) => (at === undefined ? part : `[${at}:${part}]`))

  it('cuts the text, in its own order', () => {
    expect(shown('a b c', 'c', 'a')).toEqual(['[1:a]', ' b ', '[0:c]'])
    expect(shown('nothing', 'else')).toEqual(['nothing'])
    expect(shown('', 'a')).toEqual([])
  })

  it('marks one of two that overlap', () => {
    expect(shown('abc', 'ab', 'bc')).toEqual(['[0:ab]', 'c'])
  })

  it('finds what stands there as a quotation, and a file by its name', () => {
    expect(marked('so:\n> one\n> two', [item('one\ntwo')])).toHaveLength(2)
    const file = { kind: 'file', source: 'docs/a.md', why: 'listed' }
    expect(marked('- docs/a.md (listed)', [file])[1]).toEqual({ text: 'docs/a.md', item: 0 })
  })
})
