import { answerOf, api } from '../../client.ts'
import type { Part } from '../../live.ts'

const one = api.features[':feature']

type Query = Record<string, string | undefined>

/** What the views of one feature ask for. */
export function askAbout(feature: string) {
  const param = { feature: encodeURIComponent(feature) }
  const init = (signal: AbortSignal | undefined) => (signal ? { init: { signal } } : {})
  return {
    head: (signal?: AbortSignal) => answerOf(one.$get({ param }, init(signal))),
    iterations: (query: Query, signal?: AbortSignal) =>
      answerOf(one.iterations.$get({ param, query }, init(signal))),
    trend: (query: Query, signal?: AbortSignal) => answerOf(one.trend.$get({ param, query }, init(signal))),
    errors: (query: Query, signal?: AbortSignal) => answerOf(one.errors.$get({ param, query }, init(signal))),
    files: (query: Query, signal?: AbortSignal) => answerOf(one.files.$get({ param, query }, init(signal))),
    tasks: (query: Query, signal?: AbortSignal) => answerOf(one.tasks.$get({ param, query }, init(signal))),
    learnings: (signal?: AbortSignal) => answerOf(one.learnings.$get({ param }, init(signal))),
  }
}

type Asked<Name extends keyof ReturnType<typeof askAbout>> = Awaited<
  ReturnType<ReturnType<typeof askAbout>[Name]>
>
export type IterationLine = Asked<'iterations'>['items'][number]
export type LedgerLine = Asked<'errors'>['items'][number]
export type LearningLine = Asked<'learnings'>['items'][number]
export type TaskLine = Asked<'tasks'>['items'][number]

/** What tells that a feature's iterations, or its place on the board, have changed. */
export const journalOf = (feature: string): Part => `journal:${feature}`
