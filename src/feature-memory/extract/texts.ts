import type { AgentRun } from '../../transcripts/agent-run.ts'

/** All that the agent said, its closing words last; what a failed service said is not its own. */
export function textsOf({ texts, result }: AgentRun): string[] {
  const closing = result && !result.isError ? [result.text] : []
  return [...texts.map(({ text }) => text), ...closing]
}
