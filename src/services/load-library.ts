import { errnoOf, RalphError } from '../errors.ts'
import { installCommand } from '../installation.ts'

/** Loads an optional client library on first need and says what to install when it is absent. */
export async function loadLibrary<Library>(name: string, load: () => Promise<Library>): Promise<Library> {
  try {
    return await load()
  } catch (error) {
    if (errnoOf(error) !== 'ERR_MODULE_NOT_FOUND' && errnoOf(error) !== 'MODULE_NOT_FOUND') throw error
    throw new RalphError('missing_dependency', `the library ${name} is not installed`, {
      hint: `Run: ${installCommand(name)}`,
      cause: error,
    })
  }
}
