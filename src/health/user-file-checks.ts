import { readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { errnoOf } from '../errors.ts'
import { nameForDamaged } from '../files/kept-json.ts'
import { readOwnFile } from '../files/own-files.ts'
import { parseObject } from '../text/json.ts'
import type { DoctorParts } from './checks.ts'
import { FIX, type Result, together, warning } from './finding.ts'

/** What is noted on this machine, each with what goes on without it. */
export async function checkUserFiles({ config }: DoctorParts): Promise<Result> {
  const found = notes(config)
    .filter(({ path }) => !isReadable(path))
    .map(({ path, means }) => warning(`${path} cannot be read`, FIX, means))
  return together(found, 'can be read')
}

export async function setUserFilesAside({ config }: DoctorParts): Promise<string> {
  const broken = notes(config).filter(({ path }) => !isReadable(path))
  const moved = broken.map(({ path }) => {
    const aside = nameForDamaged(path)
    renameSync(path, aside)
    return `moved it to ${aside}`
  })
  return moved.join('; ')
}

function notes({ home, paths }: DoctorParts['config']): { path: string; means: string }[] {
  const learnings = join(home, 'learnings')
  return [
    { path: paths.trust, means: 'Nothing counts as trusted: ralph trust asks again.' },
    { path: paths.places, means: 'Copies of a project are not told apart until each was used again.' },
    ...namesIn(learnings)
      .filter((name) => name.endsWith('.json'))
      .map((name) => ({
        path: join(learnings, name),
        means: 'Learnings made or reviewed here count as the repository’s until they are reviewed again.',
      })),
  ]
}

function isReadable(path: string): boolean {
  try {
    return parseObject(readOwnFile(path).toString('utf8')) !== undefined
  } catch (error) {
    return errnoOf(error) === 'ENOENT' // nothing noted yet
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // none yet
  }
}
