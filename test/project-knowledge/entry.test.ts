import { describe, expect, it } from 'vitest'
import { cleanKnowledge } from '../../src/project-knowledge/clean.ts'
import { ENTRY_CAPS, parseKnowledge } from '../../src/project-knowledge/entry.ts'
import { entryEmbeddingText } from '../../src/project-knowledge/entry-text.ts'
import { twinKeys } from '../../src/project-knowledge/twin-keys.ts'

const common = { project: 'shop' }
const valid = {
  failure_solution: {
    kind: 'failure_solution',
    ...common,
    failureDescription: 'it broke',
    solutionSteps: 'mend it',
  },
  gate_rejection: { kind: 'gate_rejection', ...common, gateType: 'design', humanFeedback: 'too busy' },
  gate_approval: { kind: 'gate_approval', ...common, gateType: 'design', approvedApproach: 'one column' },
} as const

function problem(value: unknown): string {
  try {
    parseKnowledge(value)
  } catch (error) {
    expect(error).toMatchObject({ name: 'RalphError', code: 'invalid_input', hint: expect.any(String) })
    return (error as Error).message
  }
  return 'nothing'
}

describe('an entry', () => {
  it.each(Object.values(valid))('of kind $kind is accepted with what it needs', (entry) => {
    expect(parseKnowledge(entry)).toMatchObject({ ...entry, agentType: '', taskType: '', technology: '' })
  })

  it.each([
    ['failure_solution', 'failureDescription', 'failure_description'],
    ['failure_solution', 'solutionSteps', 'solution_steps'],
    ['failure_solution', 'project', 'project'],
    ['gate_rejection', 'gateType', 'gate_type'],
    ['gate_rejection', 'humanFeedback', 'human_feedback'],
    ['gate_approval', 'gateType', 'gate_type'],
    ['gate_approval', 'approvedApproach', 'approved_approach'],
  ] as const)('of kind %s without %s is refused with the field named', (kind, field, shown) => {
    expect(problem({ ...valid[kind], [field]: undefined })).toBe(`not a valid ${kind}: ${shown} is missing`)
    expect(problem({ ...valid[kind], [field]: ' \n ' })).toBe(`not a valid ${kind}: ${shown} is empty`)
    expect(problem({ ...valid[kind], [field]: 7 })).toContain(shown)
  })

  it('names every field that is wrong, and says what the kind needs', () => {
    expect(() => parseKnowledge({ kind: 'gate_rejection' })).toThrow(
      expect.objectContaining({
        message:
          'not a valid gate_rejection: project is missing; gate_type is missing; human_feedback is missing',
        hint: 'A gate_rejection needs project, gate_type, human_feedback.',
      }),
    )
  })

  it.each([[undefined], [null], ['text'], [7], [[]], [{}], [{ kind: 'poem' }], [{ kind: null }]])(
    'that is %j is refused with the kinds there are',
    (value) => {
      expect(() => parseKnowledge(value)).toThrow(
        expect.objectContaining({
          message: expect.stringMatching(/^not a knowledge entry: (kind is missing|unknown kind)/),
          hint: 'The kinds are failure_solution, gate_rejection, gate_approval.',
        }),
      )
    },
  )

  it('takes steps as a list', () => {
    const entry = { ...valid.failure_solution, solutionSteps: ['stop it', 'start it'] }
    expect(parseKnowledge(entry)).toMatchObject({ solutionSteps: 'stop it\nstart it' })
  })

  it('cuts a megabyte of text visibly and never inside a character', async () => {
    const text = '👩‍👩‍👧‍👦'.repeat(100_000)
    const entry = cleanKnowledge({ ...valid.failure_solution, errorMessage: text, solutionSteps: text })
    if (entry.kind !== 'failure_solution') throw new Error('another kind')
    expect(entry.errorMessage).toMatch(/👩‍👩‍👧‍👦 \[truncated\]$/u)
    expect(entry.solutionSteps.length).toBeLessThanOrEqual(ENTRY_CAPS.solution)
    expect(entryEmbeddingText(entry).length).toBeLessThan(4_000)
  })

  it('loses control characters and hidden ones, and is refused when nothing else is left', () => {
    const entry = cleanKnowledge({
      ...valid.failure_solution,
      failureDescription: 'it\u0000 br\u001b[31moke\u200b\u202e',
    })
    expect(entry).toMatchObject({ failureDescription: 'it broke' })
    expect(() =>
      cleanKnowledge({ ...valid.failure_solution, failureDescription: '\u0000\u200b\u0007' }),
    ).toThrow('not a valid failure_solution: failure_description is empty')
  })
})

describe('the key that twins share', () => {
  const key = (changes: object) => twinKeys(parseKnowledge({ ...valid.failure_solution, ...changes })).twin

  it('does not depend on case, spacing, quotes and final punctuation', () => {
    expect(key({ failureDescription: '  It   "broke"! ', solutionSteps: 'MEND it.' })).toBe(key({}))
  })

  it('depends on what is said and on what it is filed under, not on the project', () => {
    const others = [
      { solutionSteps: 'do not mend it' },
      { solutionSteps: 'mend it if a != b' },
      { solutionSteps: 'mend it if a == b' },
      { solutionSteps: 'set it to 1' },
      { solutionSteps: 'set it to -1' },
      { technology: 'react' },
      { errorMessage: 'E1' },
    ].map(key)
    expect(new Set([key({}), ...others]).size).toBe(others.length + 1)
    expect(key({ project: 'bank' })).toBe(key({}))
  })
})
