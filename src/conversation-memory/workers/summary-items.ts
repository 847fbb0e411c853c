import type { ConversationAccount, ExchangeAccount } from '../../language-model/summariser.ts'
import type { Storage } from '../../storage/storage.ts'
import type { ItemKind } from '../documents.ts'
import type { History } from '../history.ts'
import type { Exchange, Message } from '../record.ts'

const CONVERSATION_START = 10
const CONVERSATION_END = 30

/** What a summary is written of. */
export interface SummaryItem {
  id: string
  /** Of the version that was read: a summary of an older one is thrown away. */
  revision: number
  account: ExchangeAccount | ConversationAccount
  /** Exchanges the account covers. */
  covers: number
}

/**
 * What is still due of the items that were taken. Between finding them and taking them another process may have
 * summarised some, and a summary may cost money.
 */
export async function loadItems(
  kind: ItemKind,
  ids: readonly string[],
  { storage, history }: { storage: Storage; history: History },
): Promise<SummaryItem[]> {
  if (kind === 'exchange') {
    const rows = await storage.db
      .selectFrom('exchanges')
      .selectAll()
      .where('id', 'in', [...ids])
      .where('summary_due', '=', 1)
      .execute()
    const steps = await history.steps(ids)
    return rows.map((row) => ({
      id: row.id,
      revision: Number(row.revision),
      covers: 1,
      account: {
        asked: row.user_message,
        answered: row.assistant_message,
        actions: actionsOf(steps.get(row.id) ?? []),
        finished: row.status === 'completed',
      },
    }))
  }
  const rows = await storage.db
    .selectFrom('conversations')
    .selectAll()
    .where('id', 'in', [...ids])
    .where('summary_due', '=', 1)
    .execute()
  const items: SummaryItem[] = []
  for (const row of rows) {
    const exchanges = await endsOf(history, row.id, row.exchange_count)
    items.push({
      id: row.id,
      revision: Number(row.revision),
      covers: row.exchange_count,
      account: { title: row.title ?? undefined, exchanges: exchanges.map(toAccount) },
    })
  }
  return items
}

/** How it began and how it ended; of an endless conversation the middle is left out. */
async function endsOf(history: History, id: string, count: number): Promise<Exchange[]> {
  const first = await history.exchangesOf(id, { limit: CONVERSATION_START })
  const from = Math.max(CONVERSATION_START, count - CONVERSATION_END)
  return [...first, ...(await history.exchangesOf(id, { from, limit: CONVERSATION_END }))]
}

function toAccount({ userMessage, assistantMessage, status }: Exchange): ExchangeAccount {
  return { asked: userMessage, answered: assistantMessage, actions: [], finished: status === 'completed' }
}

/** "Edit src/server.ts", "Bash npm test (failed)". */
function actionsOf(steps: readonly Message[]): string[] {
  const actions: string[] = []
  for (const { role, content, toolName } of steps) {
    if (role === 'tool_call')
      actions.push(`${toolName ?? 'tool'} ${content.split('\n', 1)[0]!.slice(0, 120)}`.trim())
    else if (role === 'tool_result' && content.startsWith('(failed)') && actions.length > 0) {
      actions[actions.length - 1] += ' (failed)'
    }
  }
  return actions
}
