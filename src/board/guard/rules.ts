import { isDeepStrictEqual } from 'node:util'
import { plural } from '../../text/plural.ts'
import type { Mapping } from '../yaml/edit.ts'
import type { EntryRule } from './judge.ts'
import { type AdoptLearnings, ruleLearnings } from './learnings.ts'
import { asList, contains } from './lists.ts'

const FEATURE_PROSE = ['description', 'architecture', 'boundaries']
const TASK_PROSE = ['description', 'acceptance_criteria']

/** An iteration may change its own feature, but not empty it; other features are not its business. */
export function featureRule(ownFeature: string | undefined, adopt: AdoptLearnings): EntryRule {
  return (expected, current) => {
    if (expected && expected.name !== ownFeature)
      return untouched(expected, current, 'not the feature of this iteration')
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

/** What is said of another task is for whoever wrote it to change. */
const TASK_WORDS = ['title', ...TASK_PROSE, 'feature', 'discipline', 'priority']
/** Which program works on something is for people to say: it runs with their login, at their cost. */
const AGENT = 'agent'
const CLOSED = ['done', 'skipped']

/** Whose iteration it was: a task's, or a review's, which looks at every task. */
export interface TaskIteration {
  task?: number | undefined
  review?: boolean | undefined
}

/**
 * An iteration works on its own task. Of others it may say something, add some, reopen one that is not done: it neither
 * rewrites nor closes them.
 */
export function taskRule({ task, review }: TaskIteration): EntryRule {
  return (expected, current) => {
    const own = expected === undefined || expected.id === task
    const steps = [
      (value: Mapping) => keepProse(TASK_PROSE, expected, value),
      (value: Mapping) => keepComments(expected, value),
      (value: Mapping) => keepAgent(expected, value),
      ...(own ? [] : [(value: Mapping) => keepWords(expected, value)]),
      ...(own ? [] : [(value: Mapping) => keepOpen(expected, value)]),
      ...(own || review ? [] : [(value: Mapping) => keepDone(expected, value)]),
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

function keepWords(expected: Mapping, current: Mapping): ReturnType<EntryRule> {
  const changed = TASK_WORDS.filter((field) => !isDeepStrictEqual(expected[field], current[field]))
  if (changed.length === 0) return { value: current, undone: [] }
  return {
    value: withFieldsOf(expected, current, changed),
    undone: [`not the task of this iteration: changes to ${changed.join(', ')} undone`],
  }
}

function keepAgent(expected: Mapping | undefined, current: Mapping): ReturnType<EntryRule> {
  if (isDeepStrictEqual(expected?.[AGENT], current[AGENT])) return { value: current, undone: [] }
  return {
    value: withFieldsOf(expected ?? {}, current, [AGENT]),
    undone: [
      `${AGENT}, which is for people to choose: ${expected?.[AGENT] === undefined ? 'removed' : 'restored'}`,
    ],
  }
}

function keepOpen(expected: Mapping, current: Mapping): ReturnType<EntryRule> {
  const closed = CLOSED.includes(String(current.status)) && !CLOSED.includes(String(expected.status))
  if (!closed) return { value: current, undone: [] }
  return {
    value: withFieldsOf(expected, current, ['status', 'completed']),
    undone: [`set to ${current.status} by another task’s iteration: restored`],
  }
}

function withFieldsOf(former: Mapping, current: Mapping, fields: readonly string[]): Mapping {
  const value = { ...current }
  for (const field of fields) {
    if (former[field] === undefined) delete value[field]
    else value[field] = former[field]
  }
  return value
}

function keepComments(expected: Mapping | undefined, current: Mapping): ReturnType<EntryRule> {
  const former = asList(expected?.comments)
  const kept = asList(current.comments)
  const lost = former.filter((comment) => !contains(kept, comment))
  if (lost.length * 2 <= former.length) return { value: current, undone: [] }
  const added = kept.filter((comment) => !contains(former, comment))
  return {
    value: { ...current, comments: [...former, ...added] },
    undone: [`${lost.length} of ${plural(former.length, 'comment')} dropped: restored`],
  }
}

/** Reopened with a word of explanation it is a decision; without, it is a file that was put back to an older state. */
function keepDone(expected: Mapping | undefined, current: Mapping): ReturnType<EntryRule> {
  const explained = asList(current.comments).some((comment) => !contains(asList(expected?.comments), comment))
  if (expected?.status !== 'done' || current.status === 'done' || explained)
    return { value: current, undone: [] }
  const { status, completed } = expected
  return {
    value: { ...current, status, ...(completed !== undefined && { completed }) },
    undone: ['was done and no longer is, without a comment: restored'],
  }
}

/** How work is done, and what a run starts for it, is for people to say. A new one may come with new tasks, without servers. */
export const disciplineRule: EntryRule = (expected, current) => {
  if (expected) return untouched(expected, current, 'disciplines are for people to change')
  const started = ['mcp_servers', AGENT].filter((field) => current[field] !== undefined)
  if (started.length === 0) return { value: current, undone: [] }
  return {
    value: withFieldsOf({}, current, started),
    undone: [`${started.join(' and ')}, which a run would start: removed`],
  }
}

function untouched(expected: Mapping, current: Mapping, why: string): ReturnType<EntryRule> {
  if (isDeepStrictEqual(expected, current)) return { value: current, undone: [] }
  const fields = [...new Set([...Object.keys(expected), ...Object.keys(current)])].filter(
    (field) => !isDeepStrictEqual(expected[field], current[field]),
  )
  return {
    value: expected,
    undone: [`${why}: changes to ${fields.join(', ')} undone`],
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
