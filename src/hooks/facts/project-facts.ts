import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { boardVersion } from '../../board/board-version.ts'
import type { Config } from '../../config.ts'
import { writeDisposableFile } from '../../files/atomic-write.ts'
import { unescapeFeature } from '../../files/feature-name.ts'
import { readOwnFile } from '../../files/own-files.ts'
import { factsDir } from '../places.ts'

/** What hooks need to know of the board to tell which feature a session belongs to. */
export interface ProjectFacts {
  /** Those on the board. */
  features: string[]
  inProgress: string[]
}

/** Features with a journal. */
export function recordedFeatures({ paths }: Config): string[] {
  try {
    return readdirSync(paths.memory)
      .filter((name) => name.endsWith('.jsonl'))
      .flatMap((name) => unescapeFeature(name.slice(0, -'.jsonl'.length)) ?? [])
  } catch {
    return [] // nothing recorded yet
  }
}

/** Undefined when they were never worked out, or the board or the features with a journal are others by now. */
export function readProjectFacts(config: Config): ProjectFacts | undefined {
  try {
    const facts = JSON.parse(readOwnFile(projectFactsPath(config)).toString('utf8'))
    return facts.fingerprint === fingerprint(config) && Array.isArray(facts.inProgress) ? facts : undefined
  } catch {
    return undefined // a cache: it is made again
  }
}

export function writeProjectFacts(config: Config, facts: ProjectFacts): void {
  writeDisposableFile(
    projectFactsPath(config),
    JSON.stringify({ ...facts, fingerprint: fingerprint(config) }),
  )
}

function fingerprint(config: Config): string {
  return `${boardVersion(config.paths.database)} ${recordedFeatures(config).sort().join(' ')}`
}

function projectFactsPath(config: Config): string {
  return join(factsDir(config), 'project.json')
}
