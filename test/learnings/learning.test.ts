import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { isRalphError } from '../../src/errors.ts'
import { learningId, learningToDisk, parseLearning } from '../../src/learnings/learning.ts'
import { learning } from './support.ts'

describe('parseLearning', () => {
  it('reads a plain line as a person’s, with defaults', () => {
    expect(parseLearning('Tests need Redis on port 6380', 'here')).toEqual({
      text: 'Tests need Redis on port 6380',
      reason: 'written into features.yaml by hand',
      source: 'human',
      hitCount: 1,
      reviewed: false,
    })
  })

  it('reads a mapping in the spelling of the file', () => {
    const yaml = `
text: Tests need Redis
reason: iteration 3 failed without
source: auto
iteration: 3
task_id: 12
created: 2026-02-07T14:30:00Z
hit_count: 4
last_seen: 9
reviewed: true
files:
  - path: src/redis.ts
    hash: a123456789abcdef
conflicts_with: [0badcafe]`
    expect(parseLearning(parse(yaml, { schema: 'core' }), 'here')).toEqual({
      text: 'Tests need Redis',
      reason: 'iteration 3 failed without',
      source: 'auto',
      iteration: 3,
      taskId: 12,
      created: '2026-02-07T14:30:00Z',
      hitCount: 4,
      lastSeen: 9,
      reviewed: true,
      files: [{ path: 'src/redis.ts', hash: 'a123456789abcdef' }],
      conflictsWith: ['0badcafe'],
    })
  })

  it('comes back from disk as it went', () => {
    const full = learning({
      taskId: 3,
      hitCount: 7,
      reviewed: true,
      lastSeen: 8,
      files: [{ path: 'a.ts', hash: 'a123456789abcdef' }],
      conflictsWith: ['12345678'],
    })
    for (const each of [full, learning()]) {
      expect(parseLearning(parse(stringify(learningToDisk(each))), 'here')).toEqual(each)
    }
  })

  it('cuts a long text visibly', () => {
    const { text } = parseLearning('x'.repeat(600), 'here')
    expect(text).toHaveLength(500)
    expect(text.endsWith('[truncated]')).toBe(true)
  })

  it.each([
    [{ text: 'a', reason: 'b' }, 'source: must be one of auto, agent, human, opus_reviewed'],
    [{ text: 'a', reason: 'b', source: 'boss' }, 'source: must be one of auto, agent, human, opus_reviewed'],
    [{ text: 'a', source: 'human' }, 'reason: is missing'],
    [{ text: '  ', reason: 'b', source: 'human' }, 'text: must not be empty'],
    [{ text: 'a', reason: 'b', source: 'human', verified: true }, 'unknown field "verified"'],
    [{ text: 'a', reason: 'b', source: 'human', hit_count: 'many' }, 'hit_count: '],
    [
      { text: 'a', reason: 'b', source: 'human', files: [{ path: 'x', hash: 'short' }] },
      'files.0.hash: is not a hash of ours',
    ],
    [42, 'must be one line of text or a mapping'],
    [null, 'must be one line of text or a mapping'],
    ['', 'text: must not be empty'],
  ])('says what is wrong and where: %j', (value, message) => {
    const failure = catchError(() => parseLearning(value, 'features.yaml, feature "auth", learnings[3]'))
    expect(failure.message).toContain('features.yaml, feature "auth", learnings[3]: ')
    expect(failure.message).toContain(message)
  })
})

describe('learningId', () => {
  it('depends on text and scope alone', () => {
    const one = learning({ text: 'same' })
    const counted: typeof one = { ...one, hitCount: 9, reviewed: true, source: 'human' }
    expect(learningId(counted)).toBe(learningId(one))
    expect(learningId({ ...one, taskId: 3 })).not.toBe(learningId(one))
    expect(learningId({ ...one, text: 'other' })).not.toBe(learningId(one))
  })
})

function catchError(work: () => unknown) {
  try {
    work()
  } catch (error) {
    if (isRalphError(error)) return error
    throw error
  }
  throw new Error('expected an error')
}
