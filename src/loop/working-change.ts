import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const LARGEST_DIFF = 64 * 1024 * 1024
/** New files that are shown with all that is in them; of more, only that they are there. */
const MOST_NEW = 100

/**
 * What has changed since the last commit, files that git does not know yet included, or, when all is committed, in it.
 * Outside of git there is nothing to show.
 */
export async function workingChange(project: string): Promise<string> {
  const git = gitIn(project)
  try {
    const changed = await git('diff', (await hasCommits(git)) ? 'HEAD' : '--cached')
    return changed + (await newFiles(git)) || (await git('show', 'HEAD'))
  } catch {
    return ''
  }
}

type Git = (command: string, ...words: string[]) => Promise<string>

/** Names as they are, no colours, no programs of the user for looking at changes. */
function gitIn(project: string): Git {
  return async (command, ...words) => {
    const plain = command === 'diff' || command === 'show' ? ['--no-ext-diff', '--no-color'] : []
    const all = ['-c', 'core.quotePath=false', command, ...plain, ...words]
    return (await run('git', all, { cwd: project, maxBuffer: LARGEST_DIFF })).stdout
  }
}

async function hasCommits(git: Git): Promise<boolean> {
  return git('rev-parse', '--verify', '--quiet', 'HEAD').then(
    () => true,
    () => false,
  )
}

/** What the agent has added and nobody has told git of. Our own files are no work. */
async function newFiles(git: Git): Promise<string> {
  const listed = await git('ls-files', '--others', '--exclude-standard', '-z', '--', '.', ':(exclude).ralph')
  const names = listed.split('\0').filter((name) => name !== '')
  let shown = ''
  for (const name of names.slice(0, MOST_NEW)) shown += await wholeFile(git, name)
  const rest = names.slice(MOST_NEW).map((name) => `diff --git a/${name} b/${name}\nnew file mode 100644\n`)
  return shown + rest.join('')
}

/** Git calls it a failure that two files differ, and they do. */
function wholeFile(git: Git, name: string): Promise<string> {
  return git('diff', '--no-index', '--', '/dev/null', name).catch(
    (error: { stdout?: string }) => error.stdout ?? '',
  )
}
