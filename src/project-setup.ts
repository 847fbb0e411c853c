import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Config } from './config.ts'
import { writeFileAtomically } from './files/atomic-write.ts'
import { textIfAny } from './files/git-checkout.ts'
import { makeOwnFolder } from './files/own-files.ts'
import { makeProjectFile } from './identity/project-file.ts'

export interface SetupStep {
  path: string
  action: 'created' | 'changed' | 'kept' | 'removed'
  /** For this machine alone: git is told to leave it out. */
  private?: true
}

const FEATURES = `# Features: WHAT is built. People and agents edit this file; comments and layout are kept.
#
# features:
#   - name: authentication            # identity: never change it, journals and index hang on it
#     display_name: Authentication
#     description: >
#       Sign-up, login and sessions of the shop.
#     architecture: >
#       Express middleware in src/auth, sessions in PostgreSQL.
#     boundaries: "In scope: login, logout. Out of scope: billing."
#     knowledge_paths: [docs/auth.md]
#     dependencies: [express 5]
features: []
`
const TASKS = `# Tasks: each belongs to a feature and a discipline.
#
# tasks:
#   - id: 1
#     title: Build login form
#     feature: authentication
#     discipline: frontend
#     status: pending                 # pending | in_progress | blocked | done | skipped
#     priority: 1                     # 1 comes first
#     blocked_by: []
#     acceptance_criteria:
#       - a wrong password shows a message
tasks: []
`
const DISCIPLINES = `# Disciplines: HOW work is done.
#
# disciplines:
#   - name: frontend
#     system_prompt: You are a careful frontend engineer.
#     conventions: Small components, tests beside them.
disciplines: []
`
const METADATA = `# Facts about this board; ralph keeps them.
schema_version: 1
`
/** Indexes, locks, receipts and personal choices can be made again or are of this machine only. */
const IGNORED = 'cache/\nreceipts/\nlogs/\nlocal/\n*.tmp\n*.lock\n'
/** Two branches that each appended: both sides are right. And a line ends on every machine as it was written. */
const MERGED = '*.jsonl merge=union -text\n'

/** What people and agents edit, with what a new one says. */
const BOARD: Record<string, string> = {
  'features.yaml': FEATURES,
  'tasks.yaml': TASKS,
  'disciplines.yaml': DISCIPLINES,
  'metadata.yaml': METADATA,
}
export const BOARD_FILES = Object.keys(BOARD)

/** What git is told of `.ralph`, by file in it. */
const GIT_RULES: Record<string, string> = { '.gitignore': IGNORED, '.gitattributes': MERGED }

/** Whether a file of `.ralph/`, named from there, is as it was made: nobody has put anything into it. */
export function isAsMade(path: string, text: string): boolean {
  const made = Object.entries(BOARD).map(([name, content]) => [`db/${name}`, content])
  return Object.fromEntries([...made, ...Object.entries(GIT_RULES)])[path] === text
}

export function hasBoard({ paths }: Config): boolean {
  return existsSync(join(paths.database, 'features.yaml'))
}

/** Makes `.ralph/` in a project, with a board unless told otherwise. What is there already is never touched. */
export async function setUpProject(
  { project, paths }: Config,
  { board = true }: { board?: boolean } = {},
): Promise<SetupStep[]> {
  const files = [
    ...(board ? Object.entries(BOARD) : []).map(
      ([name, text]) => [join(paths.database, name), text] as const,
    ),
    ...Object.entries(GIT_RULES).map(([name, text]) => [join(project, '.ralph', name), text] as const),
  ]
  const steps: SetupStep[] = []
  for (const [path, content] of files) {
    const kept = existsSync(path)
    if (!kept) await writeFileAtomically(path, content)
    steps.push({ path: relative(project, path).replaceAll('\\', '/'), action: kept ? 'kept' : 'created' })
  }
  makeOwnFolder(paths.memory)
  const named = existsSync(paths.identity)
  if (!named) await makeProjectFile(paths.identity)
  steps.unshift({ path: '.ralph/project.json', action: named ? 'kept' : 'created' })
  return steps
}

/** Lines for git that are not there, by the file in which they belong. */
export function missingGitRules({ project }: Config): { path: string; lines: string[] }[] {
  return Object.entries(GIT_RULES).flatMap(([name, text]) => {
    const path = join(project, '.ralph', name)
    const there = linesOf(textIfAny(path) ?? '')
    const lines = linesOf(text).filter((line) => !there.includes(line))
    return lines.length > 0 ? [{ path, lines }] : []
  })
}

/** Adds them at the end of what people wrote. */
export async function addGitRules(config: Config): Promise<string[]> {
  const missing = missingGitRules(config)
  for (const { path, lines } of missing) {
    const before = textIfAny(path) ?? ''
    const gap = before === '' || before.endsWith('\n') ? '' : '\n'
    await writeFileAtomically(path, `${before}${gap}${lines.join('\n')}\n`)
  }
  return missing.map(({ path }) => path)
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}
