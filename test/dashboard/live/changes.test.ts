import { expect, it, onTestFinished, vi } from 'vitest'
import { type Change, Changes } from '../../../src/dashboard/live/changes.ts'
import type { Part } from '../../../src/dashboard/live/part.ts'

it('tells what has become different, new or gone, and no more', async () => {
  const { marks, changes, listen } = world({ board: '1', gates: '1' })
  const { heard } = listen(await changes.position())
  marks.set('board', '2').set('journal:a', '1')
  await vi.waitFor(() => expect(partsOf(heard)).toEqual(['board', 'journal:a']))
  marks.delete('journal:a')
  await vi.waitFor(() => expect(partsOf(heard)).toEqual(['board', 'journal:a', 'journal:a']))
})

it('tells whoever comes back what has changed meanwhile', async () => {
  const { marks, changes, listen } = world({ board: '1', gates: '1', workers: '1' })
  const first = listen(await changes.position())
  marks.set('board', '2')
  await vi.waitFor(() => expect(partsOf(first.heard)).toEqual(['board']))
  first.leave()
  await first.left
  marks.set('gates', '2')
  const second = listen(first.heard.at(-1)!.position)
  await vi.waitFor(() => expect(partsOf(second.heard)).toEqual(['gates']))
  const third = listen(first.heard[0]!.position)
  await vi.waitFor(() => expect(third.heard[0]!.parts).toEqual(['board', 'gates']))
})

it('tells whoever comes from another process that anything may have changed', async () => {
  const { changes, listen } = world({ board: '1' })
  for (const unknown of ['0123456789ab-3', 'nonsense', '-']) {
    const { heard } = listen(unknown)
    const position = await changes.position()
    await vi.waitFor(() => expect(heard).toEqual([{ position }]))
  }
})

it('looks at nothing while nobody listens', async () => {
  const { looks, changes, listen } = world({ board: '1' })
  const [first, second] = [listen(await changes.position()), listen(await changes.position())]
  await vi.waitFor(() => expect(looks()).toBeGreaterThan(5))
  first.leave()
  await first.left
  const before = looks()
  await vi.waitFor(() => expect(looks()).toBeGreaterThan(before + 5))
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  second.leave()
  await second.left
  // A last look may be under way; it starts no further one.
  await changes.position()
  expect(vi.getTimerCount()).toBe(0)
})

it('tells many changes together', async () => {
  const { marks, changes, listen } = world({ board: '0' }, { restMs: 100 })
  const { heard } = listen(await changes.position())
  let written = 0
  const writing = setInterval(() => marks.set('board', String(++written)), 1)
  onTestFinished(() => clearInterval(writing))
  await vi.waitFor(() => expect(heard.length).toBeGreaterThan(3))
  expect(written).toBeGreaterThan(heard.length * 3)
})

it('waits for no source that hangs, and tells what it shows in the end', async () => {
  const answer = Promise.withResolvers<Map<Part, string>>()
  const { changes, listen } = world({}, { look: () => answer.promise })
  const { heard } = listen(await changes.position())
  answer.resolve(new Map([['gates', 'unavailable']]))
  await vi.waitFor(() => expect(partsOf(heard)).toEqual(['gates']))
})

it('ends for all when it is closed', async () => {
  const { changes, listen } = world({ board: '1' })
  const listeners = [listen(await changes.position()), listen(await changes.position())]
  changes.close()
  await Promise.all(listeners.map(({ left }) => left))
})

interface WorldOptions {
  restMs?: number
  look?: () => Promise<Map<Part, string>>
}

function world(first: Partial<Record<Part, string>>, options: WorldOptions = {}) {
  const marks = new Map(Object.entries(first)) as Map<Part, string>
  let looks = 0
  const shown = async () => {
    looks++
    return new Map(marks)
  }
  const { restMs = 1, look = shown } = options
  const changes = new Changes({ restMs, sources: [{ look, folders: [], everyMs: 1, restMs: 1 }] })
  onTestFinished(() => changes.close())
  const listen = (position: string) => {
    const leaving = new AbortController()
    const heard: Change[] = []
    const listening = async () => {
      for await (const change of changes.after(position, leaving.signal)) heard.push(change)
    }
    return { heard, left: listening(), leave: () => leaving.abort() }
  }
  return { marks, changes, listen, looks: () => looks }
}

function partsOf(heard: readonly Change[]): Part[] {
  return heard.flatMap(({ parts }) => parts ?? [])
}
