import { describe, expect, it } from 'vitest'
import { promoted } from '../../src/project-knowledge/promotion.ts'
import { nextState } from '../../src/project-knowledge/retention.ts'

const task = { project: '/home/ann/shop', feature: 'login', taskId: 7, title: 'Keep people signed in' }
const error = {
  id: 'e1',
  message: 'expected the session cookie to be set',
  solvedBy: {
    iteration: 3,
    summary: 'The cookie survives the redirect now.',
    decisions: ['sameSite is lax'],
    files: ['src/session.ts'],
  },
}

describe('what a solved error has taught', () => {
  it('is the error, and what the run that solved it said, decided and changed', () => {
    expect(promoted({ ...task, technology: 'react' }, error).entry).toEqual({
      kind: 'failure_solution',
      project: '/home/ann/shop',
      agentType: undefined,
      taskType: undefined,
      technology: 'react',
      failureDescription: 'Keep people signed in',
      taskDescription: undefined,
      errorMessage: 'expected the session cookie to be set',
      solutionSteps: ['The cookie survives the redirect now.', 'sameSite is lax', 'Changed: src/session.ts'],
      successVerified: true,
    })
  })

  it('has the same id every time, and another one for another error or a later solution', () => {
    const id = (other: object, iteration = 3) =>
      promoted(task, { ...error, ...other, solvedBy: { ...error.solvedBy, iteration } }).options.id
    expect(id({})).toBe(id({ message: 'told in other words' }))
    expect(id({ id: 'e2' })).not.toBe(id({}))
    expect(id({}, 9)).not.toBe(id({}))
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
