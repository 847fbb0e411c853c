import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { EditedFile } from '../agent-config/edited-file.ts'
import type { Config } from '../config.ts'
import { GIT_LOOKS_ONLY } from '../files/git-words.ts'
import type { SetupStep } from '../project-setup.ts'
import { stepOf } from './step.ts'

const MARK = '# written by ralph init, taken out by ralph uninstall'
const OUR_RULE = new RegExp(`${MARK}\\r?\\n(.*)(?:\\r?\\n|$)`, 'g')

/** A file that is in the repository: others get what is written into it. */
export function isTracked(project: string, file: string): boolean {
  return git(project, ['ls-files', '--error-unmatch', '--', file]).status === 0
}

/** Also where there is no git: nobody commits it then. */
export function isIgnored(project: string, file: string): boolean {
  return git(project, ['check-ignore', '--quiet', '--', file]).status !== 1
}

/** Has git leave a file of this working copy alone, without a word to anybody who shares the repository. */
export async function keepPrivate(config: Config, file: string): Promise<SetupStep[]> {
  const rules = excludeFile(config.project)
  if (rules === undefined) return []
  const line = ruleFor(config, file)
  const result = await edited(config, rules, line).edit((text) => {
    const start = text === '' || text.endsWith('\n') ? text : `${text}\n`
    return text.split('\n').includes(line) ? text : `${start}${MARK}\n${line}\n`
  })
  return result.action === 'unchanged' ? [] : [stepOf(result, config.project)]
}

/** Takes out what `keepPrivate` wrote, for one file or for all. */
export async function noLongerPrivate(config: Config, file?: string): Promise<SetupStep[]> {
  const rules = excludeFile(config.project)
  if (rules === undefined || !existsSync(rules)) return []
  const wanted = file === undefined ? undefined : ruleFor(config, file)
  const lines = [...readFileSync(rules, 'utf8').matchAll(OUR_RULE)].map(([, line]) => line!)
  const steps: SetupStep[] = []
  for (const line of lines.filter((one) => wanted === undefined || one === wanted)) {
    const result = await edited(config, rules, line).undo((text) =>
      text.replace(OUR_RULE, (whole, one) => (one === line ? '' : whole)),
    )
    steps.push(stepOf(result, config.project))
  }
  return steps.slice(-1)
}

function ruleFor({ project }: Config, file: string): string {
  return `/${relative(checkoutOf(project), file).replaceAll('\\', '/')}`
}

/** Each line goes for itself, and with the last of them the file is as it was. */
function edited({ project, home }: Config, path: string, line: string): EditedFile {
  return new EditedFile({ path, project, undoDir: join(home, 'undo'), part: `rule ${line}` })
}

/** Where git reads rules that are nobody else's; undefined without git, or without a repository. */
function excludeFile(project: string): string | undefined {
  const { status, stdout } = git(project, ['rev-parse', '--git-path', 'info/exclude'])
  return status === 0 ? resolve(project, stdout.trim()) : undefined
}

function checkoutOf(project: string): string {
  const { status, stdout } = git(project, ['rev-parse', '--show-toplevel'])
  return status === 0 ? resolve(stdout.trim()) : project
}

function git(project: string, args: readonly string[]) {
  return spawnSync('git', [...GIT_LOOKS_ONLY, ...args], { cwd: project, encoding: 'utf8', windowsHide: true })
}
