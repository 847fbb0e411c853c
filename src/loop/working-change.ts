import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import {
  GIT_FILTERS,
  GIT_LOOKS_ONLY,
  GIT_SHOWS_AS_IT_IS,
  withoutFiltersOfRepository,
} from '../files/git-words.ts'

const run = promisify(execFile)
const LARGEST_DIFF = 64 * 1024 * 1024
/** New files that are shown with all that is in them; of more, only that they are there. */
const MOST_NEW = 100

/**
 * What has changed since the last commit, files that git does not know yet included, or, when all is committed, in it.
 * Outside of git there is nothing to show.
 */
export async function workingChange(project: string): Promise<string> {
  try {
    const git = await gitIn(project)
    const changed = await git('diff', (await hasCommits(git)) ? 'HEAD' : '--cached')
    return changed + (await newFiles(git)) || (await git('show', 'HEAD'))
  } catch {
    return ''
  }
}

type Git = (command: string, ...words: string[]) => Promise<string>

/** Names as they are, and no program is started that only the repository names. */
async function gitIn(project: string): Promise<Git> {
  const asked = (...words: readonly string[]) =>
    run('git', [...GIT_LOOKS_ONLY, ...words], { cwd: project, maxBuffer: LARGEST_DIFF })
  // Where there are none, git calls that a failure.
  const filters = await asked(...GIT_FILTERS).catch(() => ({ stdout: '' }))
  const off = withoutFiltersOfRepository(filters.stdout)
  return async (command, ...words) => {
    const plain = command === 'diff' || command === 'show' ? GIT_SHOWS_AS_IT_IS : []
    return (await asked(...off, '-c', 'core.quotePath=false', command, ...plain, ...words)).stdout
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
