import { existsSync, rmSync } from 'node:fs'
import type { Config } from '../config.ts'
import { factsPath } from './facts/feature-facts.ts'
import { hooksDir, sessionsDir } from './places.ts'
import { notedSessions } from './session-notes.ts'

/** Removes what hooks keep of a feature and of sessions that are to be forgotten; facts are worked out anew. */
export function forgetNotes(
  config: Config,
  { feature, isForgotten }: { feature: string; isForgotten: (sessionId: string) => boolean },
): void {
  for (const ending of ['.json', '.claim']) rmSync(`${factsPath(config, feature)}${ending}`, { force: true })
  for (const { notes } of notedSessions(sessionsDir(config))) {
    const pending = notes.pending()
    if (pending && isForgotten(pending.sessionId)) notes.forgetContent()
  }
}

/** The same for a project as a whole; what hooks keep where there is no project is everybody's. */
export function forgetProjectNotes(config: Config): void {
  if (existsSync(config.paths.database)) rmSync(hooksDir(config), { recursive: true, force: true })
}
