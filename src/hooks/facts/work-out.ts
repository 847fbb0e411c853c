import type { Config } from '../../config.ts'
import { recordsAtEnd } from '../../feature-memory/journal-tail.ts'
import { journalPath } from '../places.ts'
import { type FeatureFacts, journalFingerprint, readFacts, writeFacts } from './feature-facts.ts'
import { factsFromJournal } from './from-journal.ts'
import { writeProjectFacts } from './project-facts.ts'

/** What the end of the journal tells, and no more of it than `bytes`. */
export async function journalFacts(
  config: Config,
  feature: string,
  bytes = Number.POSITIVE_INFINITY,
): Promise<FeatureFacts> {
  // Taken before reading: what is written meanwhile makes the facts stale, not wrong for ever.
  const journal = journalFingerprint(config, feature)
  const records = await recordsAtEnd(journalPath(config, feature), bytes)
  return factsFromJournal(records, { feature, journal, project: config.project })
}

/** Reads journal and board, works out all that hooks may say about a feature, and keeps it for them. */
export async function workOutFacts(config: Config, feature: string): Promise<FeatureFacts> {
  const { factsFromBoard, projectFactsFromBoard } = await import('./from-board.ts')
  const known = await journalFacts(config, feature)
  const facts = { ...known, board: await factsFromBoard(config, feature, known.latest) }
  writeProjectFacts(config, await projectFactsFromBoard(config))
  writeFacts(config, facts)
  return facts
}

/** Keeps what is new from the journal together with what was known from the board. */
export async function refreshFromJournal(config: Config, feature: string): Promise<FeatureFacts> {
  const facts = { ...(await journalFacts(config, feature)), board: readFacts(config, feature)?.board }
  writeFacts(config, facts)
  return facts
}
