import { projectIdOf, sessionsDir } from '../hooks/places.ts'
import { type RecordedSession, storeSession } from '../hooks/record-session.ts'
import { SessionNotes } from '../hooks/session-notes.ts'
import type { Ralph } from '../ralph.ts'
import { shortHash } from '../text/ids.ts'
import type { AgentRun } from '../transcripts/agent-run.ts'
import type { AgentName } from '../transcripts/agents.ts'
import type { FoundSession } from '../transcripts/kept-sessions.ts'
import { isLoopPrompt } from '../transcripts/own-marks.ts'
import { readTranscript } from '../transcripts/read-transcript.ts'

export interface SyncedSession extends RecordedSession {
  agent: AgentName
  sessionId: string
  path: string
}

/**
 * Records one session that an agent's program has kept, by the same notes as the hooks: what one of them has recorded, the
 * other leaves alone.
 */
export async function recordKept(
  ralph: Ralph,
  session: FoundSession,
  { running }: { running: boolean },
): Promise<SyncedSession | 'nothing' | 'running'> {
  const { path } = session
  const run = await readTranscript(path, { agent: session.agent, mayBeEmpty: true })
  // The loop records its own runs.
  if (run.agent === undefined || isLoopPrompt(run.prompt ?? '')) return 'nothing'
  const agent = run.agent as AgentName
  const sessionId = run.sessionId ?? shortHash(path, 16)
  const notes = notesOf(ralph, sessionId, path)
  if (!running && notes.isRunning) return 'running'
  if (!notes.pending()) notes.setPending(await pendingOf(ralph, session, { agent, sessionId, run }))
  const { isNew, parts: _, ...recorded } = await storeSession(ralph, notes)
  return isNew ? { agent, sessionId, path, ...recorded } : 'nothing'
}

/** Some programs leave a second file of the same session: it has notes of its own. */
function notesOf({ config }: Ralph, sessionId: string, path: string): SessionNotes {
  const notes = new SessionNotes(sessionsDir(config), sessionId)
  const noted = notes.pending()
  if (noted === undefined || noted.transcript === path) return notes
  return new SessionNotes(sessionsDir(config), `${sessionId}-${shortHash(path, 8)}`)
}

async function pendingOf(
  ralph: Ralph,
  { path, modifiedAt }: FoundSession,
  { agent, sessionId, run }: { agent: AgentName; sessionId: string; run: AgentRun },
) {
  const feature = await recordedFeature(ralph, agent, sessionId)
  return {
    sessionId,
    agent,
    transcript: path,
    cwd: run.cwd ?? ralph.config.project,
    projectId: projectIdOf(ralph.config),
    endedAt: modifiedAt,
    ...(feature !== undefined && {
      feature: { name: feature, by: 'session' as const, reason: 'where the session was recorded before' },
    }),
  }
}

/** Where a session was recorded whose notes are gone: whatever is new of it belongs there too, and nothing is doubled. */
async function recordedFeature(
  { featureMemory }: Ralph,
  agent: AgentName,
  sessionId: string,
): Promise<string | undefined> {
  for (const feature of await featureMemory.features()) {
    const records = featureMemory.journal(feature).newestFirst((line) => line.includes(sessionId))
    for await (const record of records)
      if (record.sessionId === sessionId && record.agent === agent) return feature
  }
  return undefined
}
