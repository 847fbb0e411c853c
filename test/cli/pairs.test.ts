import { expect, it } from 'vitest'
import { pairs } from '../../src/cli/pairs.ts'

const STEPS = [
  ['git status', 'what has changed since the last commit'],
  ['git add one.json two.json three.json', 'so that others have it too'],
] as const

it('puts meanings beside names, and below a name that leaves no room', () => {
  expect(pairs(STEPS, 44)).toBe(
    [
      '  git status  what has changed since the',
      '              last commit',
      '  git add one.json two.json three.json',
      '      so that others have it too',
    ].join('\n'),
  )
})

it('keeps each on one line where no width is known', () => {
  expect(pairs(STEPS).split('\n')).toEqual([
    '  git status                            what has changed since the last commit',
    '  git add one.json two.json three.json  so that others have it too',
  ])
})
