import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, readSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errnoOf, isRalphError, messageOf } from '../errors.ts'
import { createFileAtomically, writeFileAtomically } from '../files/atomic-write.ts'
import { openOwnFileNow } from '../files/own-files.ts'
import { asObject } from '../text/json.ts'

/** What `.ralph/project.json` says; it came with the clone, so it is trusted no further than its form. */
export type ProjectFile =
  | { state: 'named'; id: string }
  | { state: 'absent' }
  | { state: 'refused'; problem: string; hint: string }

const LARGEST_BYTES = 4_096
const PROJECT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const ABOUT = 'Which project this is, wherever it lies: its memory is filed under this id. Commit this file.'

/** `path` is the committed file. On a branch without it, or while it is in a state of merging, what it last said holds. */
export function readProjectFile(path: string): ProjectFile {
  const said = readOne(path)
  const last = said.state === 'named' ? said : readOne(lastPath(path))
  return last.state === 'named' ? last : said
}

/** What stands in the way of the committed file, if anything. */
export function projectFileTrouble(path: string): (ProjectFile & { state: 'refused' }) | undefined {
  const said = readOne(path)
  return said.state === 'refused' ? said : undefined
}

/** Gives an id to a project that has none; of two who come at once, the second gets the id of the first. */
export async function makeProjectFile(path: string): Promise<ProjectFile> {
  const last = readOne(lastPath(path))
  await createFileAtomically(path, textOf(last.state === 'named' ? last.id : randomUUID()))
  return readProjectFile(path)
}

export async function replaceProjectFile(path: string, id: string): Promise<void> {
  await writeFileAtomically(path, textOf(id))
  await keepProjectId(path, id)
}

/** Beside the index, where no branch and no merge touches it. */
export async function keepProjectId(path: string, id: string): Promise<void> {
  const last = readOne(lastPath(path))
  if (last.state === 'named' && last.id === id) return
  await writeFileAtomically(lastPath(path), textOf(id), { disposable: true })
}

function lastPath(path: string): string {
  return join(dirname(path), 'cache', 'project.json')
}

function readOne(path: string): ProjectFile {
  try {
    const text = shortText(path)
    const id = text === undefined ? undefined : asObject(JSON.parse(text.replace(/^\uFEFF/, '')))?.['id']
    return typeof id === 'string' && PROJECT_ID.test(id)
      ? { state: 'named', id }
      : refused(path, 'holds no id of a project')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return { state: 'absent' }
    if (isRalphError(error))
      return { state: 'refused', problem: error.message, hint: error.hint ?? 'ralph doctor' }
    return refused(path, error instanceof SyntaxError ? 'is no JSON' : `cannot be read: ${messageOf(error)}`)
  }
}

function textOf(id: string): string {
  return `${JSON.stringify({ about: ABOUT, id }, null, 2)}\n`
}

/** Undefined when it is too long for what it should hold. */
function shortText(path: string): string | undefined {
  const file = openOwnFileNow(path, 'read')
  try {
    if (fstatSync(file).size > LARGEST_BYTES) return undefined
    const bytes = Buffer.alloc(LARGEST_BYTES)
    return bytes.toString('utf8', 0, readSync(file, bytes))
  } finally {
    closeSync(file)
  }
}

function refused(path: string, problem: string): ProjectFile {
  return {
    state: 'refused',
    problem: `${path} ${problem}`,
    hint: `Restore it from git, or remove it to become a new project: rm ${path}`,
  }
}
