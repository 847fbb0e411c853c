import type { AgentRun } from '../../transcripts/agent-run.ts'
import { textsOf } from './texts.ts'

/** More would tell little that is new, and every journal would carry it. */
const LONGEST = 6_000

/**
 * What the agent said on the way, as far as the summary does not say it: a run is found by that, too. Not what people asked for:
 * journals are committed, and a person's words are for conversation memory, which stays with them.
 */
export function extractSaid(run: AgentRun, summary: string): string {
  const own = { ...run, texts: run.texts.filter(({ subAgent }) => !subAgent) }
  const said = textsOf(own).map((text) => text.trim())
  return [...new Set(said)]
    .filter((text) => text !== '' && !summary.includes(text))
    .join('\n')
    .slice(0, LONGEST)
    .toWellFormed()
}
