import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { startBackground } from './background-start.ts'
import { claim, hooksDir, sessionsDir } from './places.ts'
import { notedSessions, type SessionNotes } from './session-notes.ts'
import { isAlive } from './session-process.ts'

/** Where one cannot look for its process: a session that was silent this long has ended without saying so. */
const SILENT_MS = 30 * 60_000
/** Those before them were looked at when they were new. */
const LOOKED_AT = 50
const SWEEP_MS = 20_000

/**
 * Sessions that ended without a word, as those that are killed do, and of which something is not recorded yet.
 * Nothing tells of a killed process: whoever comes next has to notice.
 */
export function forsakenSessions(config: Config, now = Date.now()): SessionNotes[] {
  return notedSessions(sessionsDir(config))
    .slice(0, LOOKED_AT)
    .filter(({ notes, touchedMs }) => isForsaken(notes, touchedMs, now))
    .map(({ notes }) => notes)
}

function isForsaken(notes: SessionNotes, touchedMs: number, now: number): boolean {
  const pending = notes.pending()
  const file = pending && statSync(pending.transcript, { throwIfNoEntry: false })
  if (!pending || !file || file.size <= notes.recordedBytes()) return false
  if (pending.process) return !isAlive(pending.process)
  return now - Math.max(touchedMs, file.mtimeMs) > SILENT_MS
}

/** For the next hook, loop or command: has them recorded in the background. Whoever calls it has other things to do. */
export function recordForsakenLater(config: Config): void {
  try {
    if (forsakenSessions(config).length > 0 && claim(join(hooksDir(config), 'sweep'), SWEEP_MS))
      startBackground(config, ['sweep'])
  } catch {
    // A disk that is full or read-only: somebody will notice them on a better day.
  }
}
