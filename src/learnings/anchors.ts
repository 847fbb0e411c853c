import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errnoOf, isRalphError } from '../errors.ts'
import { readOwnFile } from '../files/own-files.ts'
import { projectPath } from '../files/project-path.ts'
import { shortHash } from '../text/ids.ts'
import { nameOrQuoted } from '../text/quote.ts'
import type { Anchor } from './learning.ts'

/** The hash of a file of the project as it is now; undefined when there is no such file. */
export type HashFile = (path: string) => Promise<string | undefined>

export interface AnchorState {
  path: string
  state: 'unchanged' | 'changed' | 'missing'
}

const MOST_ANCHORS = 5
/** Larger files are data; a learning does not hang on one. */
const LARGEST_FILE = 5_000_000

function contentHash(content: string): string {
  // Line ends differ between machines, the content does not.
  return shortHash(content.replaceAll('\r\n', '\n'), 16)
}

export function projectFileHasher(project: string): HashFile {
  return async (path) => {
    const inside = projectPath(path, project)
    if (inside === undefined) return undefined
    const file = join(project, inside)
    try {
      const { size } = await stat(file)
      return size > LARGEST_FILE ? undefined : contentHash(readOwnFile(file).toString('utf8'))
    } catch (error) {
      if (isRalphError(error)) return undefined // a device, a pipe: nothing to hang on
      if (['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'ENAMETOOLONG', 'ELOOP'].includes(errnoOf(error) ?? ''))
        return undefined
      throw error
    }
  }
}

const PATH_IN_TEXT = /(?<![\w/.@-])(?:\.\/)?(?:[\w@.-]{1,80}\/){0,12}[\w@.-]{1,80}\.[A-Za-z]\w{0,7}(?![\w/])/g

/** Files that a text speaks of and that exist, with their hash. */
export async function anchorsIn(
  text: string,
  named: readonly string[],
  hashFile: HashFile,
): Promise<Anchor[]> {
  const mentioned = (text.match(PATH_IN_TEXT) ?? []).map((path) => path.replace(/^\.\//, ''))
  const anchors: Anchor[] = []
  for (const path of new Set([...named, ...mentioned])) {
    if (anchors.length === MOST_ANCHORS) break
    const hash = await hashFile(path)
    if (hash !== undefined) anchors.push({ path, hash })
  }
  return anchors
}

export async function checkAnchors(anchors: readonly Anchor[], hashFile: HashFile): Promise<AnchorState[]> {
  return Promise.all(
    anchors.map(async ({ path, hash }): Promise<AnchorState> => {
      const now = await hashFile(path)
      if (now === undefined) return { path, state: 'missing' }
      return { path, state: now === hash ? 'unchanged' : 'changed' }
    }),
  )
}

/** "src/auth.ts changed since", or nothing when all is as it was. */
export function describeAnchors(states: readonly AnchorState[]): string[] {
  return states.flatMap(({ path, state }) => {
    if (state === 'changed') return [`${nameOrQuoted(path)} changed since`]
    return state === 'missing' ? [`${nameOrQuoted(path)} no longer exists`] : []
  })
}
