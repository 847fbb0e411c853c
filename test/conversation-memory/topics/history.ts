import type { Conversations } from '../../../src/conversation-memory/conversations.ts'
import type { Talk } from '../../../src/conversation-memory/topics/talk.ts'

/** What people of a small team talked about: five things, each in several ways, and some that come up once. */
const ABOUT: { readonly [topic: string]: readonly string[] } = {
  timeout: [
    'the socket timeout of the payment gateway is too short',
    'gateway requests hit the socket timeout under load',
    'raise the socket timeout for the payment gateway',
    'why does the payment gateway stall until the socket timeout',
    'retry payment gateway calls after a socket timeout',
    'log every socket timeout of the gateway',
  ],
  conflicts: [
    'merge conflicts in the lockfile again',
    'resolve the merge conflicts with upstream',
    'rebase and fix the merge conflicts please',
    'merge conflicts after the rename of the folder',
    'there are merge conflicts in the changelog',
    'help me with these merge conflicts',
  ],
  telemetry: [
    'invert the telemetry flag so that telemetry is opt-in',
    'telemetry should be disabled by default',
    'document how to switch telemetry off',
    'telemetry sends events although it was disabled',
    'remove the telemetry opt-out variable',
    'which telemetry events do we send',
  ],
  tomatoes: [
    'which tomatoes grow in the shade of the balcony',
    'my tomatoes have brown leaves, what now',
    'when to water tomatoes in summer',
    'tomatoes for a balcony in the north',
    'prune the tomatoes or not',
    'fertiliser for balcony tomatoes',
  ],
  pagination: [
    'add cursor pagination to the orders endpoint',
    'pagination of orders skips rows when one is deleted',
    'orders endpoint: pagination with a cursor instead of an offset',
    'cursor pagination breaks when sorting orders by date',
    'page size of the orders pagination',
    'pagination links in the orders response',
  ],
  once: [
    'translate the imprint into Danish',
    'book a room for the offsite',
    'what is the capital of Mongolia',
  ],
}

/** In the order of days: of each topic one, then of each the next. */
export function talks(): Talk[] {
  const longest = Math.max(...Object.values(ABOUT).map((texts) => texts.length))
  const found: Talk[] = []
  for (let round = 0; round < longest; round++) {
    for (const [topic, texts] of Object.entries(ABOUT)) {
      const text = texts[round]
      if (text !== undefined)
        found.push({ id: `${topic}-${round}`, title: text, said: [text], at: found.length })
    }
  }
  return found
}

export async function recordTalk(conversations: Conversations, { id, title, at }: Talk): Promise<void> {
  await conversations.record(
    {
      ...{
        conversationId: id,
        id: `${id}-x`,
        userMessage: title,
        assistantMessage: 'Done, and it works now.',
      },
      startedAt: new Date(Date.UTC(2026, 2, 1 + at)),
      completedAt: new Date(Date.UTC(2026, 2, 1 + at)),
    },
    { source: 'chat', title },
  )
}
