import { isRalphError } from '../../errors.ts'
import type { AgentRun } from '../../transcripts/agent-run.ts'
import { type AgentName, isAgentName } from '../../transcripts/agents.ts'
import { keptSessions, type SessionPlaces } from '../../transcripts/kept-sessions.ts'
import { readTranscript } from '../../transcripts/read-transcript.ts'

/**
 * How the session files are named of programs that keep more of a run than they print: Codex the model, moves and patches that
 * failed, Gemini the exit codes of commands, Copilot the tokens.
 */
const NAMED_AFTER: Partial<Record<AgentName, (sessionId: string) => string>> = {
  codex: (id) => id,
  gemini: (id) => id.slice(0, 8),
  copilot: (id) => id,
}

/**
 * What a run did, as its program has kept it, where that is more than it printed; how it ended stays as it was seen. A run that
 * was cut off stays as it is too: what it was just doing stands in the stream alone.
 */
export async function asKept(run: AgentRun, places: SessionPlaces | undefined): Promise<AgentRun> {
  const kept = places && run.ending !== 'cut' ? await keptRun(run, places) : undefined
  if (!kept || kept.toolCalls.length < run.toolCalls.length) return run
  const { toolCalls, cwd, model, version } = kept
  return {
    ...run,
    toolCalls,
    cwd: run.cwd ?? cwd,
    model: model ?? run.model,
    version: run.version ?? version,
    usage: run.usage ?? kept.usage,
    costUsd: run.costUsd ?? kept.costUsd,
  }
}

async function keptRun(
  { agent = '', sessionId }: AgentRun,
  places: SessionPlaces,
): Promise<AgentRun | undefined> {
  if (!isAgentName(agent) || sessionId === undefined) return undefined
  const name = NAMED_AFTER[agent]?.(sessionId)
  if (name === undefined) return undefined
  try {
    const { sessions } = await keptSessions(places, { agent })
    for (const { path, isWhole } of sessions) {
      if (!isWhole || !path.includes(name)) continue
      const kept = await readTranscript(path, { agent })
      if (kept.sessionId === sessionId) return kept
    }
  } catch (error) {
    // What was printed is a whole account in itself: whatever is wrong with the other one, the run is recorded.
    if (!isRalphError(error)) throw error
  }
  return undefined
}
