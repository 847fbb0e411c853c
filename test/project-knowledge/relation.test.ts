import { describe, expect, it } from 'vitest'
import type { Knowledge } from '../../src/project-knowledge/entry.ts'
import { readKnowledge, relationOf } from '../../src/project-knowledge/relation.ts'

const solved = (solutionSteps: string) =>
  readKnowledge({
    kind: 'failure_solution',
    errorMessage: 'ECONNREFUSED: the connection to the queue of the import worker was refused',
    failureDescription: 'The import fails.',
    solutionSteps,
  } as Knowledge)
const relation = (one: string, other: string) => relationOf(solved(one), solved(other))
const REST =
  'the import worker in the compose file before the queue of the staging cluster is started again by the script'

describe('two solutions of one problem in nearly the same words', () => {
  it('are the same where a word of many differs', () => {
    expect(relation(`Restart ${REST}`, `Restart ${REST} here`)).toBe('same')
  })

  it.each([
    [`Always restart ${REST}`, `You must not restart ${REST}`, 'opposite'],
    [`You must restart ${REST}`, `You may restart ${REST}`, 'alternative'],
    [`Never restart ${REST}`, `Rarely restart ${REST}`, 'alternative'],
    [`It was enough to restart ${REST}`, `It will be enough to restart ${REST}`, 'alternative'],
  ])('are not where they say it in another manner: %s | %s', (one, other, expected) => {
    expect(relation(one, other)).toBe(expected)
    expect(relation(other, one)).toBe(expected)
  })
})
