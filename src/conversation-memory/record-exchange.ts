import { randomBytes } from 'node:crypto'
import type { Intake } from './intake.ts'
import type { OpenExchanges } from './open-exchanges.ts'
import type { ConversationFacts, NewExchange } from './record.ts'

/** For a conversation or an exchange that begins now. */
export function freshId(): string {
  return randomBytes(8).toString('hex')
}

/** Stores one exchange, and holds it while it is open; the call that ends it lets go. Returns its id. */
export async function recordExchange(
  exchange: NewExchange,
  facts: ConversationFacts,
  { intake, open }: { intake: Intake; open: OpenExchanges },
): Promise<string> {
  const isOpen = exchange.status === 'open'
  const id = exchange.id ?? (isOpen ? freshId() : undefined)
  if (id !== undefined && isOpen) await open.hold(id)
  await intake.add(id === undefined ? exchange : { ...exchange, id }, facts)
  const [written] = await intake.flush()
  if (id !== undefined && !isOpen) await open.letGo(id)
  return written!.id
}
