import { describe, expect, it } from 'vitest'
import { changeText, readableChange } from '../../src/project-knowledge/gate.ts'
import { openKnowledge, STORAGES } from './setup.ts'

const request = { project: 'shop', gateType: 'review', approach: 'done', change: 'x'.repeat(1_000) }

describe.each(STORAGES)('lists of gates on %s', (_name, makeTarget) => {
  it('come page by page, of one project, without the changes themselves', async () => {
    const { knowledge, clock } = await openKnowledge(makeTarget)
    const { gates } = knowledge
    for (let taskId = 1; taskId <= 7; taskId++) {
      // Several in one millisecond: the place where a page ended still is one place.
      if (taskId % 3 === 0) clock.now += 1_000
      await gates.request({ ...request, taskId })
    }
    await gates.request({ ...request, project: 'bank', taskId: 1 })
    const pages: string[][] = []
    let after: string | undefined
    do {
      const page = await gates.list({ state: 'waiting', project: 'shop', limit: 3, after })
      pages.push(page.entries.map(({ taskId }) => taskId))
      expect(page.entries[0]).not.toHaveProperty('change')
      after = page.next
    } while (after !== undefined)
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1])
    expect(pages.flat().toSorted()).toEqual(['1', '2', '3', '4', '5', '6', '7'])
    expect(await gates.countWaiting({ project: 'shop' })).toBe(7)
    expect(await gates.countWaiting()).toBe(8)
  })

  it('show what was decided, the latest first', async () => {
    const { knowledge, clock } = await openKnowledge(makeTarget)
    const { gates } = knowledge
    const ids: string[] = []
    for (const taskId of [1, 2, 3]) ids.push((await gates.request({ ...request, taskId })).id)
    for (const id of [ids[1]!, ids[0]!]) {
      clock.now += 1_000
      await gates.reject(id, { feedback: 'again' })
    }
    const first = await gates.list({ state: 'decided', project: 'shop', limit: 1 })
    expect(first.entries).toMatchObject([{ id: ids[0], state: 'rejected', feedback: 'again' }])
    const second = await gates.list({ state: 'decided', project: 'shop', limit: 1, after: first.next })
    expect(second).toMatchObject({ entries: [{ id: ids[1] }], next: undefined })
    expect((await gates.list({ state: 'waiting', project: 'shop' })).entries).toMatchObject([{ id: ids[2] }])
  })

  it('keep projects apart also by id, and refuse a place that is none', async () => {
    const { knowledge } = await openKnowledge(makeTarget)
    const { id } = await knowledge.gates.request({ ...request, taskId: 1, project: 'bank' })
    expect(await knowledge.gates.show(id, { project: 'bank' })).toMatchObject({ id })
    await expect(knowledge.gates.show(id, { project: 'shop' })).rejects.toMatchObject({ code: 'not_found' })
    for (const after of ['', 'x', '1', '/y', `${'9'.repeat(40)}/z`]) {
      await expect(knowledge.gates.list({ state: 'waiting', after })).rejects.toMatchObject({
        code: 'invalid_input',
      })
    }
  })
})

describe('the change at a gate', () => {
  const part = (path: string) =>
    `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-x\n+y\n`
  const change = ['src/a.ts', '.ralph/db/tasks.yaml', '.ralph/rag_config.json', 'b.ts'].map(part).join('')

  it('is shown without our own files, and says which those are', () => {
    const { files, leftOut } = readableChange(change)
    expect(files.map(({ path }) => path)).toEqual(['src/a.ts', '.ralph/rag_config.json', 'b.ts'])
    expect(leftOut).toEqual(['.ralph/db/tasks.yaml'])
    expect(readableChange(change, { whole: true })).toMatchObject({ files: { length: 4 }, leftOut: [] })
    expect(changeText(change)).toEqual({
      text: part('src/a.ts') + part('b.ts'),
      leftOut: ['.ralph/db/tasks.yaml', '.ralph/rag_config.json'],
      toJudge: ['.ralph/rag_config.json'],
    })
    expect(changeText(change, { whole: true }).text).toBe(change)
  })

  it('hides no program, wherever that lies', () => {
    const change = ['.ralph/db/evil.ts', 'src/.ralph/cache/run.sh', '.ralph/db/tasks.yaml.js']
      .map(part)
      .join('')
    expect(readableChange(change)).toMatchObject({ files: { length: 3 }, leftOut: [] })
    expect(changeText(change).toJudge).toHaveLength(3)
    const away = 'diff --git a/auth.ts b/.ralph/db/x.yaml\nrename from auth.ts\nrename to .ralph/db/x.yaml\n'
    expect(readableChange(away)).toMatchObject({ files: [{ formerly: 'auth.ts' }], leftOut: [] })
  })

  it('that is no diff is shown as it is', () => {
    expect(readableChange('by hand: moved the button')).toEqual({
      introduction: 'by hand: moved the button',
      files: [],
      leftOut: [],
    })
  })
})
