import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { WorkView } from '../../src/cli/work-view.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const work = { key: 'index', what: 'building the index (the embedding model changed)', total: 1_200 }

function view(isTerminal: boolean) {
  const lines = { moving: [] as string[], said: [] as string[] }
  const out = {
    progress: (line: string) => void lines.moving.push(line),
    talk: (line: string) => void lines.said.push(line),
  }
  return { lines, show: new WorkView(out, isTerminal).show }
}

it('moves a line on a terminal, and takes it away at the end', () => {
  const { lines, show } = view(true)
  show({ ...work, done: 16 })
  show({ ...work, done: 32, ended: true })
  expect(lines).toEqual({ moving: [`${work.what}: 16 of 1200`, ''], said: [] })
})

it('says elsewhere that it began and that it ended, if it lasts', () => {
  const { lines, show } = view(false)
  show({ ...work, done: 0 })
  show({ ...work, done: 16 })
  expect(lines.said).toEqual([])
  vi.advanceTimersByTime(2_000)
  show({ ...work, done: 32 })
  vi.advanceTimersByTime(60_000)
  show({ ...work, done: 1_200, ended: true })
  expect(lines.said).toEqual([`${work.what}: 0 of 1200 …`, `${work.what}: 1200 of 1200, after 62 s`])
  expect(lines.moving).toEqual([])
})

it('keeps quiet about what is soon over', () => {
  const { lines, show } = view(false)
  show({ ...work, done: 0 })
  show({ ...work, done: 16, ended: true })
  vi.advanceTimersByTime(10_000)
  expect(lines.said).toEqual([])
})
