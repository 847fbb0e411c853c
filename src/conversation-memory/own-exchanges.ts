import type { Person } from '../identity/person.ts'
import { ownIds } from '../storage/own-ids.ts'
import type { Queries } from '../storage/storage.ts'
import type { PreparedExchange } from './prepare.ts'

/** The exchanges under ids of conversations that are not somebody else's. */
export async function underOwnIds(
  db: Queries,
  person: Person,
  exchanges: readonly PreparedExchange[],
): Promise<PreparedExchange[]> {
  const named = exchanges.flatMap(({ conversationId, facts }) =>
    facts.parentId === undefined ? [conversationId] : [conversationId, facts.parentId],
  )
  const ids = await ownIds(db, 'conversations', person.id, named)
  return exchanges.map((exchange) => {
    const { conversationId, facts } = exchange
    const parentId = facts.parentId && ids.get(facts.parentId)
    return {
      ...exchange,
      conversationId: ids.get(conversationId)!,
      facts: { ...facts, ...(parentId && { parentId }) },
    }
  })
}
