import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Config } from './config.ts'
import { writeFileAtomically } from './files/atomic-write.ts'
import { makeOwnFolder } from './files/own-files.ts'
import { makeProjectFile } from './identity/project-file.ts'

export interface SetupStep {
  path: string
  action: 'created' | 'kept'
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

/** Makes `.ralph/` in a project. What is there already is never touched. */
export async function setUpProject({ project, paths }: Config): Promise<SetupStep[]> {
  const files: [path: string, content: string][] = [
    [join(paths.database, 'features.yaml'), FEATURES],
    [join(paths.database, 'tasks.yaml'), TASKS],
    [join(paths.database, 'disciplines.yaml'), DISCIPLINES],
    [join(paths.database, 'metadata.yaml'), METADATA],
    [join(project, '.ralph', '.gitignore'), IGNORED],
    [join(project, '.ralph', '.gitattributes'), MERGED],
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
