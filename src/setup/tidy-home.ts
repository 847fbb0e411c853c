import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { ConversationSettings } from '../conversation-memory/settings.ts'
import { textIfAny } from '../files/git-checkout.ts'
import { removeFolder } from '../files/remove-folder.ts'
import type { Ralph } from '../ralph.ts'
import { asObject, parseObject } from '../text/json.ts'
import { keepsOwnDatabase } from './held-memory.ts'

/** What the user's folder holds of ours that is of no use once nothing is remembered of any project. */
const OURS =
  /^(?:(?:ralph|index)\.db(?:-[a-z]+)?|(?:trust|projects)\.json(?:\.lock)?|seal\.key|logs|run|cache|models|undo)$/

/** Whether the user's database, if there is one, holds nothing any more: no conversation, no knowledge, no choice of theirs. */
export async function isNothingStored(ralph: Ralph): Promise<boolean> {
  const { config } = ralph
  if (!keepsOwnDatabase(config)) return false
  if (!existsSync(config.paths.userDatabase)) return true
  const { history, settings } = await ralph.openConversations()
  const knowledge = await ralph.openKnowledge()
  const { entries, staged } = await knowledge.statistics()
  const gates = [
    ...(await knowledge.gates.list({ state: 'waiting', limit: 1 })).entries,
    ...(await knowledge.gates.list({ state: 'decided', limit: 1 })).entries,
  ]
  const left = [(await history.counts()).conversations, entries, ...Object.values(staged), gates.length]
  // Whoever has set something means to come back.
  const asItComes = JSON.stringify(ConversationSettings.parse({}))
  return left.every((count) => count === 0) && JSON.stringify(await settings.read()) === asItComes
}

export interface HomeRemoval {
  /** Whether the user's folder is gone. */
  home: boolean
  /** What of it is left because another program uses it. */
  held: string[]
}

/** Takes away the user's folder if no other project has anything in it. */
export async function removeEmptyHome({ home, paths }: Config): Promise<HomeRemoval> {
  if (!existsSync(home)) return { home: true, held: [] }
  const others = readdirSync(home).filter((name) => !OURS.test(name) && !isEmptyFolder(join(home, name)))
  const inUse =
    others.length > 0 || !isEmptyFolder(join(home, 'undo')) || [paths.places, paths.trust].some(namesProjects)
  if (inUse) return { home: false, held: [] }
  const held = await removeFolder(realpathSync.native(home))
  if (held.length === 0) rmSync(home, { force: true }) // where a link of the user's led to it
  return { home: held.length === 0, held }
}

function namesProjects(file: string): boolean {
  const text = textIfAny(file)
  if (text === undefined) return false
  return Object.keys(asObject(parseObject(text)?.['projects']) ?? { unreadable: true }).length > 0
}

/** Also one that is not there. */
function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(path).length === 0
  } catch {
    return !existsSync(path)
  }
}
