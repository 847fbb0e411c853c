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

const ASKED = 'Remove all log files from the current directory tree and from those that are mounted below it:'

it.each([
  ['other flags', "find . -name '*.log' -print0 | xargs -0 rm", "find . -name '*.log' | xargs rm"],
  ['the value of a flag', 'find . -name x -mtime +30 -delete', 'find . -name x -mtime -7 -delete'],
  ['another path', 'find /var/log -name x -delete', 'find /srv/log -name x -delete'],
])('keeps another way to do the same: %s', (_, one, other) => {
  expect(alike(`${ASKED} ${one}`, `${ASKED} ${other}`)).toEqual([0, 0])
})

it('takes attempts in numbered places for one, and no more than three ways', () => {
  expect(alike(`${ASKED} it failed in /tmp/run-1/log`, `${ASKED} it failed in /tmp/run-22/log`)).toEqual([1])
  const flood = Array.from({ length: 20 }, (_, number) => `${ASKED} find . -name x -maxdepth -${number}`)
  expect(alike(...flood)).toEqual([17, 0, 0])
})
