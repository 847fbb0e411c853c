import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isRalphError, messageOf } from '../../errors.ts'
import { INDEX_DOWN } from '../../feature-memory/feature-memory.ts'
import { taughtBy } from '../../feature-memory/ledger/lessons.ts'
import type { IterationRecord } from '../../feature-memory/record.ts'
import { STORAGE_DOWN } from '../briefing.ts'
import { handOn } from '../hand-on.ts'
import type { FeatureHistory } from '../history.ts'
import type { LoopParts } from '../parts.ts'
import type { KnowledgeBlock } from '../prompt/prompt.ts'
import { enrichedContextFiles } from './context-files.ts'

export interface Remembered {
  record: IterationRecord
  history: FeatureHistory
  shown: KnowledgeBlock | undefined
  /** Ids of the learnings in the prompt: repeating them is no new observation. */
  shownLearnings: readonly string[]
  /** Set when an earlier attempt at remembering this had got past the learnings: a second time would count double. */
  learnedAlready?: boolean | undefined
  onLearned?: (() => Promise<void>) | undefined
}

/**
 * What follows from a recorded iteration and the next one should know: learnings, context files, project knowledge. Each
 * step may fail without harm to the others, and never silently.
 */
export async function remember(parts: LoopParts, remembered: Remembered): Promise<void> {
  const { record, history, shown } = remembered
  const { feature } = record
  if (!remembered.learnedAlready) {
    const taught = taughtBy(record, history.ledger.entries())
    await step(parts, 'learnings', () =>
      parts.learnings.learnFrom(feature, {
        iteration: record.iterationNumber,
        ...taught,
        shown: remembered.shownLearnings,
      }),
    )
    await remembered.onLearned?.()
  }
  await step(parts, 'context files', () => enrich(parts, feature, history))
  await step(parts, 'project knowledge', () => handOn(parts, record, history, shown), STORAGE_DOWN)
}

/** Makes what the feature's journal gained findable. Whoever searches meanwhile does it themselves. */
export function bringIndexUpToDate(parts: LoopParts, feature: string): Promise<void> {
  return step(parts, 'the index', () => parts.featureMemory.catchUp(feature), INDEX_DOWN)
}

async function step(
  parts: LoopParts,
  what: string,
  work: () => Promise<unknown>,
  key = `loop:${what}`,
): Promise<void> {
  try {
    await work()
    // Often there is nothing to hand on to project knowledge: that the storage answers is for the next prompt to see.
    if (key !== STORAGE_DOWN) parts.notices.recovered(key)
  } catch (error) {
    const hint = (isRalphError(error) && error.hint) || 'ralph doctor'
    parts.notices.once({ key, message: `${what} could not be brought up to date: ${messageOf(error)}`, hint })
  }
}

async function enrich({ board, project }: LoopParts, name: string, history: FeatureHistory): Promise<void> {
  const feature = await board.findFeature(name)
  if (!feature) return
  const exists = (path: string) => existsSync(join(project, path))
  const next = () =>
    enrichedContextFiles(feature.contextFiles, feature.knowledgePaths, history.touches, exists)
  if (next() === undefined) return
  await board.updateFeature(name, (current) => {
    const files = enrichedContextFiles(current.contextFiles, current.knowledgePaths, history.touches, exists)
    return files ? { contextFiles: files } : {}
  })
}
