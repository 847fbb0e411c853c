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

/** An iteration may change any task, but neither empty it nor erase what was said, nor undo what others have done. */
export function taskRule(ownTask: number | 'any' | undefined): EntryRule {
  return (expected, current) => {
    const steps = [
      (value: Mapping) => keepProse(TASK_PROSE, expected, value),
      (value: Mapping) => keepComments(expected, value),
      (value: Mapping) =>
        ownTask === 'any' || expected?.id === ownTask ? { value, undone: [] } : keepDone(expected, value),
    ]
    const undone: string[] = []
    let value = current
    for (const step of steps) {
      const ruled = step(value)
      value = ruled.value
      undone.push(...ruled.undone)
    }
    return { value, undone }
  }
}

function keepComments(expected: Mapping | undefined, current: Mapping): ReturnType<EntryRule> {
  const former = listOf(expected?.comments)
  const kept = listOf(current.comments)
  const lost = former.filter((comment) => !contains(kept, comment))
  if (lost.length * 2 <= former.length) return { value: current, undone: [] }
  const added = kept.filter((comment) => !contains(former, comment))
  return {
    value: { ...current, comments: [...former, ...added] },
    undone: [`${lost.length} of ${former.length} comments were dropped: restored`],
  }
}

/** Reopened with a word of explanation it is a decision; without, it is a file that was put back to an older state. */
function keepDone(expected: Mapping | undefined, current: Mapping): ReturnType<EntryRule> {
  const explained = listOf(current.comments).some((comment) => !contains(listOf(expected?.comments), comment))
  if (expected?.status !== 'done' || current.status === 'done' || explained)
    return { value: current, undone: [] }
  const { status, completed } = expected
  return {
    value: { ...current, status, ...(completed !== undefined && { completed }) },
    undone: ['was done and no longer is, without a comment: restored'],
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function contains(list: readonly unknown[], item: unknown): boolean {
  return list.some((other) => isDeepStrictEqual(other, item))
}

/** The next run would start what stands there: that is for people to say. */
export const disciplineRule: EntryRule = (expected, current) => {
  const kept = keepProse(DISCIPLINE_PROSE, expected, current)
  if (isDeepStrictEqual(expected?.mcp_servers, current.mcp_servers)) return kept
  const { mcp_servers, ...others } = kept.value
  const value =
    expected?.mcp_servers === undefined ? others : { ...kept.value, mcp_servers: expected.mcp_servers }
  return { value, undone: [...kept.undone, 'mcp_servers, which a run would start: restored'] }
}

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
