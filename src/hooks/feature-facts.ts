import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import type { FailedActions } from '../feature-memory/failed-actions.ts'
import { writeDisposableFile } from '../files/atomic-write.ts'
import { escapeFeature } from '../files/feature-name.ts'
import type { ReceiptItem } from '../receipts/receipt.ts'

/** What hooks say about a feature, worked out beforehand: a hook has no time to read a journal. */
export interface FeatureFacts {
  version: typeof FACTS_VERSION
  /** Changes when journal or board change. */
  fingerprint: string
  feature: string
  failures: FailedActions
  /** Files that its iterations changed. */
  files: string[]
  /** Absent when there is nothing worth a newcomer's time. */
  briefing?: Briefing
}

export interface Briefing {
  text: string
  tokens: number
  items: ReceiptItem[]
}

export const FACTS_VERSION = 1

function hooksDir({ paths }: Config): string {
  return join(paths.cache, 'hooks')
}

/** Notes of sessions lie with the project's memory, or with the user's where the project has none. */
export function sessionsDir(config: Config): string {
  const folder = existsSync(config.paths.database) ? hooksDir(config) : join(config.home, 'cache', 'hooks')
  return join(folder, 'sessions')
}

export function journalPath({ paths }: Config, feature: string): string {
  return join(paths.memory, `${escapeFeature(feature)}.jsonl`)
}

/** Sizes and times of what the facts were made from. */
export function fingerprintOf(config: Config, feature: string): string {
  const { paths } = config
  const sources = [
    journalPath(config, feature),
    join(paths.database, 'features.yaml'),
    join(paths.database, 'tasks.yaml'),
  ]
  return sources
    .map((path) => {
      const stats = statSync(path, { throwIfNoEntry: false })
      return stats ? `${stats.size}@${Math.round(stats.mtimeMs)}` : '-'
    })
    .join(' ')
}

/** The facts as last worked out, however old; undefined when they never were. */
export function readFacts(config: Config, feature: string): FeatureFacts | undefined {
  try {
    const facts = JSON.parse(readFileSync(factsPath(config, feature), 'utf8'))
    return facts.version === FACTS_VERSION ? facts : undefined
  } catch {
    return undefined // a cache: it is made again
  }
}

export function writeFacts(config: Config, facts: FeatureFacts): void {
  writeDisposableFile(factsPath(config, facts.feature), JSON.stringify(facts))
}

const REFRESH_MS = 15_000

/** True for the first who wants to work the facts out anew; the claim lapses when nothing came of it. */
export function claimRefresh(config: Config, feature: string): boolean {
  const claim = `${factsPath(config, feature)}.claim`
  const claimed = statSync(claim, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (Date.now() - claimed < REFRESH_MS) return false
  mkdirSync(dirname(claim), { recursive: true })
  writeFileSync(claim, '')
  return true
}

function factsPath(config: Config, feature: string): string {
  return join(hooksDir(config), 'features', `${escapeFeature(feature)}.json`)
}
