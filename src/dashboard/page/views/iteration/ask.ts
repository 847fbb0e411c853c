import { answerOf, api } from '../../client.ts'

const one = api.features[':feature'].iterations[':number']

/** Which iteration; `id` where several have its number. */
export interface Which {
  feature: string
  number: string
  id?: string
}

export function askIteration({ feature, number, id }: Which) {
  const asked = {
    param: { feature: encodeURIComponent(feature), number: encodeURIComponent(number) },
    query: { id },
  }
  return {
    record: (signal: AbortSignal) => answerOf(one.$get(asked, { init: { signal } })),
    told: (signal: AbortSignal) => answerOf(one.told.$get(asked, { init: { signal } })),
    left: (signal: AbortSignal) => answerOf(one.left.$get(asked, { init: { signal } })),
  }
}

export type IterationAnswer = Awaited<ReturnType<ReturnType<typeof askIteration>['record']>>
export type IterationAccount = IterationAnswer['record']
export type TellingAnswer = Awaited<ReturnType<ReturnType<typeof askIteration>['told']>>['tellings'][number]
export type LeftAnswer = Awaited<ReturnType<ReturnType<typeof askIteration>['left']>>
