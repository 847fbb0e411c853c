import type { Board } from '../board/board.ts'
import type { Conversations } from '../conversation-memory/conversations.ts'
import type { Deferred } from '../deferred.ts'
import type { Documents } from '../documents/documents.ts'
import { placeText } from '../documents/record.ts'
import { isRalphError, RalphError } from '../errors.ts'
import type { FeatureMemory } from '../feature-memory/feature-memory.ts'
import type { Learnings } from '../learnings/store.ts'
import type { Notices } from '../notices.ts'
import { problemOf } from '../project-knowledge/entry-text.ts'
import type { ProjectKnowledge } from '../project-knowledge/project-knowledge.ts'
import { searchableFeatures } from '../recall/searchable.ts'
import { receiptsFolder, receiptsLike } from '../receipts/read.ts'
import { type IdKind, matchingId, readId, SHORTEST_ID } from '../text/short-id.ts'

import { type Address, idOf } from './address.ts'
import { iterationsNamed } from './iterations.ts'

/** Where ids are looked up. */
export interface Lookups {
  config: { project: string; paths: Parameters<typeof receiptsFolder>[0] }
  featureMemory: FeatureMemory
  learnings: Deferred<Learnings>
  board: Deferred<Board>
  knowledge: Deferred<ProjectKnowledge>
  conversations: Deferred<Conversations>
  documents: Deferred<Documents>
  notices: Notices
}

/** Something that a typed id may mean, with a line that tells it from others. */
export interface Candidate {
  address: Address
  line: string
}

export interface FindOptions {
  /** Only of this feature, where it is of one at all. */
  feature?: string | undefined
  /** Only of this kind. */
  only?: IdKind | undefined
  /** For the agent of a run, which is told by the loop what projects know. */
  inRun?: boolean | undefined
}

interface Asked extends FindOptions {
  id: string
}
type Finder = (lookups: Lookups, asked: Asked) => Promise<Candidate[]>

/** Everything that an id may mean: the whole id, its beginning, or what another command has printed. */
export async function find(lookups: Lookups, typed: string, options: FindOptions = {}): Promise<Candidate[]> {
  if (typed.trim() === '')
    throw new RalphError('invalid_input', 'the id is empty', { hint: 'ralph search WORDS' })
  for (const { kind, id } of readId(typed.replace(/^#/, ''))) {
    if (kind && options.only && kind !== options.only) continue
    const wanted = kind ?? options.only
    const found: Candidate[] = []
    for (const [one, finder] of Object.entries(FINDERS) as [IdKind, Finder][]) {
      if ((wanted && one !== wanted) || (options.inRun && one === 'knowledge')) continue
      const ask = () => finder(lookups, { ...options, id })
      found.push(...(await answered(lookups, one, wanted !== undefined, ask)))
    }
    const exact = found.filter(({ address }) => idOf(address).id === id)
    if (found.length > 0) return exact.length > 0 ? exact : found
  }
  return []
}

/** What is down does not hide what is not, unless it alone was asked for. */
async function answered(
  { notices }: Lookups,
  kind: IdKind,
  isWanted: boolean,
  find: () => Promise<Candidate[]>,
): Promise<Candidate[]> {
  try {
    return await find()
  } catch (error) {
    if (isWanted || !isRalphError(error) || error.code === 'cancelled') throw error
    const message = `${kind}: could not be looked through: ${error.message}`
    notices.once({ key: `lookup ${kind}`, message, hint: error.hint ?? 'ralph doctor' })
    return []
  }
}

async function featuresOf(lookups: Lookups, { feature }: Asked): Promise<string[]> {
  return feature === undefined ? searchableFeatures(lookups) : [feature]
}

const tasks: Finder = async ({ board }, { id, feature }) => {
  if (!/^\d{1,15}$/.test(id)) return []
  const found = (await board.tasks({ feature })).filter((task) => task.id === Number(id))
  return found.map((task) => ({
    address: { kind: 'task', feature: task.feature, taskId: task.id },
    line: task.title,
  }))
}

const features: Finder = async (lookups, asked) => {
  const known = await featuresOf(lookups, asked)
  const wanted = asked.id.normalize('NFC')
  const names = known.includes(wanted) ? [wanted] : known.filter((name) => isBeginning(wanted, name))
  return names.map((feature) => ({ address: { kind: 'feature', feature }, line: 'feature' }))
}

/** Names are words: of one that is not known, two letters may do. */
function isBeginning(typed: string, name: string): boolean {
  return typed.length >= 2 && !/^\d+$/.test(typed) && name.toLowerCase().startsWith(typed.toLowerCase())
}

const iterations: Finder = async (lookups, asked) =>
  iterationsNamed(lookups.featureMemory, await featuresOf(lookups, asked), asked.id)

const learnings: Finder = async (lookups, asked) => {
  if (asked.id.length < SHORTEST_ID) return []
  const all = []
  for (const feature of await featuresOf(lookups, asked))
    for (const learning of await lookups.learnings.known(feature)) all.push({ feature, ...learning })
  return matchingId(all, asked.id, ({ id }) => id).map(({ feature, id, text }) => ({
    address: { kind: 'learning', feature, learningId: id },
    line: `${feature}: ${text}`,
  }))
}

const errors: Finder = async (lookups, asked) => {
  if (asked.id.length < SHORTEST_ID) return []
  const all = []
  for (const feature of await featuresOf(lookups, asked))
    for (const entry of await lookups.featureMemory.errors(feature)) all.push({ feature, ...entry })
  return matchingId(all, asked.id, ({ id }) => id).map(({ feature, id, message }) => ({
    address: { kind: 'error', feature, errorId: id },
    line: `${feature}: ${message}`,
  }))
}

const knowledge: Finder = async (lookups, { id }) =>
  (await lookups.knowledge.like(id)).map((entry) => ({
    address: { kind: 'pattern', entryId: entry.id },
    line: problemOf(entry),
  }))

const conversations: Finder = async (lookups, { id }) =>
  (await lookups.conversations.ids.named('conversation', id)).map((one) => ({
    address: { kind: 'conversation', conversationId: one.id },
    line: one.line,
  }))

const exchanges: Finder = async (lookups, { id }) =>
  (await lookups.conversations.ids.named('exchange', id)).map((one) => ({
    address: { kind: 'exchange', conversationId: one.conversationId, exchangeId: one.id },
    line: one.line,
  }))

const pieces: Finder = async (lookups, { id }) =>
  (await lookups.documents.pieces.like(id)).map((piece) => ({
    address: { kind: 'document', pieceId: piece.id },
    line: placeText(piece.path, piece.place),
  }))

const receipts: Finder = async ({ config }, { id }) =>
  receiptsLike(receiptsFolder(config.paths), id).map((receipt) => ({
    address: { kind: 'receipt', receiptId: receipt.id },
    line: `${receipt.surface} ${receipt.event}${receipt.withheld ? ' (withheld)' : ''}, ${receipt.timestamp.slice(0, 16).replace('T', ' ')}`,
  }))

const gates: Finder = async (lookups, { id }) =>
  (await lookups.knowledge.gates.like(id, { project: lookups.config.project })).map((gate) => ({
    address: { kind: 'gate', gateId: gate.id },
    line: `${gate.taskTitle} (${gate.state})`,
  }))

/** In the order in which candidates are listed. */
const FINDERS = {
  task: tasks,
  feature: features,
  iteration: iterations,
  learning: learnings,
  error: errors,
  gate: gates,
  knowledge,
  conversation: conversations,
  exchange: exchanges,
  piece: pieces,
  receipt: receipts,
} satisfies Partial<Record<IdKind, Finder>>
