import { type Expression, expressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Person } from '../../identity/person.ts'
import { isHeld } from '../../storage/leases.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tables } from '../../storage/tables.ts'
import type { ConversationSettings } from '../settings.ts'

/** How long a chat that has crashed still keeps the workers away from its conversation. */
export const IN_USE_MS = 120_000

/** What of a person's own waits for a summary: not in use by a chat, not held by a worker, not waiting for its next try, not given up. */
export interface Due {
  ids(limit: number): Promise<string[]>
  count(): Promise<number>
}

export function dueExchanges(
  storage: Storage,
  person: Person,
  settings: ConversationSettings,
  now: number,
): Due {
  const query = storage.db
    .selectFrom('exchanges as item')
    .innerJoin('conversations', 'conversations.id', 'item.conversation_id')
    .where('conversations.person', '=', person.id)
    .where('item.summary_due', '=', 1)
    .where('item.status', '!=', 'open')
    .where((where) => where.not(isInUse('conversations', now)))
    .where((where) => where('item.id', 'not in', spokenFor(storage, 'exchange', now)))
    // The user's message and the answer count, too.
    .$if(settings.minMessagesForExchangeSummary === 2, (some) =>
      some.where('item.assistant_message', '!=', ''),
    )
    .$if(settings.minMessagesForExchangeSummary > 2, (some) =>
      some.where(
        (where) =>
          where
            .selectFrom('exchange_messages')
            .select((select) => select.fn.countAll<number>().as('steps'))
            .whereRef('exchange_id', '=', 'item.id'),
        '>=',
        settings.minMessagesForExchangeSummary - 2,
      ),
    )
  return due(storage, query.select('item.id').orderBy('item.completed_at', 'desc'))
}

export function dueConversations(
  storage: Storage,
  person: Person,
  settings: ConversationSettings,
  now: number,
): Due {
  const query = storage.db
    .selectFrom('conversations as item')
    .where('item.person', '=', person.id)
    .where('item.summary_due', '=', 1)
    .where((where) => where.not(isInUse('item', now)))
    .where('item.exchange_count', '>=', settings.minExchangesForConversationSummary)
    .where((where) => where('item.id', 'not in', spokenFor(storage, 'conversation', now)))
  return due(storage, query.select('item.id').orderBy('item.updated_at', 'desc'))
}

function due<Database, Joined extends keyof Database>(
  storage: Storage,
  query: SelectQueryBuilder<Database, Joined, { id: string }>,
): Due {
  return {
    async ids(limit) {
      const rows = await query.limit(limit).execute()
      return rows.map(({ id }) => id)
    },
    async count() {
      const { count } = await storage.db
        .selectFrom(query.clearOrderBy().as('due'))
        .select((select) => select.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },
  }
}

/** By a chat; not by one whose clock runs ahead, for as long as it does. */
function isInUse(conversations: string, now: number): Expression<SqlBool> {
  const until = sql.ref<number>(`${conversations}.in_use_until`)
  const is = expressionBuilder<Tables>()
  return is.and([is(until, '>', now), is(until, '<=', now + 2 * IN_USE_MS)])
}

/** Held by a worker, waiting for the next try, or given up. */
function spokenFor(storage: Storage, worker: string, now: number) {
  return storage.db
    .selectFrom('conversation_work')
    .select('item_id')
    .where('worker', '=', worker)
    .where((work) =>
      work.or([work('given_up', '=', 1), work('not_before', '>', now), isHeld('conversation_work', now)]),
    )
}
