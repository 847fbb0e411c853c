import { sentenceOf } from '../core/random.ts'
import type { Found, WritePath } from '../core/write-path.ts'

const EXCHANGES = 4

/** What the workers make of conversations: a summary for each exchange, and what search needs. */
export const path: WritePath = {
  name: 'workers',
  what: 'a summary by the workers, with its place in the index',
  repeats: true,
  embeds: true,
  async write({ conversations }, id, { acknowledge }) {
    const exchanges = Array.from({ length: EXCHANGES }, (_, at) => `${id}-${at}`)
    for (const one of exchanges)
      await conversations.record({
        ...{ id: one, conversationId: `s-${id}`, userMessage: `Please look at ${sentenceOf(one)}` },
        assistantMessage: `Done: ${sentenceOf(`${one} answer`)}. It was ${one}.`,
      })
    await conversations.workers.runOnce(new AbortController().signal)
    for (const one of exchanges) if ((await conversations.history.exchange(one))?.summary) acknowledge(one)
  },
  async settle({ conversations }) {
    await conversations.workers.runOnce(new AbortController().signal)
  },
  async find({ conversations }): Promise<Found> {
    const ids: string[] = []
    const damaged: string[] = []
    const seen = new Set<string>()
    for await (const line of conversations.exportLines()) {
      const { exchange_id: id, conversation_id: of, summary, user_message: asked } = JSON.parse(line)
      if (!of.startsWith('s-')) continue
      ids.push(id)
      seen.add(id.split('-')[0]!)
      if (!summary) damaged.push(`${id}: has lost its summary`)
      if (!asked.endsWith(sentenceOf(id))) damaged.push(`${id}: says something else`)
    }
    const { exchange, conversation } = await conversations.workers.embeddings()
    const waiting = exchange.waiting + conversation.waiting
    if (waiting > 0) damaged.push(`${waiting} are still to be embedded`)
    return { ids: [...ids, ...seen], damaged }
  },
  async search({ conversations }, id) {
    if (!id.includes('-')) return undefined
    const { results } = await conversations.search(sentenceOf(id), { limit: 5 })
    return results.map(({ exchange, similarity }) => [exchange.id, similarity])
  },
}
