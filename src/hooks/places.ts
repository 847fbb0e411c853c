import { existsSync, lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { escapeFeature } from '../files/feature-name.ts'
import { makeOwnFolder, writeOwnFile } from '../files/own-files.ts'
import { readProjectFile } from '../identity/project-file.ts'
import { shortHash } from '../text/ids.ts'

/**
 * What hooks keep: with the user, never in the project. A clone that brought such files would put its words before an agent,
 * and have the sessions of other projects recorded into its own memory. It is of one place, since other checkouts have other
 * files; what would be told is also of one project, since another one may lie at this place tomorrow.
 */
export function hooksDir({ paths, project, home }: Config): string {
  const all = join(home, 'cache', 'hooks')
  return existsSync(paths.database) ? join(all, 'projects', shortHash(project, 16)) : all
}

export function factsDir(config: Config): string {
  return join(hooksDir(config), 'facts', projectIdOf(config) ?? 'unnamed')
}

export function sessionsDir(config: Config): string {
  return join(hooksDir(config), 'sessions')
}

/** The id that the project carries. */
export function projectIdOf({ paths }: Config): string | undefined {
  const file = readProjectFile(paths.identity)
  return file.state === 'named' ? file.id : undefined
}

export function journalPath({ paths }: Config, feature: string): string {
  return join(paths.memory, `${escapeFeature(feature)}.jsonl`)
}

/** Sizes and times of files: changes when one of them does. */
export function fingerprintOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const stats = lstatSync(path, { throwIfNoEntry: false })
      return stats ? `${stats.size}@${Math.round(stats.mtimeMs)}` : '-'
    })
    .join(' ')
}

/** True for the first who wants to do some work; the claim lapses, in case nothing came of it. */
export function claim(path: string, forMs: number): boolean {
  const file = `${path}.claim`
  const claimed = lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  // A claim from the future was made by a wrong clock, and would last until then.
  if (Math.abs(Date.now() - claimed) < forMs) return false
  makeOwnFolder(dirname(file))
  // With something in it: an empty file that stays empty would keep its time.
  writeOwnFile(file, String(process.pid))
  return true
}
