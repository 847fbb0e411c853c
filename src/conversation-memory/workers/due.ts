import type { Storage } from '../../storage/storage.ts'
import type { ConversationSettings } from '../settings.ts'

/** What waits for a summary: not in use by a chat, not held by a worker, not waiting for its next try, not given up. */
export interface Due {
  ids(limit: number): Promise<string[]>
  count(): Promise<number>
}

export function dueExchanges(storage: Storage, settings: ConversationSettings, now: number): Due {
  const query = storage.db
    .selectFrom('exchanges as item')
    .innerJoin('conversations', 'conversations.id', 'item.conversation_id')
    .where('item.summary_due', '=', 1)
    .where('item.status', '!=', 'open')
    .where('conversations.in_use_until', '<=', now)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('conversation_work')
            .select('item_id')
            .where('worker', '=', 'exchange')
            .whereRef('item_id', '=', 'item.id')
            .where((inner) =>
              inner.or([
                inner('given_up', '=', 1),
                inner('not_before', '>', now),
                inner('lease_until', '>', now),
              ]),
            ),
        ),
      ),
    )
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
  return {
    async ids(limit) {
      const rows = await query.select('item.id').orderBy('item.completed_at', 'desc').limit(limit).execute()
      return rows.map(({ id }) => id)
    },
    async count() {
      const row = await query.select((select) => select.fn.countAll().as('due')).executeTakeFirstOrThrow()
      return Number(row.due)
    },
  }
}

export function dueConversations(storage: Storage, settings: ConversationSettings, now: number): Due {
  const query = storage.db
    .selectFrom('conversations as item')
    .where('item.summary_due', '=', 1)
    .where('item.in_use_until', '<=', now)
    .where('item.exchange_count', '>=', settings.minExchangesForConversationSummary)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('conversation_work')
            .select('item_id')
            .where('worker', '=', 'conversation')
            .whereRef('item_id', '=', 'item.id')
            .where((inner) =>
              inner.or([
                inner('given_up', '=', 1),
                inner('not_before', '>', now),
                inner('lease_until', '>', now),
              ]),
            ),
        ),
      ),
    )
  return {
    async ids(limit) {
      const rows = await query.select('item.id').orderBy('item.updated_at', 'desc').limit(limit).execute()
      return rows.map(({ id }) => id)
    },
    async count() {
      const row = await query.select((select) => select.fn.countAll().as('due')).executeTakeFirstOrThrow()
      return Number(row.due)
    },
  }
}
