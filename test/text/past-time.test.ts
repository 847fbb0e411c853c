import { expect, it } from 'vitest'
import { pastTime } from '../../src/text/past-time.ts'

const NOW = new Date('2026-03-15T12:00:00Z')

it.each([
  ['2 weeks', '2026-03-01T12:00:00.000Z'],
  ['3d', '2026-03-12T12:00:00.000Z'],
  ['36h', '2026-03-14T00:00:00.000Z'],
  ['last week', '2026-03-08T12:00:00.000Z'],
  ['past 10 days', '2026-03-05T12:00:00.000Z'],
  ['a month ago', '2026-02-13T12:00:00.000Z'],
  ['2026-02-07', '2026-02-07T00:00:00.000Z'],
  ['2026-02-07T14:30:00Z', '2026-02-07T14:30:00.000Z'],
])('%j is a time', (text, time) => expect(pastTime(text, NOW)?.toISOString()).toBe(time))

it('knows days by their names', () => {
  const midnight = new Date(NOW)
  midnight.setHours(0, 0, 0, 0)
  expect(pastTime('today', NOW)).toEqual(midnight)
  expect(pastTime('Yesterday', NOW)!.getTime()).toBeLessThan(midnight.getTime())
})

it.each(['2', 'soon', '', '2026-99-99', 'weeks of work', '3 bananas'])('%j is none', (text) => {
  expect(pastTime(text, NOW)).toBeUndefined()
})
