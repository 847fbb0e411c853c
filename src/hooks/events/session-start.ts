import { statSync } from 'node:fs'
import { GENERAL_FEATURE } from '../../board/current-feature.ts'
import type { Config } from '../../config.ts'
import { composeBriefing, type KnownFeature } from '../briefing.ts'
import type { HookContext, Injection } from '../context.ts'
import { recordedFeatures } from '../facts/project-facts.ts'
import { recordForsakenLater } from '../forsaken.ts'
import { journalPath } from '../places.ts'
import { noteSession } from './session-end.ts'
import { startHelper } from './user-prompt.ts'

/** One account of where the feature stands; nothing when there is nothing worth telling. */
export async function sessionStart(context: HookContext): Promise<Injection | undefined> {
  const { source } = context.input
  if (context.inLoop) return undefined
  recordForsakenLater(context.config)
  startHelper(context)
  // From now on it can be recorded, whatever becomes of it.
  await noteSession(context)
  // A resumed session has it in its context already; a compacted one has lost it.
  if (source === 'resume') return undefined
  if (source === 'compact') context.notes.forgetTold()
  if (!context.remembers) return undefined
  const facts = await context.factsWithBoard()
  return composeBriefing(facts, await context.feature(), otherFeatures(context.config))
}

/** Features with memory, the last worked on first. */
function otherFeatures(config: Config): KnownFeature[] {
  return recordedFeatures(config)
    .filter((name) => name !== GENERAL_FEATURE)
    .map((name) => ({
      name,
      at: statSync(journalPath(config, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .sort((a, b) => b.at - a.at)
    .map(({ name, at }) => ({ name, lastWork: new Date(at).toISOString().slice(0, 10) }))
}
