import type { ToolCall } from '../../transcripts/agent-run.ts'
import type { FileAction, TouchedFile } from '../record.ts'
import type { ReadCall } from './calls.ts'
import type { ProjectRoot } from './project-root.ts'

/** Whether a project-relative path existed before the run; undefined when nobody knows. */
export type ExistedBefore = (path: string) => boolean | undefined

/** More than any run a person would call one iteration touches. */
const MOST_FILES = 500
/** The stronger action wins; between the two strongest, the later one. */
const STRENGTH: Record<FileAction, number> = { read: 1, modified: 2, created: 3, deleted: 3 }

/** The files a run touched, from calls that succeeded, one entry per path in order of first touch. */
export function extractFiles(
  calls: readonly ReadCall[],
  root: ProjectRoot,
  existedBefore?: ExistedBefore,
): TouchedFile[] {
  const touched = new TouchedFiles(existedBefore)
  for (const { call, effects } of calls) {
    if (call.status !== 'ok') continue
    for (const { path, directory, action } of effects) touched.add(root.relative(path, directory), action)
    for (const path of call.paths) touched.add(root.relative(path), actionOf(call))
  }
  return touched.list()
}

function actionOf(call: ToolCall): FileAction | 'written' | undefined {
  switch (call.kind) {
    case 'read':
    case 'search':
      return 'read'
    case 'write':
      return call.creates === undefined ? 'written' : call.creates ? 'created' : 'modified'
    case 'edit':
      return call.creates ? 'created' : 'modified'
    default:
      return undefined
  }
}

class TouchedFiles {
  readonly #existedBefore: ExistedBefore | undefined
  readonly #actions = new Map<string, FileAction>()

  constructor(existedBefore: ExistedBefore | undefined) {
    this.#existedBefore = existedBefore
  }

  add(path: string | undefined, action: FileAction | 'written' | undefined): void {
    if (path === undefined || action === undefined) return
    const known = this.#actions.get(path)
    const actual = action === 'written' ? this.#written(path, known) : action
    if (known === undefined || STRENGTH[actual] >= STRENGTH[known]) this.#actions.set(path, actual)
  }

  #written(path: string, known: FileAction | undefined): FileAction {
    if (known === 'deleted') return 'created'
    return known !== undefined || this.#existedBefore?.(path) === true ? 'modified' : 'created'
  }

  /** When there are too many, those that were only read say least. */
  list(): TouchedFile[] {
    const all = [...this.#actions].map(([path, action]): TouchedFile => ({ path, action }))
    if (all.length <= MOST_FILES) return all
    const changed = all.filter(({ action }) => action !== 'read')
    return [...changed, ...all.filter(({ action }) => action === 'read')].slice(0, MOST_FILES)
  }
}
