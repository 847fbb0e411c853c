import type { TranscriptExchange } from '../../src/transcripts/exchange.ts'
import { type KnownSession, readExchanges } from '../../src/transcripts/read-exchanges.ts'

/** All that a session file tells of what was said, and whose it is. */
export async function sessionTold(
  path: string,
): Promise<{ session: KnownSession | undefined; exchanges: TranscriptExchange[] }> {
  const exchanges: TranscriptExchange[] = []
  const { session } = await readExchanges(path, {}, async (exchange) => {
    exchanges.push(exchange)
  })
  return { session, exchanges }
}

export async function exchangesOf(path: string): Promise<TranscriptExchange[]> {
  return (await sessionTold(path)).exchanges
}
