import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errnoOf, fileError, throwIfAborted } from '../../errors.ts'
import { isFolderOfProject } from '../../files/project-path.ts'
import { filesBelow, foldersIn, newestFirst } from '../session-folders.ts'
import type { SessionFile, SessionStore } from '../session-store.ts'
import { headOf } from './rollout-head.ts'

/** `~/.codex/sessions/YYYY/MM/DD/rollout-….jsonl`: folders by date, the project is in the first line. */
export const codexSessions: SessionStore = { find, findOfProject, isWhole }

async function find(place: string, signal?: AbortSignal): Promise<SessionFile[]> {
  const files = await filesBelow(place, isRollout, signal)
  const archive = archiveOf(place)
  const archived =
    archive && (await foldersIn(archive)).length > 0 ? await filesBelow(archive, isRollout, signal) : []
  return newestFirst([...files, ...archived])
}

async function findOfProject(place: string, project: string, signal?: AbortSignal): Promise<SessionFile[]> {
  if ((await foldersIn(place)).length === 0) return []
  // Many sessions share few folders.
  const known = new Map<string, boolean>()
  const isOfProject = (cwd: string) => {
    const told = known.get(cwd) ?? isFolderOfProject(cwd, project)
    known.set(cwd, told)
    return told
  }
  const files = await find(place, signal)
  return files.filter(({ path }) => {
    throwIfAborted(signal)
    const cwd = headOf(path)?.cwd
    return cwd !== undefined && isOfProject(cwd)
  })
}

function isWhole({ path }: SessionFile): boolean {
  return headOf(path)?.subAgent !== true
}

function isRollout(path: string): boolean {
  return path.endsWith('.jsonl')
}

/** What a person puts away goes there. */
function archiveOf(place: string): string | undefined {
  return basename(place) === 'sessions' ? join(dirname(place), 'archived_sessions') : undefined
}

/** The rollouts of the sub-agents that a thread started, and of theirs. */
export async function subAgentRollouts(path: string): Promise<string[]> {
  const own = headOf(path)?.id
  if (own === undefined) return []
  const children = new Map<string, { id: string; path: string }[]>()
  for (const folder of await foldersDuring(path)) {
    for (const name of (await foldersIn(folder)).filter((one) => one.endsWith('.jsonl'))) {
      const head = headOf(join(folder, name))
      if (head?.parentId === undefined || head.id === undefined) continue
      const siblings = children.get(head.parentId) ?? []
      children.set(head.parentId, [...siblings, { id: head.id, path: join(folder, name) }])
    }
  }
  const found = new Map<string, string>()
  const collect = (id: string) => {
    for (const child of children.get(id) ?? []) {
      if (child.id === own || found.has(child.id)) continue
      found.set(child.id, child.path)
      collect(child.id)
    }
  }
  collect(own)
  return [...found.values()]
}

/** The file of a thread below a folder, by its id. */
export async function threadFile(folder: string, id: string): Promise<string | undefined> {
  const names = await readdir(folder, { recursive: true }).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return []
    throw fileError(error, folder, 'looking for past sessions')
  })
  const name = names.find((one) => one.endsWith(`-${id}.jsonl`))
  return name === undefined ? undefined : join(folder, name)
}

/** The rollout of the thread that started this sub-agent. */
export function parentRollout(path: string, parentId: string): Promise<string | undefined> {
  const dated = DATED.exec(path)
  return threadFile(dated ? path.slice(0, dated.index) : dirname(path), parentId)
}

const DATED = /[\\/]\d{4}[\\/]\d\d[\\/]\d\d[\\/][^\\/]+$/
const DAY = 24 * 3_600_000
/** A thread that somebody resumes for longer than that is looked through for a month. */
const MOST_DAYS = 31

/** The folder of a rollout, and those of the days on which its thread went on. */
async function foldersDuring(path: string): Promise<string[]> {
  const folder = dirname(path)
  if (!DATED.test(path)) return [folder]
  const [year, month, day] = folder.split(/[\\/]/).slice(-3).map(Number)
  const begin = Date.UTC(year!, month! - 1, day)
  // Folders are named by the clock on the wall, which may be a day ahead.
  const end = await stat(path).then(
    ({ mtimeMs }) => mtimeMs + DAY,
    () => begin,
  )
  const root = dirname(dirname(dirname(folder)))
  const folders = [folder]
  for (let time = begin + DAY; time <= end && folders.length < MOST_DAYS; time += DAY)
    folders.push(join(root, ...new Date(time).toISOString().slice(0, 10).split('-')))
  return folders
}
