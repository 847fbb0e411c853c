import { answerOf, api } from '../../client.ts'

const one = api.features[':feature'].learnings[':id']

/** What a person can do with one learning. */
export function careFor(feature: string, id: string) {
  const param = { feature: encodeURIComponent(feature), id }
  return {
    approve: () => answerOf(one.review.$post({ param })),
    settle: (decision: 'keep_this' | 'keep_both') =>
      answerOf(one.resolve.$post({ param, json: { decision } })),
    edit: (json: { text?: string; reason?: string }) => answerOf(one.$put({ param, json })),
    remove: () => answerOf(one.$delete({ param })),
  }
}
