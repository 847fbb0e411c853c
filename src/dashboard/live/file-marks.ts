import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Config } from '../../config.ts'
import { errnoOf, messageOf } from '../../errors.ts'
import { unescapeFeature } from '../../files/feature-name.ts'
import { stampOf } from '../../files/stamp.ts'
import type { Marks, Part } from './part.ts'

const LINES = '.jsonl'

/** What the project's own files, and the user's settings, look like from outside: no file is opened. */
export async function fileMarks({
  project,
  paths,
  home,
}: Pick<Config, 'project' | 'paths' | 'home'>): Promise<Marks> {
  const journals = await marksIn(paths.memory, LINES)
  const marks = new Map<Part, string>([['project', existsSync(project) ? 'there' : 'gone']])
  for (const [name, mark] of journals) {
    const feature = unescapeFeature(name.slice(0, -LINES.length))
    if (feature !== undefined) marks.set(`journal:${feature}`, mark)
  }
  const board = await marksIn(paths.database, '.yaml')
  // What this machine knows of learnings by itself.
  const vouched = await marksIn(join(home, 'learnings'), '.json')
  marks.set('board', joined([...board, ...vouched]))
  marks.set('receipts', joined([...(await marksIn(paths.receipts, LINES))]))
  const settings = [paths.projectFile, paths.userFile, paths.trust, paths.identity]
  marks.set('settings', joined(await Promise.all(settings.map(markOf))))
  return marks
}

/** The folders whose entries change when a mark does; `wakes` says for which of them it is worth a look. */
export function watchedFolders({ paths, home }: Pick<Config, 'paths' | 'home'>) {
  const lines = (name: string) => name.endsWith(LINES)
  const settings = new Set(
    [paths.projectFile, paths.userFile, paths.trust, paths.identity].map((path) => basename(path)),
  )
  return [
    { folder: paths.memory, wakes: lines },
    { folder: paths.database, wakes: (name: string) => name.endsWith('.yaml') },
    { folder: paths.receipts, wakes: lines },
    { folder: dirname(paths.projectFile), wakes: (name: string) => settings.has(name) },
    { folder: home, wakes: (name: string) => settings.has(name) },
  ]
}

async function marksIn(folder: string, ending: string): Promise<[name: string, mark: string][]> {
  const names = await readdir(folder).catch((error) => {
    if (errnoOf(error) === 'ENOENT') return []
    return [`${messageOf(error)}${ending}`] // it cannot be listed: that too is a change to be seen
  })
  const ours = names.filter((name) => name.endsWith(ending)).sort()
  return Promise.all(ours.map(async (name) => [name, await markOf(join(folder, name))]))
}

function markOf(path: string): Promise<string> {
  return stampOf(path, 'looking for changes').then(
    ({ text }) => text,
    (error) => messageOf(error),
  )
}

function joined(marks: readonly unknown[]): string {
  return marks.flat().join(' ')
}
