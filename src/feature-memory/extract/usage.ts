import { type AgentRun, tokensIn } from '../../transcripts/agent-run.ts'

export interface Usage {
  tokensUsed?: number
  costUsd?: number
  durationMs?: number
  model?: string
  modelTier?: string
}

export function extractUsage(run: AgentRun): Usage {
  const usage: Usage = {}
  if (run.usage) usage.tokensUsed = tokensIn(run.usage)
  if (run.costUsd !== undefined) usage.costUsd = run.costUsd
  if (run.durationMs !== undefined) usage.durationMs = run.durationMs
  if (run.model) {
    usage.model = run.model
    usage.modelTier = tierOf(run.model)
  }
  return usage
}

/** `claude-sonnet-4-5-20250929` is a `sonnet`; a model of another family is its own tier. */
function tierOf(model: string): string {
  return /\b(haiku|sonnet|opus)\b/i.exec(model)?.[1]?.toLowerCase() ?? model
}
