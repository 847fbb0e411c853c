import { setTimeout as sleep } from 'node:timers/promises'
import type { Conversations } from '../../src/conversation-memory/conversations.ts'

export async function talk(
  conversations: Conversations,
  count: number,
  conversationId = 'c',
): Promise<string[]> {
  const ids: string[] = []
  for (let number = 0; number < count; number++) {
    const { exchangeId } = await conversations.record({
      conversationId,
      id: `${conversationId}-${number}`,
      userMessage: `Please fix problem ${number} in the parser.`,
      assistantMessage: `I fixed problem ${number}. All tests pass.`,
      startedAt: new Date(Date.UTC(2026, 0, 1, 0, number)),
    })
    ids.push(exchangeId)
  }
  return ids
}

/** A clock that stands still until it is moved. */
export function standingClock(start = Date.UTC(2026, 5, 1)) {
  let now = start
  return {
    clock: () => new Date(now),
    forward: (seconds: number) => {
      now += seconds * 1_000
    },
  }
}

export async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
  for (let wait = 0; wait < 400; wait++) {
    if (await condition()) return
    await sleep(25)
  }
  throw new Error(`did not happen: ${what}`)
}
