import { expect, it } from 'vitest'
import { Claims } from '../../src/conversation-memory/workers/claims.ts'
import { summaryRound } from '../../src/conversation-memory/workers/summary-rounds.ts'
import { WorkerTotals } from '../../src/conversation-memory/workers/worker-totals.ts'
import { extractiveSummariser } from '../../src/language-model/extractive.ts'
import { SOMEBODY } from '../support/person.ts'
import { never, openTestConversations } from './open.ts'

it('summarises nothing again that another process has done between finding and taking it', async () => {
  const { conversations, storage, again } = await openTestConversations()
  await conversations.record({
    conversationId: 'c1',
    userMessage: 'How do we raise the timeout?',
    assistantMessage: 'In the pool.',
  })
  const other = await again()
  const clock = () => new Date()
  class Late extends Claims {
    override async take(worker: string, ids: readonly string[]): Promise<string[]> {
      await other.conversations.workers.runOnce(never, ['exchange'])
      return super.take(worker, ids)
    }
  }
  let written = 0
  const summariser = extractiveSummariser()
  const { done } = await summaryRound(
    'exchange',
    {
      storage,
      person: SOMEBODY,
      history: conversations.history,
      summariser: {
        ...summariser,
        exchange: async (account, signal) => {
          written++
          return summariser.exchange(account, signal)
        },
      },
      claims: new Late(storage, SOMEBODY, clock),
      totals: new WorkerTotals(storage, SOMEBODY),
      settings: () => conversations.settings.read(),
      clock,
      onSummary: () => undefined,
      onNone: () => undefined,
    },
    { signal: never, afterTrouble: false, progress: () => undefined },
  )
  expect({ done, written }).toEqual({ done: [], written: 0 })
  expect((await conversations.workers.status('exchange')).totals.completed).toBe(1)
  expect(await storage.db.selectFrom('conversation_work').selectAll().execute()).toEqual([])
})
