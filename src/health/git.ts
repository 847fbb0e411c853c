import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { GIT_LOOKS_ONLY } from '../files/git-words.ts'

const run = promisify(execFile)

/** What git prints, without the last line feed; undefined where it fails, or is not installed. Only for questions. */
export async function git(folder: string, ...words: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout } = await run('git', [...GIT_LOOKS_ONLY, ...words], {
      cwd: folder,
      timeout: 10_000,
      windowsHide: true,
      maxBuffer: 10_000_000,
    })
    return stdout.replace(/\n$/, '')
  } catch {
    return undefined
  }
}

export async function isInGit(folder: string): Promise<boolean> {
  return (await git(folder, 'rev-parse', '--is-inside-work-tree')) === 'true'
}

/** Of these, the ones that git keeps. */
export async function tracked(folder: string, paths: readonly string[]): Promise<string[]> {
  return lines(await git(folder, 'ls-files', '--', ...paths))
}

export interface IgnoreRule {
  /** The file in which it stands. */
  source: string
  line: string
  pattern: string
}

/** The rule because of which git passes over a file; undefined where it does not. */
export async function ignoredBy(folder: string, path: string): Promise<IgnoreRule | undefined> {
  const [, source, line, pattern] =
    /^(.*):(\d+):(.*)\t/.exec((await git(folder, 'check-ignore', '--verbose', '--', path)) ?? '') ?? []
  // A rule that begins so takes the file back in.
  if (source === undefined || pattern!.startsWith('!')) return undefined
  return { source, line: line!, pattern: pattern! }
}

function lines(text: string | undefined): string[] {
  return (text ?? '').split('\n').filter(Boolean)
}
