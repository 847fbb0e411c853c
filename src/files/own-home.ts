import { RalphError } from '../errors.ts'
import { checkoutRoot } from './git-checkout.ts'
import { isFolderOfProject } from './project-path.ts'

/**
 * A repository can have variables set for the programs that agents start in it. A home that it brings itself would make its
 * own word of everything that a person is asked for.
 */
export function requireOwnHome(home: string, project: string): void {
  const checkout = checkoutRoot(project)
  if (checkout === undefined || !isFolderOfProject(home, checkout)) return
  throw new RalphError('invalid_input', `RALPH_HOME leads into the repository ${checkout}`, {
    hint: 'Set it to a folder outside of any repository, or do without: what came with a clone is not yours.',
  })
}
