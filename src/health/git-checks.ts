import { existsSync, readdirSync } from 'node:fs'
import { relative } from 'node:path'
import { addGitRules, missingGitRules } from '../project-setup.ts'
import { plural } from '../text/plural.ts'
import type { DoctorParts } from './checks.ts'
import { FIX, ok, type Result, together, warning } from './finding.ts'
import { ignoredBy, isInGit, tracked } from './git.ts'
import { hasMemory } from './project-checks.ts'

const OF_THIS_MACHINE = ['.ralph/cache', '.ralph/receipts', '.ralph/logs', '.ralph/local']

/** What of `.ralph` reaches colleagues, and what stays here. */
export async function checkGit({ config }: DoctorParts): Promise<Result> {
  const { project } = config
  if (!hasMemory(config)) return ok('nothing to keep in it yet')
  const found: Result[] = missingGitRules(config).map(({ path, lines }) =>
    warning(
      `${relative(project, path)} lacks ${lines.map((line) => JSON.stringify(line)).join(', ')}`,
      FIX,
      'What is of this machine only would be committed, or branches would not merge by themselves.',
    ),
  )
  if (!(await isInGit(project)))
    return together(found, 'this project is not in git: what it remembers stays on this machine')
  const committed = await tracked(project, OF_THIS_MACHINE)
  if (committed.length > 0)
    found.push(
      warning(
        `${plural(committed.length, 'file')} of this machine only ${committed.length === 1 ? 'is' : 'are'} in git: ${committed[0]}`,
        `git rm -r --cached ${OF_THIS_MACHINE.filter((folder) => committed.some((path) => path.startsWith(folder))).join(' ')}`,
        'Every machine would overwrite that of the others.',
      ),
    )
  const journals = await checkShared(config)
  return together(journals.level === 'ok' ? found : [...found, journals], journals.detail)
}

export async function mendGit({ config }: DoctorParts): Promise<string> {
  const changed = await addGitRules(config)
  const names = changed.map((path) => relative(config.project, path))
  return names.length > 0
    ? `completed ${names.join(', ')}`
    : 'the rest is for you: it changes what you commit'
}

/** Journals are the truth: whoever has them has the memory. */
async function checkShared({ project, paths }: DoctorParts['config']): Promise<Result> {
  const journals = journalsIn(paths.memory)
  const probe = relative(project, paths.memory).replaceAll('\\', '/')
  const kept = await tracked(project, [probe])
  const rule = await ignoredBy(project, `${probe}/${journals[0] ?? 'general.jsonl'}`)
  if (rule && kept.length < Math.max(1, journals.length))
    return warning(
      `git passes over the journals in .ralph/db/memory, because of ${JSON.stringify(rule.pattern)} in ${rule.source}:${rule.line}`,
      `To share them: take that line out, then git add .ralph. Is it meant so, there is nothing to do.`,
      'They stay on this machine: neither colleagues nor another clone get what agents learned here.',
    )
  if (journals.length > 0 && kept.length === 0)
    return warning(
      `${plural(journals.length, 'journal')} in .ralph/db/memory ${journals.length === 1 ? 'is' : 'are'} not in git yet`,
      'git add .ralph && git commit',
      'They stay on this machine until they are committed.',
    )
  const isThere = journals.length === 0 ? 'journals will be kept in git' : 'the journals are kept in git'
  return ok(`${isThere}, what is of this machine only is not`)
}

function journalsIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : []
}
