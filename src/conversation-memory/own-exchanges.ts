import type { Person } from '../identity/person.ts'
import type { Queries } from '../storage/storage.ts'
import type { PreparedExchange } from './prepare.ts'
import { inParts } from './row-parts.ts'
import { ownIds } from './whose.ts'

/** The exchanges under ids of conversations that are not somebody else's. */
export async function underOwnIds(
  db: Queries,
  person: Person,
  exchanges: readonly PreparedExchange[],
): Promise<PreparedExchange[]> {
  const ids = new Map<string, string>()
  const named = exchanges.flatMap(({ conversationId, facts }) =>
    [conversationId, facts.parentId ?? []].flat(),
  )
  for (const some of inParts([...new Set(named)]))
    for (const [id, own] of await ownIds(db, person, some)) ids.set(id, own)
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
