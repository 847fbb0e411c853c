import type { AgentRun } from '../../src/transcripts/agent-run.ts'

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
