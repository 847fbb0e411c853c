import { lstatSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Board } from '../board/board.ts'
import { type Config, projectDemands } from '../config.ts'
import { isRalphError } from '../errors.ts'
import { requireOwnFolder } from '../files/own-files.ts'
import { orLeftOut } from '../settings-layers.ts'
import { agentCalled } from '../transcripts/agents.ts'
import { boardDemands } from '../trust/board-demands.ts'
import type { Demand } from '../trust/demand.ts'
import { TrustStore } from '../trust/trust-store.ts'

/** What came with a clone and waits for a person, or stands in the way. */
export interface CloneFinding {
  detail: string
  hint: string
  means?: string
}

/** Links under `.ralph`: nothing goes through them. */
export function findLinks({ paths }: Config): CloneFinding | undefined {
  const root = dirname(paths.database)
  try {
    requireOwnFolder(root)
  } catch (error) {
    if (!isRalphError(error)) throw error
    return { detail: error.message, hint: error.hint ?? '' }
  }
  const links = linksIn(root)
  if (links.length === 0) return undefined
  const more = links.length > 1 ? ` (and ${links.length - 1} more)` : ''
  return {
    detail: `${links[0]} is a link, which ralph does not follow${more}`,
    hint: `Take it away: rm ${links.join(' ')}`,
    means: 'What it leads to is neither read nor written.',
  }
}

function linksIn(folder: string): string[] {
  if (!lstatSync(folder, { throwIfNoEntry: false })) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isSymbolicLink()) return [path]
    return entry.isDirectory() ? linksIn(path) : []
  })
}

/** What the project's files ask for at this moment and nobody has trusted. */
export async function untrustedDemands(
  config: Config,
  board: Pick<Board, 'tasks' | 'disciplines'>,
  ofFile = (read: () => Promise<Demand[]>) => read(),
): Promise<Demand[]> {
  const { isTrusted } = new TrustStore({ file: config.paths.trust, project: config.project })
  const ofSettings = await ofFile(() => projectDemands(config))
  const ownAgent = agentCalled(config.settings.loop.agent[0]!)
  const ofBoard = await ofFile(async () =>
    boardDemands(await board.tasks(), await board.disciplines(), ownAgent),
  )
  const all = [...ofSettings, ...ofBoard]
  return all.filter((demand) => !isTrusted(demand))
}

export async function findUntrusted(
  config: Config,
  board: Pick<Board, 'tasks' | 'disciplines'>,
): Promise<CloneFinding | undefined> {
  // Settings and a board that cannot be read are told of by themselves.
  const waiting = await untrustedDemands(config, board, (read) =>
    orLeftOut([], config.paths.projectFile, read, []),
  )
  if (waiting.length === 0) return undefined
  return { detail: `${waiting.map(({ name }) => name).join(', ')}: without effect`, hint: 'ralph trust' }
}
