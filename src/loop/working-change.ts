import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const LARGEST_DIFF = 64 * 1024 * 1024

/** What has changed since the last commit, or, when all is committed, in it. Outside of git there is nothing to show. */
export async function workingChange(project: string): Promise<string> {
  const git = async (...words: string[]) =>
    (await run('git', words, { cwd: project, maxBuffer: LARGEST_DIFF })).stdout
  try {
    return (await git('diff', 'HEAD')) || (await git('show', 'HEAD'))
  } catch {
    return ''
  }
}
