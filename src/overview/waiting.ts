import { existsSync } from 'node:fs'
import type { Board } from '../board/board.ts'
import type { Config } from '../config.ts'
import type { Deferred } from '../deferred.ts'
import { isRalphError, messageOf } from '../errors.ts'
import type { FeatureMemory } from '../feature-memory/feature-memory.ts'
import { untrustedDemands } from '../health/clone-checks.ts'
import type { ProjectIdentity } from '../identity/identity.ts'
import type { Learnings } from '../learnings/store.ts'
import type { ProjectKnowledge } from '../project-knowledge/project-knowledge.ts'
import { plural } from '../text/plural.ts'
import { shellWord } from '../text/shell-word.ts'
import { shortId } from '../text/short-id.ts'
import { oneLine } from '../text/truncate.ts'
import { gateItem, type WaitingItem, type WaitingReport, waitingReport } from './waiting-item.ts'

export type { WaitingKind, WaitingReport } from './waiting-item.ts'

export interface WaitingParts {
  config: Config
  identity: Pick<ProjectIdentity, 'look'>
  board: Deferred<Board>
  learnings: Deferred<Learnings>
  featureMemory: FeatureMemory
  knowledge: Deferred<ProjectKnowledge>
}

/** All that waits for a person in this project. What cannot be looked at is said, and the rest goes on. */
export async function whatWaits(parts: WaitingParts, { withGates = true } = {}): Promise<WaitingReport> {
  const looks: (readonly [part: string, look: (parts: WaitingParts) => Promise<WaitingItem[]>])[] = [
    ...(withGates ? ([['gates', gates]] as const) : []),
    ['settings', untrusted],
    ['project', copies],
    ['board', boardProblems],
    ['learnings', learnings],
    ['reviews', dueReviews],
  ]
  const troubles: WaitingReport['troubles'] = []
  const found = await Promise.all(
    looks.map(async ([part, look]) => {
      try {
        return await look(parts)
      } catch (error) {
        const hint = isRalphError(error) ? error.hint : undefined
        troubles.push({ part, message: messageOf(error), ...(hint && { hint }) })
        return []
      }
    }),
  )
  return waitingReport(found.flat(), troubles)
}

/** Whoever has that many does not come to the last of them here. */
const MOST_GATES = 500

/** Looking does not make a database that is not there yet. */
async function gates({ config, knowledge }: WaitingParts): Promise<WaitingItem[]> {
  const { settings, paths, project } = config
  if (settings.storage.driver === 'sqlite' && !existsSync(paths.userDatabase)) return []
  const { entries } = await knowledge.gates.list({ state: 'waiting', project, limit: MOST_GATES })
  return entries.map(gateItem)
}

async function untrusted({ config, board }: WaitingParts): Promise<WaitingItem[]> {
  const demands = await untrustedDemands(config, board)
  return demands.map(({ name, effect }) => ({
    kind: 'trust',
    about: name,
    detail: `${effect}: without effect until a person trusts it`,
    count: 1,
    command: 'ralph trust',
  }))
}

async function copies({ identity }: WaitingParts): Promise<WaitingItem[]> {
  const { problem, path, state } = identity.look()
  if (!problem) return []
  const command = state === 'apart' ? 'ralph project id --same, or --new' : 'ralph doctor'
  return [{ kind: 'copy', about: path, detail: problem.message, count: 1, command }]
}

async function boardProblems({ board }: WaitingParts): Promise<WaitingItem[]> {
  const problems = await board.problems()
  return problems.map(({ kind, message, hint = 'ralph doctor', mendable }) => ({
    kind: 'board',
    about: message,
    detail: kind === 'broken' ? 'the file cannot be used until it is corrected' : 'probably not as meant',
    count: 1,
    command: mendable ? 'ralph doctor --fix' : hint,
  }))
}

const LONGEST_TEXT = 80

async function learnings({ board, learnings: store }: WaitingParts): Promise<WaitingItem[]> {
  const items: WaitingItem[] = []
  for (const { name } of await board.features()) {
    const known = await store.known(name)
    const ids = new Set(known.map(({ id }) => id))
    const textOf = (id: string) =>
      JSON.stringify(oneLine(known.find((one) => one.id === id)?.text ?? '', LONGEST_TEXT))
    const settled = new Set<string>()
    for (const { id, text, conflictsWith = [] } of known) {
      const others = conflictsWith.filter((other) => ids.has(other) && !settled.has(other))
      settled.add(id)
      if (others.length === 0) continue
      items.push({
        kind: 'conflict',
        about: text,
        detail: `contradicts ${plural(others.length, 'other learning')} (${textOf(others[0]!)}): one of them is wrong, or both hold (--keep-both)`,
        count: 1,
        feature: name,
        id,
        command: `ralph learnings review ${shortId('learning', id)} --keep-this --feature ${shellWord(name)}`,
      })
    }
    const unseen = known.filter(({ source, reviewed }) => !reviewed && source !== 'human')
    if (unseen.length > 0)
      items.push({
        kind: 'learnings',
        about: name,
        detail: `${plural(unseen.length, 'learning')} that nobody has looked at`,
        count: unseen.length,
        feature: name,
        id: unseen[0]!.id,
        command: `ralph learnings list --feature ${shellWord(name)}`,
      })
  }
  return items
}

/** Where the loop reviews every so many iterations and nobody has let it. */
async function dueReviews({ config, board, featureMemory }: WaitingParts): Promise<WaitingItem[]> {
  const { reviewEvery } = config.settings.loop
  if (reviewEvery === 0) return []
  const open = new Set((await board.readyTasks()).map(({ feature }) => feature))
  const items: WaitingItem[] = []
  for (const feature of await featureMemory.features()) {
    if (!open.has(feature) || !(await isReviewDue(featureMemory, feature, reviewEvery))) continue
    items.push({
      kind: 'due_review',
      about: feature,
      detail: `a review is due: ${plural(reviewEvery, 'iteration')} or more since the last`,
      count: 1,
      feature,
      command: 'ralph loop',
    })
  }
  return items
}

async function isReviewDue(memory: FeatureMemory, feature: string, reviewEvery: number): Promise<boolean> {
  let since = 0
  for await (const { kind } of memory.journal(feature).newestFirst()) {
    if (kind === 'review') return false
    if (kind === 'task' && ++since >= reviewEvery) return true
  }
  return false
}
