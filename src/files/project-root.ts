import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { errnoOf, fileError, RalphError } from '../errors.ts'
import { isCheckout } from './git-checkout.ts'

/** The given folder, else the nearest one upwards with `.ralph` or `.git`, else the working folder itself. */
export function projectRoot(given: string | undefined, cwd: string): string {
  if (given !== undefined) return givenRoot(given)
  const start = realpathSync.native(cwd)
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.ralph', 'db')) || isCheckout(folder)) return folder
    if (dirname(folder) === folder) return start
  }
}

function givenRoot(given: string): string {
  try {
    // As the system finds it: with a slash behind it, it must be a folder.
    return realpathSync.native(join(given, sep))
  } catch (error) {
    const missing = errnoOf(error) === 'ENOENT'
    if (!missing && errnoOf(error) !== 'ENOTDIR') throw fileError(error, given, 'opening the project')
    const what = missing ? `the project folder ${given} does not exist` : `${given} is no folder`
    throw new RalphError(missing ? 'not_found' : 'invalid_input', what, {
      hint: 'Check --project.',
      cause: error,
    })
  }
}
