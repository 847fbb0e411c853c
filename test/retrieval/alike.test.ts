import { expect, it } from 'vitest'
import { withoutAlike } from '../../src/retrieval/alike.ts'

const alike = (...texts: string[]) => withoutAlike(texts, (text) => text).map(([, count]) => count)
const LONG =
  'in the settings of the staging cluster so that the nightly import of all customer orders runs through'

it('takes what is said again, with other numbers, for one', () => {
  expect(
    alike(`Attempt 1: the cache was enabled ${LONG}`, `Attempt 2: the cache was enabled ${LONG}`),
  ).toEqual([1])
})

it.each([
  [`The cache was enabled ${LONG}`, `The cache was disabled ${LONG}`],
  [`The cache must be cleared ${LONG}`, `The cache must not be cleared ${LONG}`],
  [`Run the migration before the import ${LONG}`, `Run the migration after the import ${LONG}`],
])('keeps both sides: %s | %s', (one, other) => {
  expect(alike(one, other)).toEqual([0, 0])
  expect(alike(one, other, `${one} today`, `${other} today`)).toEqual([1, 1])
})

it('does not let a flood pass by denying something else each time', () => {
  const words = `the cache was enabled ${LONG} while the proxy was running and the queue was empty`.split(' ')
  const flood = words.map((_, at) => words.toSpliced(at, 0, 'not').join(' '))
  expect(alike(words.join(' '), ...flood)).toHaveLength(2)
})
