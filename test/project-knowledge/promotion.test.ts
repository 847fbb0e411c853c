import { describe, expect, it } from 'vitest'
import { solutionFrom } from '../../src/project-knowledge/promotion.ts'
import { nextState } from '../../src/project-knowledge/retention.ts'

const iteration = (iterationNumber: number, outcome: string, errors: string[] = []) => ({
  iterationNumber,
  outcome,
  summary: `summary ${iterationNumber}`,
  errors: errors.map((message) => ({ message })),
  decisions: [{ description: `decision ${iterationNumber}`, rationale: 'it is simpler' }],
})
const task = { project: '/home/ann/shop', feature: 'login', taskId: 7, title: 'Keep people signed in' }

describe('what a finished task has taught', () => {
  it('is its errors, and what the iteration that succeeded did', () => {
    const iterations = [
      iteration(3, 'success'),
      iteration(1, 'failure', ['E1']),
      iteration(2, 'timeout', ['E2', 'E1']),
    ]
    expect(solutionFrom({ ...task, technology: 'react', iterations })?.entry).toEqual({
      kind: 'failure_solution',
      project: '/home/ann/shop',
      agentType: undefined,
      taskType: undefined,
      technology: 'react',
      failureDescription: 'Keep people signed in',
      errorMessage: 'E1\nE2',
      solutionSteps: ['summary 3', 'decision 3 (it is simpler)'],
      successVerified: true,
    })
  })

  it('has the same id every time, and another one after the next success', () => {
    const failed = iteration(1, 'failure', ['E1'])
    const id = (last: number) =>
      solutionFrom({ ...task, iterations: [failed, iteration(last, 'success')] })?.options.id
    expect(id(2)).toBe(id(2))
    expect(id(2)).not.toBe(id(3))
  })

  it.each([
    ['it succeeded at once', [iteration(1, 'success')]],
    ['it is not done', [iteration(1, 'failure', ['E1'])]],
    ['nothing that failed has a name', [iteration(1, 'failure'), iteration(2, 'success')]],
    ['the failure came later', [iteration(1, 'success'), iteration(2, 'failure', ['E1'])]],
  ])('is nothing when %s', (_why, iterations) => {
    expect(solutionFrom({ ...task, iterations })).toBeUndefined()
  })
})

describe('when to prune by oneself', () => {
  const DAY = 86_400_000
  const day = (number: number) => number * DAY
  const state = (prunedAt: number, seenAt = prunedAt, notBefore = 0) => ({ prunedAt, seenAt, notBefore })

  it('the first time, and then once a day', () => {
    expect(nextState(undefined, day(100))).toEqual(state(day(100)))
    expect(nextState(state(day(100)), day(100) + 1)).toBeUndefined()
    expect(nextState(state(day(100)), day(101))).toEqual(state(day(101)))
  })

  it('after a month without a look, or a step back, not before a quiet day has passed', () => {
    const leapt = nextState(state(day(100)), day(500))
    expect(leapt).toEqual(state(day(100), day(500), day(501)))
    expect(nextState(leapt, day(500) + 1)).toBeUndefined()
    expect(nextState(leapt, day(501))).toEqual(state(day(501)))
    const back = nextState(leapt, day(101))
    expect(back).toEqual(state(day(100), day(101), day(102)))
    expect(nextState(back, day(102))).toEqual(state(day(102)))
  })
})
