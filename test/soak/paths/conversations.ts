import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sentenceOf } from '../core/random.ts'
import { type Found, numberOf, type WritePath } from '../core/write-path.ts'

/** Every so many is a file of several that is imported. */
const EVERY = 5
const IN_A_FILE = 4

export const path: WritePath = {
  name: 'conversations',
  what: 'an exchange that was recorded, or imported with a file',
  repeats: true,
  async write({ conversations }, id, { world, acknowledge }) {
    const conversationId = `c-${id.replace(/n\d+$/, '')}`
    if (numberOf(id) % EVERY !== EVERY - 1) {
      await conversations.record({ id, conversationId, ...said(id) })
      return
    }
    const ids = Array.from({ length: IN_A_FILE }, (_, at) => `${id}-${at}`)
    const lines = [id, ...ids].map((one) =>
      JSON.stringify({
        ...{ exchange_id: one, conversation_id: `${conversationId}-import` },
        ...{ user_message: said(one).userMessage, assistant_message: said(one).assistantMessage },
      }),
    )
    mkdirSync(join(world.folder, 'imports'), { recursive: true })
    const file = join(world.folder, 'imports', `${id}.jsonl`)
    writeFileSync(file, lines.join('\n'))
    await conversations.importJsonl(file)
    for (const one of ids) acknowledge(one)
  },
  async settle({ conversations }) {
    await conversations.workers.runOnce(new AbortController().signal)
  },
  async find({ conversations }): Promise<Found> {
    const [ids, damaged]: [string[], string[]] = [[], []]
    for await (const line of conversations.exportLines()) {
      const {
        exchange_id: id,
        conversation_id: of,
        user_message: asked,
        assistant_message: answered,
      } = JSON.parse(line)
      if (!of.startsWith('c-')) continue
      ids.push(id)
      const wanted = said(id)
      if (asked !== wanted.userMessage || answered !== wanted.assistantMessage)
        damaged.push(`${id}: says something else`)
    }
    return { ids, damaged }
  },
  async search({ conversations }, id) {
    const { results } = await conversations.search(sentenceOf(id), { limit: 5 })
    return results.map(({ exchange, similarity }) => [exchange.id, similarity])
  },
}

function said(id: string): { userMessage: string; assistantMessage: string } {
  return { userMessage: `Why ${sentenceOf(id)}?`, assistantMessage: `Because of ${id}.` }
}
