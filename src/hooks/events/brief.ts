import { lstatSync } from 'node:fs'
import { GENERAL_FEATURE } from '../../board/current-feature.ts'
import type { Config } from '../../config.ts'
import { BRIEFING, composeBriefing, type KnownFeature } from '../briefing.ts'
import type { HookContext, Injection } from '../context.ts'
import { recordedFeatures } from '../facts/project-facts.ts'
import { journalPath } from '../places.ts'

/**
 * The briefing, unless it was given or there was nothing to tell: whoever comes first tells it. On a busy machine the
 * start of a session may pass before it is ready; the first prompt comes early enough.
 */
export async function briefing(context: HookContext): Promise<Injection | undefined> {
  if (!context.remembers || context.notes.isShown(BRIEFING)) return undefined
  const facts = await context.factsWithBoard()
  const composed = composeBriefing(facts, await context.feature(), otherFeatures(context.config))
  if (!composed) settleBriefing(context)
  return composed
}

/** None is due any more. */
export function settleBriefing({ notes, remembers }: HookContext): void {
  if (remembers) notes.mayShow(BRIEFING, 0)
}

/** Features with memory, the last worked on first. */
function otherFeatures(config: Config): KnownFeature[] {
  return recordedFeatures(config)
    .filter((name) => name !== GENERAL_FEATURE)
    .map((name) => ({
      name,
      at: lstatSync(journalPath(config, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .sort((a, b) => b.at - a.at)
    .map(({ name, at }) => ({ name, lastWork: new Date(at).toISOString().slice(0, 10) }))
}
