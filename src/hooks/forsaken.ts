import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { hasNewSessions } from '../sync/new-sessions.ts'
import { startBackground } from './background-start.ts'
import { claim, hooksDir, projectIdOf, sessionsDir } from './places.ts'
import { notedSessions, type PendingSession, type SessionNotes } from './session-notes.ts'
import { isAlive } from './session-process.ts'

/** Where one cannot look for its process: a session that was silent this long has ended without saying so. */
const SILENT_MS = 30 * 60_000
/** A hook has no time for more; whoever records one looks at all of them. */
const LOOKED_AT = 50
const SWEEP_MS = 20_000
/** Once in so long at most: whether something new is of this project is only found out by looking into it. */
const SYNC_MS = 60_000
/** By then whoever was told of its end has recorded it, or was killed, or found the storage down. */
const RECORDED_WITHIN_MS = 20_000

/**
 * Sessions of which something is not recorded, and nobody is going to: they ended without a word, as those that are killed
 * do, or recording them came to nothing. Nothing tells of a killed process: whoever comes next has to notice.
 */
export function forsakenSessions(config: Config, most = Number.POSITIVE_INFINITY): SessionNotes[] {
  const projectId = projectIdOf(config)
  return notedSessions(sessionsDir(config))
    .slice(0, most)
    .filter(({ notes, touchedMs }) => {
      const pending = notes.pending()
      if (!pending || (pending.projectId ?? projectId) !== projectId) return false
      return notes.hasUnrecorded(pending) && isForsaken(pending, touchedMs, Date.now())
    })
    .map(({ notes }) => notes)
}

function isForsaken(pending: PendingSession, touchedMs: number, now: number): boolean {
  if (pending.endedAt !== undefined && now - pending.endedAt > RECORDED_WITHIN_MS) return true
  if (pending.process) return !isAlive(pending.process)
  const writtenMs = statSync(pending.transcript, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return now - Math.max(touchedMs, writtenMs) > SILENT_MS
}

/**
 * For the next hook, loop or command: has them recorded in the background, and what agents did that no hook has told of.
 * Whoever calls it has other things to do.
 */
export function recordForsakenLater(config: Config): void {
  try {
    if (forsakenSessions(config, LOOKED_AT).length > 0 && claim(join(hooksDir(config), 'sweep'), SWEEP_MS))
      startBackground(config, ['sweep'])
    // A run of the loop has nothing to record but itself.
    if (!config.session.inLoop && hasNewSessions(config) && claim(join(hooksDir(config), 'sync'), SYNC_MS))
      startBackground(config, ['sync'])
  } catch {
    // A disk that is full or read-only: somebody will notice them on a better day.
  }
}
