import type { ToolCall } from '../../transcripts/agent-run.ts'
import type { FileAction, TouchedFile } from '../record.ts'
import type { ReadCall } from './calls.ts'
import type { ProjectRoot } from './project-root.ts'

/** More than any run a person would call one iteration touches. */
const MOST_FILES = 500
/** The stronger action wins; between the two strongest, the later one. */
const STRENGTH: Record<FileAction, number> = { read: 1, modified: 2, created: 3, deleted: 3 }

export interface FileTouch {
  path: string
  /** `written`: created or modified, whichever the file's history says. */
  action: FileAction | 'written'
}

/** What one call did to files of the project, in order. */
export function touchesOf({ call, effects }: ReadCall, root: ProjectRoot): FileTouch[] {
  const touches: FileTouch[] = []
  const add = (path: string | undefined, action: FileAction | 'written' | undefined) => {
    if (path !== undefined && action !== undefined) touches.push({ path, action })
  }
  // The program looked at the files; what the words of the command suggest comes after that.
  const seen = new Map((call.changes ?? []).map(({ path, action }) => [root.relative(path), action] as const))
  for (const [path, action] of seen) add(path, action)
  if (call.status !== 'ok') return touches
  for (const { path, directory, action } of effects) {
    const relative = root.relative(path, directory)
    if (!seen.has(relative)) add(relative, action)
  }
  for (const path of call.paths) add(root.relative(path), actionOf(call))
  return touches
}

/** The files a run touched, from calls that succeeded, one entry per path in order of first touch. */
export function extractFiles(calls: readonly ReadCall[], root: ProjectRoot): TouchedFile[] {
  const touched = new TouchedFiles()
  for (const call of calls) touched.add(touchesOf(call, root))
  return touched.list()
}

function actionOf(call: ToolCall): FileTouch['action'] | undefined {
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
  readonly #actions = new Map<string, FileAction>()

  /** What one command made and removed again was never there. */
  add(touches: readonly FileTouch[]): void {
    const made = new Set<string>()
    for (const { path, action } of touches) {
      const known = this.#actions.get(path)
      const fresh = known === undefined || known === 'deleted'
      const actual = action === 'written' ? (fresh ? 'created' : 'modified') : action
      if (actual === 'created' && known === undefined) made.add(path)
      if (actual === 'deleted' && this.#unmake(path, made)) continue
      if (known === undefined || STRENGTH[actual] >= STRENGTH[known]) this.#actions.set(path, actual)
    }
  }

  /** True when the command had made all that it now removes, as far as is known. */
  #unmake(path: string, made: ReadonlySet<string>): boolean {
    const inside = [...this.#actions.keys()].filter((one) => one === path || one.startsWith(`${path}/`))
    const own = inside.filter((one) => made.has(one))
    for (const one of own) this.#actions.delete(one)
    return own.length > 0 && own.length === inside.length
  }

  /** When there are too many, those that were only read say least. */
  list(): TouchedFile[] {
    const all = [...this.#actions].map(([path, action]): TouchedFile => ({ path, action }))
    if (all.length <= MOST_FILES) return all
    const changed = all.filter(({ action }) => action !== 'read')
    return [...changed, ...all.filter(({ action }) => action === 'read')].slice(0, MOST_FILES)
  }
}
