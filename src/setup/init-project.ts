import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { errnoOf, isRalphError, RalphError, throwIfAborted } from '../errors.ts'
import { holdsHome } from '../files/where-to-init.ts'
import { type SetupStep, setUpProject } from '../project-setup.ts'
import type { Ralph } from '../ralph.ts'
import { offerBoard } from './offers/board.ts'
import { offerHooks } from './offers/hooks.ts'
import { offerImport } from './offers/import.ts'
import { offerInstall } from './offers/install.ts'
import { offerInstructions } from './offers/instructions.ts'
import { offerMcp } from './offers/mcp.ts'
import type { OfferName, Problem, SetupOffer, Watched } from './offers/offer.ts'
import { offerTrust } from './offers/trust.ts'
import type { Surroundings } from './surroundings.ts'

/** What whoever was asked has said: by a flag, at the terminal, or nothing. */
export type Answer = 'yes' | 'no' | 'not_asked'

export interface OfferResult {
  name: OfferName
  /** `nothing`: there was nothing to do it for. */
  outcome: 'done' | 'already' | 'declined' | 'not_asked' | 'nothing' | 'failed'
  about: string
  files: SetupStep[]
  /** What is left for the person to do. */
  notes: string[]
  problems: Problem[]
}

/**
 * Before anything is asked: throws where no project can be made. Whoever names the home folder itself means it, as where a
 * container's one folder is both; where our own folder would lie in the same place, it cannot be.
 */
export async function requireProjectFolder(config: Config, isNamed: boolean): Promise<void> {
  const { project, userHome, home } = config
  const isFree = isNamed && project === userHome && home !== join(project, '.ralph')
  if (holdsHome(config) && !isFree) {
    const what = project === userHome ? 'is your home folder' : 'holds your home folder'
    // Whoever is further down has come up here by a repository or an old .ralph on the way.
    const here = project === process.cwd() ? '' : '; for the folder you are in: ralph init --project .'
    throw new RalphError('invalid_input', `${project} ${what}: all that you have would be one project`, {
      hint: `Go to a project (cd my-project) and run ralph init there${here}`,
    })
  }
  try {
    await access(project, constants.W_OK)
  } catch (error) {
    throw new RalphError(
      'read_only',
      `${project} cannot be written to (${errnoOf(error)}): nothing was set up`,
      {
        hint: 'A project keeps its memory in itself, in .ralph/: check the permissions of the folder.',
        cause: error,
      },
    )
  }
}

/** In the order in which they are done. Each looks for itself; none of them changes anything yet. */
export async function offersFor(ralph: Ralph, surroundings: Surroundings): Promise<SetupOffer[]> {
  return [
    offerInstall(surroundings),
    offerBoard(ralph),
    // Before the hooks, which the server may answer.
    await offerMcp(ralph, surroundings),
    await offerTrust(ralph, surroundings),
    await offerInstructions(ralph, surroundings),
    await offerHooks(ralph, surroundings),
    await offerImport(ralph, surroundings),
  ]
}

/** Makes `.ralph/`: what everything else stands on. */
export async function makeProject(ralph: Ralph): Promise<SetupStep[]> {
  const files = await setUpProject(ralph.config, { board: false })
  await ralph.identity.key()
  return files
}

/** Does what was agreed to. One that fails says so, and the others are done all the same. */
export async function takeUp(offer: SetupOffer, answer: Answer, watched: Watched): Promise<OfferResult> {
  throwIfAborted(watched.signal)
  const { name, state, about, problem } = offer
  const result = (outcome: OfferResult['outcome'], problems = problem ? [problem] : []): OfferResult => ({
    name,
    outcome,
    about,
    files: [],
    notes: [],
    problems,
  })
  if (state === 'there') return result('already')
  if (answer === 'no') return result('declined', [])
  if (state === 'blocked') return result(answer === 'yes' ? 'failed' : 'not_asked')
  if (answer === 'not_asked' || !offer.accept) return result(state === 'nothing' ? 'nothing' : 'not_asked')
  try {
    const { problems = [], notes = [], ...done } = await offer.accept(watched)
    return { name, outcome: problems.length > 0 ? 'failed' : 'done', ...done, notes, problems }
  } catch (error) {
    if (!isRalphError(error) || error.code === 'cancelled') throw error
    return result('failed', [{ message: error.message, hint: error.hint }])
  }
}
