import { isDeepStrictEqual } from 'node:util'
import type { Mapping } from '../yaml/edit.ts'
import type { EntryRule } from './judge.ts'
import { type AdoptLearnings, ruleLearnings } from './learnings.ts'

const FEATURE_PROSE = ['description', 'architecture', 'boundaries']
const TASK_PROSE = ['description', 'acceptance_criteria']
const DISCIPLINE_PROSE = ['system_prompt', 'conventions', 'skills']

/** An iteration may change its own feature, but not empty it; other features are not its business. */
export function featureRule(ownFeature: string | undefined, adopt: AdoptLearnings): EntryRule {
  return (expected, current) => {
    if (expected && expected.name !== ownFeature) return untouched(expected, current)
    const prose = keepProse(FEATURE_PROSE, expected, current)
    const learnings = ruleLearnings(expected?.learnings, prose.value.learnings, adopt)
    const value = { ...prose.value }
    if (learnings.value.length > 0) value.learnings = learnings.value
    else if (!isDeepStrictEqual(value.learnings, expected?.learnings)) delete value.learnings
    return {
      value: isDeepStrictEqual(value, prose.value) ? prose.value : value,
      undone: [...prose.undone, ...learnings.undone],
    }
  }
}

export const taskRule: EntryRule = (expected, current) => {
  const prose = keepProse(TASK_PROSE, expected, current)
  const former = Array.isArray(expected?.comments) ? expected.comments : []
  const kept = Array.isArray(prose.value.comments) ? prose.value.comments : []
  const lost = former.filter((comment) => !kept.some((other) => isDeepStrictEqual(other, comment)))
  if (lost.length * 2 <= former.length) return prose
  const added = kept.filter((comment) => !former.some((other) => isDeepStrictEqual(other, comment)))
  return {
    value: { ...prose.value, comments: [...former, ...added] },
    undone: [...prose.undone, `${lost.length} of ${former.length} comments were dropped: restored`],
  }
}

export const disciplineRule: EntryRule = (expected, current) => keepProse(DISCIPLINE_PROSE, expected, current)

function untouched(expected: Mapping, current: Mapping): ReturnType<EntryRule> {
  if (isDeepStrictEqual(expected, current)) return { value: current, undone: [] }
  const fields = [...new Set([...Object.keys(expected), ...Object.keys(current)])].filter(
    (field) => !isDeepStrictEqual(expected[field], current[field]),
  )
  return {
    value: expected,
    undone: [`not the feature of this iteration: changes to ${fields.join(', ')} undone`],
  }
}

function keepProse(
  fields: readonly string[],
  expected: Mapping | undefined,
  current: Mapping,
): ReturnType<EntryRule> {
  const emptied = fields.filter((field) => !isEmpty(expected?.[field]) && isEmpty(current[field]))
  if (emptied.length === 0) return { value: current, undone: [] }
  const value = { ...current }
  for (const field of emptied) value[field] = expected![field]
  return { value, undone: emptied.map((field) => `${field} was emptied: restored`) }
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isEmpty)
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}
