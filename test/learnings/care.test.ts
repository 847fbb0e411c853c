import { describe, expect, it } from 'vitest'
import { mergeLearnings, removeLearning, resolveConflict, reviewLearning } from '../../src/learnings/care.ts'
import { type FeatureLearning, learningId } from '../../src/learnings/learning.ts'
import { learning } from './support.ts'

const auto = learning({ source: 'auto' })
const agent = learning({ source: 'agent' })
const reviewedByOpus = learning({ source: 'opus_reviewed', reviewed: true })
const human = learning({ source: 'human' })
const list = [auto, agent, reviewedByOpus, human]
const id = (each: FeatureLearning) => learningId(each)

describe('removeLearning', () => {
  it.each([
    ['person', [true, true, true, true]],
    ['reviewer', [true, true, true, false]],
    ['agent', [true, true, false, false]],
  ] as const)('%s', (by, allowed) => {
    const outcomes = list.map((each) => removeLearning(list, id(each), by).outcome)
    expect(outcomes).toEqual(allowed.map((may) => (may ? 'removed' : 'refused')))
  })

  it('removes that one only, and takes back the flag from what it contradicted', () => {
    const other = learning({ conflictsWith: [id(auto), 'ffffffff'] })
    const only = learning({ conflictsWith: [id(auto)] })
    const { learnings } = removeLearning([auto, other, only, human], id(auto), 'person')
    const { conflictsWith: _, ...calm } = only
    expect(learnings).toEqual([{ ...other, conflictsWith: ['ffffffff'] }, calm, human])
  })

  it('takes a shortened id when it is clear, and says so when there is none', () => {
    expect(removeLearning(list, id(auto).slice(0, 5), 'person').outcome).toBe('removed')
    expect(removeLearning(list, id(auto).slice(0, 2), 'person').outcome).toBe('not_found')
    expect(removeLearning(list, 'zzzzzzzz', 'person')).toMatchObject({
      outcome: 'not_found',
      learnings: list,
      why: 'no learning zzzzzzzz',
    })
  })

  it('says why it refuses', () => {
    expect(removeLearning(list, id(human), 'agent').why).toBe('a person wrote it: not for an agent')
    expect(removeLearning(list, id(reviewedByOpus), 'agent').why).toBe(
      'it has been reviewed: not for an agent',
    )
  })
})

describe('reviewLearning', () => {
  it('marks it; a reviewer’s review shows in the source, except for what a person wrote', () => {
    expect(reviewLearning(list, id(auto), { by: 'reviewer' }).learning).toEqual({
      ...auto,
      reviewed: true,
      source: 'opus_reviewed',
    })
    expect(reviewLearning(list, id(human), { by: 'reviewer' }).learning).toEqual({ ...human, reviewed: true })
    expect(reviewLearning(list, id(auto), { by: 'person' }).learning).toEqual({ ...auto, reviewed: true })
  })

  it('is nothing an agent can do for itself', () => {
    expect(reviewLearning(list, id(agent), { by: 'agent' })).toMatchObject({
      outcome: 'refused',
      learnings: list,
    })
  })

  it('keeps the id', () => {
    const { learning: reviewed } = reviewLearning(list, id(auto), { by: 'reviewer' })
    expect(id(reviewed!)).toBe(id(auto))
  })
})

describe('mergeLearnings', () => {
  const first = learning({
    text: 'Run migrations first',
    iteration: 3,
    lastSeen: 8,
    hitCount: 2,
    taskId: 1,
    files: [{ path: 'a.ts', hash: 'a123456789abcdef' }],
  })
  const second = learning({
    text: 'Migrations come before tests',
    iteration: 2,
    source: 'agent',
    hitCount: 3,
    taskId: 1,
  })

  it('makes one of several, with all that was known of them', () => {
    const {
      outcome,
      learnings,
      learning: merged,
    } = mergeLearnings([first, human, second], [id(first), id(second)], {
      by: 'reviewer',
      text: 'Run migrations before tests',
    })
    expect(outcome).toBe('merged')
    expect(learnings).toEqual([human, merged])
    expect(merged).toMatchObject({
      text: 'Run migrations before tests',
      source: 'opus_reviewed',
      iteration: 2,
      lastSeen: 8,
      hitCount: 5,
      taskId: 1,
      reviewed: true,
      files: first.files,
    })
  })

  it('of two scopes makes one for the feature', () => {
    const wide = learning({ text: 'Migrations first' })
    expect(
      mergeLearnings([first, wide], [id(first), id(wide)], { by: 'person' }).learning,
    ).not.toHaveProperty('taskId')
  })

  it('does not drop a person’s words', () => {
    expect(
      mergeLearnings([first, human], [id(first), id(human)], { by: 'reviewer', text: 'other words' }).outcome,
    ).toBe('refused')
    expect(
      mergeLearnings([first, human], [id(first), id(human)], { by: 'reviewer', text: human.text }),
    ).toMatchObject({ outcome: 'merged', learning: { source: 'human' } })
    expect(
      mergeLearnings([first, human], [id(first), id(human)], { by: 'person', text: 'other words' }).outcome,
    ).toBe('merged')
  })

  it('wants two that exist, words that mean something, and no twin', () => {
    expect(mergeLearnings(list, [id(auto)], { by: 'person' }).outcome).toBe('refused')
    expect(mergeLearnings(list, [id(auto), 'zzzzzzzz'], { by: 'person' }).outcome).toBe('not_found')
    expect(mergeLearnings(list, [id(auto), id(agent)], { by: 'person', text: '\u200b' }).outcome).toBe(
      'refused',
    )
    expect(mergeLearnings(list, [id(auto), id(agent)], { by: 'person', text: human.text }).outcome).toBe(
      'refused',
    )
  })
})

describe('resolveConflict', () => {
  const left = learning({ text: 'Use fetch' })
  const right = learning({ text: 'Avoid fetch' })
  const disputed = [{ ...left, conflictsWith: [id(right)] }, { ...right, conflictsWith: [id(left)] }, human]

  it('keeps the one a person chose, as reviewed', () => {
    const { outcome, learnings } = resolveConflict(disputed, id(left), 'keep_this', { by: 'person' })
    expect(outcome).toBe('resolved')
    expect(learnings).toEqual([{ ...left, reviewed: true }, human])
  })

  it('lets both stand', () => {
    expect(resolveConflict(disputed, id(left), 'keep_both', { by: 'person' }).learnings).toEqual([
      left,
      right,
      human,
    ])
  })

  it('is for a person', () => {
    expect(resolveConflict(disputed, id(left), 'keep_this', { by: 'reviewer' }).outcome).toBe('refused')
  })
})
