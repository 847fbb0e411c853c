import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { FailedCommand } from '../../feature-memory/failed-commands.ts'
import { writeDisposableFile } from '../../files/atomic-write.ts'
import { escapeFeature } from '../../files/feature-name.ts'
import { readOwnFile } from '../../files/own-files.ts'
import type { ReceiptItem } from '../../receipts/receipt.ts'
import { redactValue } from '../../text/redact-value.ts'
import { factsDir, fingerprintOf, journalPath } from '../places.ts'

/** Something worth saying, with all stored text in it quoted. */
export interface Saying {
  text: string
  /** What it tells: of each of these a session is told once. */
  tells: string[]
  item: Omit<ReceiptItem, 'text'>
}

/** The same in parts, for a hook that cannot know beforehand which of them the session was told already. */
export interface SayingInParts {
  parts: SayingPart[]
  item: Omit<ReceiptItem, 'text'>
}

export interface SayingPart {
  text: string
  /** What this part tells. A part without it says nothing by itself. */
  tells?: string
  /** What stands in its place for a session that was told; nothing when absent. */
  otherwise?: string
}

export interface BriefingSection {
  title: string
  lines: Saying[]
}

/** What hooks say about a feature, worked out beforehand: most hooks have no time to read a journal. */
export interface FeatureFacts {
  version: typeof FACTS_VERSION
  feature: string
  /** Changes when the journal does. */
  journal: string
  latest: number
  /** Of an error that is met again, by signature. */
  errors: Record<string, SayingInParts>
  /** What the last change of a file led to, by project-relative path. */
  changes: Record<string, SayingInParts>
  /** By check key. */
  commands: Record<string, FailedCommand>
  /** Files that its iterations changed. */
  files: string[]
  /** What a newcomer should know, the most urgent first. */
  sections: BriefingSection[]
  /** What the board adds; absent while it has not been read. */
  board?: BoardFacts | undefined
}

export interface BoardFacts {
  /** Of the board: changes when it does. */
  version: string
  /** Where the feature stands; empty when the board knows nothing of it. */
  state: string
  learnings: Saying[]
}

const FACTS_VERSION = 5

export function emptyFacts(feature: string, journal: string): FeatureFacts {
  return {
    version: FACTS_VERSION,
    feature,
    journal,
    latest: 0,
    errors: {},
    changes: {},
    commands: {},
    files: [],
    sections: [],
  }
}

export function journalFingerprint(config: Config, feature: string): string {
  return fingerprintOf([journalPath(config, feature)])
}

/** The facts as last worked out, however old; undefined when they never were. */
export function readFacts(config: Config, feature: string): FeatureFacts | undefined {
  try {
    const facts = JSON.parse(readOwnFile(`${factsPath(config, feature)}.json`).toString('utf8'))
    return facts.version === FACTS_VERSION ? facts : undefined
  } catch {
    return undefined // a cache: it is made again
  }
}

export function writeFacts(config: Config, facts: FeatureFacts): void {
  writeDisposableFile(`${factsPath(config, facts.feature)}.json`, JSON.stringify(redactValue(facts)))
}

/** Without an ending. */
export function factsPath(config: Config, feature: string): string {
  return join(factsDir(config), 'features', escapeFeature(feature))
}
