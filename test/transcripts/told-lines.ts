import type { AgentRun } from '../../src/transcripts/agent-run.ts'
import type { TranscriptExchange } from '../../src/transcripts/exchange.ts'
import { type KnownSession, readExchanges } from '../../src/transcripts/read-exchanges.ts'

const PROJECT = /\/home\/user\/project\//g
const MARKS = { ok: '✓', failed: '✗', unfinished: '…' }

/** Each call of a run on a line, as a table of expectations writes it: `✗ bash npm test`. */
export function callsOf(run: AgentRun): string[] {
  return run.toolCalls.map(({ name, status, command, paths, creates, subAgent }) => {
    const what = command ?? paths.join(', ').replace(PROJECT, '')
    return [MARKS[status], subAgent && 'sub', name, creates && 'new', what].filter(Boolean).join(' ')
  })
}

/** How a run ended, and by which failure of the service. */
export function endOf({ ending, service }: AgentRun): string {
  return service ? `${ending} ${service.cause}${service.passing ? ' passing' : ''}` : ending
}

export async function exchangesOf(
  path: string,
): Promise<{ session: KnownSession | undefined; exchanges: TranscriptExchange[] }> {
  const exchanges: TranscriptExchange[] = []
  const { session } = await readExchanges(path, {}, async (exchange) => {
    exchanges.push(exchange)
  })
  return { session, exchanges }
}
