import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { isRalphError, RalphError } from '../errors.ts'
import { withFileLock } from '../files/file-lock.ts'
import { requireOwnFolder } from '../files/own-files.ts'
import { removeFolder } from '../files/remove-folder.ts'
import { forgetProjectNotes } from '../hooks/forget-notes.ts'
import { dismissHelper } from '../hooks/helper-address.ts'
import { VouchedLearnings } from '../learnings/vouched.ts'
import { loopLock } from '../loop/loop-lock.ts'
import { WaitingIterations } from '../project-knowledge/waiting-iterations.ts'
import type { Ralph } from '../ralph.ts'
import { TrustStore } from '../trust/trust-store.ts'
import { ChangeLog } from '../undo/change-log.ts'
import { keepsOwnDatabase } from './held-memory.ts'
import { type HomeRemoval, isNothingStored, removeEmptyHome } from './tidy-home.ts'

/** What went with the project's folder, and whether the user's own went too: nothing was left in it. */
export interface ForgottenMemory extends HomeRemoval {
  conversations: number
  knowledge: number
  gates: number
}

const NOTHING = { conversations: 0, knowledge: 0, gates: 0 }

/** Before anything is taken out: throws where that cannot be finished. */
export async function requireRemovable(config: Config): Promise<void> {
  requireNoHome(config)
  requireOwnFolder(join(config.project, '.ralph'))
  await requireNoLoop(config)
}

/** Throws where `.ralph` is the user's own folder, which holds the memory of all projects. */
function requireNoHome({ project, home }: Config): void {
  if (home !== join(project, '.ralph')) return
  throw new RalphError(
    'invalid_input',
    `${home} is your own folder: it holds what memory keeps for all projects`,
    {
      hint: 'Go to the project (cd my-project), or name it: ralph uninstall --project my-project',
    },
  )
}

/**
 * Removes `.ralph/` and what the user's folder notes about the project; with `stored` also what the user's database has of
 * it. Whoever calls it has asked `requireRemovable`. Closes `ralph`.
 */
export async function removeProjectFolder(
  ralph: Ralph,
  { stored }: { stored: boolean },
): Promise<ForgottenMemory> {
  const { config, identity } = ralph
  const forgotten = stored ? await forgetStored(ralph) : NOTHING
  forgetProjectNotes(config)
  const trust = new TrustStore({ file: config.paths.trust, project: config.project })
  if (trust.names().length > 0) await trust.trustOnly([])
  // What could be undone here, and what was seen and decided here of its learnings.
  new ChangeLog(config).forget()
  new VouchedLearnings(config).forget()
  new WaitingIterations(config).forget()
  const nothingLeft = await isNothingStored(ralph)
  // Nobody may have a file open that is about to go.
  await ralph.close()
  // Last of all: whoever opens a memory notes where its project lies.
  await identity.forget()
  dismissHelper(config.home)
  const held = await removeFolder(join(config.project, '.ralph'))
  const unused = nothingLeft && held.length === 0
  return { ...forgotten, ...(unused ? await removeEmptyHome(config) : { home: false, held }) }
}

/** Where there is no project: only what programs have left in the user's folder, if nobody's memory is in it. Closes `ralph`. */
export async function removeUnusedHome(ralph: Ralph): Promise<HomeRemoval> {
  if (!existsSync(ralph.config.home) || !(await isNothingStored(ralph))) return { home: false, held: [] }
  await ralph.close()
  return removeEmptyHome(ralph.config)
}

/** What is filed under the project in the user's database; a server's is for others too, and stays. */
async function forgetStored(ralph: Ralph): Promise<Omit<ForgottenMemory, keyof HomeRemoval>> {
  const { config } = ralph
  if (!keepsOwnDatabase(config) || !existsSync(config.paths.userDatabase)) return NOTHING
  const conversations = await (await ralph.openConversations()).ofProject(config.project).forget()
  const { entries, gates } = await (await ralph.openKnowledge()).forgetProject()
  return { conversations, knowledge: entries, gates }
}

async function requireNoLoop({ paths }: Config): Promise<void> {
  if (!existsSync(paths.cache)) return
  try {
    await withFileLock(loopLock(paths.cache), async () => undefined, { timeoutMs: 0 })
  } catch (error) {
    if (!isRalphError(error) || error.code !== 'timeout') throw error
    throw new RalphError('conflict', 'a loop is running in this project', {
      hint: 'Stop it first (Ctrl-C where it runs), or wait until it has ended; then: ralph uninstall. Nothing was taken out.',
      cause: error,
    })
  }
}
