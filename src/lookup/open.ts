import type { Feature } from '../board/feature.ts'
import type { Task } from '../board/task.ts'
import type { Conversation, Exchange, Message } from '../conversation-memory/record.ts'
import type { Piece } from '../documents/record.ts'
import { RalphError } from '../errors.ts'
import { type ErrorAround, errorsAround, type LedgerEntry } from '../feature-memory/ledger/ledger.ts'
import type { IterationRecord } from '../feature-memory/record.ts'
import type { ShownLearning } from '../learnings/display.ts'
import type { Gate } from '../project-knowledge/gate.ts'
import type { ProjectKnowledge } from '../project-knowledge/project-knowledge.ts'
import { readReceipt, receiptsFolder } from '../receipts/read.ts'
import type { ReceiptReport } from '../receipts/receipt.ts'
import type { Address } from './address.ts'
import type { Lookups } from './find.ts'

export interface OpenedIteration {
  kind: 'iteration'
  feature: string
  record: IterationRecord
  /** Its own name, also where a merge brought two of the same number. */
  recordId: string
  previousOnTask?: number
  nextOnTask?: number
  errors: ErrorAround[]
  learnings: ShownLearning[]
}
export interface OpenedFeature {
  kind: 'feature'
  name: string
  /** Absent where there are only recorded iterations. */
  feature?: Feature
  currentState: string
  iterations: number
  learnings: ShownLearning[]
  tasks: Task[]
}
export interface OpenedTask {
  kind: 'task'
  task: Task
  iterations: { iterationNumber: number; outcome: string; timestamp: string }[]
}
export interface OpenedExchange {
  kind: 'exchange'
  exchange: Exchange
  conversation: Conversation
  /** All that happened between the message and the answer. */
  steps: Message[]
}

export interface OpenedPiece {
  kind: 'document'
  piece: Piece
  /** What stands before and after it. */
  before?: Piece
  after?: Piece
}

/** One thing with all that is known of it. */
export type Opened =
  | OpenedIteration
  | { kind: 'learning'; feature: string; learning: ShownLearning; files: string[] }
  | { kind: 'error'; feature: string; error: LedgerEntry }
  | OpenedFeature
  | OpenedTask
  | ({ kind: 'knowledge' } & Awaited<ReturnType<ProjectKnowledge['show']>>)
  | { kind: 'conversation'; conversation: Conversation & { tags: string[] }; exchanges: Exchange[] }
  | OpenedExchange
  | OpenedPiece
  | { kind: 'receipt'; receipt: ReceiptReport }
  | { kind: 'gate'; gate: Gate }

export function open(lookups: Lookups, address: Address): Promise<Opened> {
  switch (address.kind) {
    case 'iteration':
      return openIteration(lookups, address)
    case 'learning':
      return openLearning(lookups, address)
    case 'error':
      return openError(lookups, address)
    case 'feature':
      return openFeature(lookups, address.feature)
    case 'task':
      return openTask(lookups, address.taskId)
    case 'pattern':
      return openEntry(lookups, address.entryId)
    case 'conversation':
      return openConversation(lookups, address.conversationId)
    case 'exchange':
      return openExchange(lookups, address.exchangeId)
    case 'document':
      return openPiece(lookups, address.pieceId)
    case 'receipt':
      return openReceipt(lookups, address.receiptId)
    case 'gate':
      return openGate(lookups, address.gateId)
  }
}

type Of<Kind extends Address['kind']> = Extract<Address, { kind: Kind }>

async function openIteration(lookups: Lookups, address: Of<'iteration'>): Promise<OpenedIteration> {
  const { feature, iterationNumber, recordId } = address
  const found = await (await lookups.featureMemory.timeline(feature)).iteration(iterationNumber, recordId)
  if (!found) throw gone('iteration')
  const { id, record, previousOnTask, nextOnTask } = found
  const learnings = await learningsOf(lookups, feature)
  return {
    ...{ kind: 'iteration', feature, record, recordId: id },
    ...(previousOnTask !== undefined && { previousOnTask }),
    ...(nextOnTask !== undefined && { nextOnTask }),
    errors: errorsAround(iterationNumber, await lookups.featureMemory.errors(feature)),
    learnings: learnings.filter(({ iteration }) => iteration === iterationNumber),
  }
}

async function openLearning(
  lookups: Lookups,
  { feature, learningId }: Of<'learning'>,
): Promise<Extract<Opened, { kind: 'learning' }>> {
  const learning = (await learningsOf(lookups, feature)).find(({ id }) => id === learningId)
  if (!learning) throw gone('learning')
  const written = (await lookups.learnings.known(feature)).find(({ id }) => id === learningId)
  return { kind: 'learning', feature, learning, files: (written?.files ?? []).map(({ path }) => path) }
}

async function learningsOf({ featureMemory, learnings }: Lookups, feature: string): Promise<ShownLearning[]> {
  const [latest] = await featureMemory.recent(feature, 1)
  return learnings.list(feature, { iteration: latest?.iterationNumber })
}

async function openError(
  { featureMemory }: Lookups,
  { feature, errorId }: Of<'error'>,
): Promise<Extract<Opened, { kind: 'error' }>> {
  const error = (await featureMemory.errors(feature)).find(({ id }) => id === errorId)
  if (!error) throw gone('error')
  return { kind: 'error', feature, error }
}

async function openFeature(lookups: Lookups, name: string): Promise<OpenedFeature> {
  const { board, featureMemory } = lookups
  const feature = await board.findFeature(name)
  const { iterations } = await featureMemory.statistics(name)
  return {
    ...{ kind: 'feature', name, iterations },
    ...(feature && { feature }),
    currentState: await board.currentState(name),
    learnings: await learningsOf(lookups, name),
    tasks: await board.tasks({ feature: name }),
  }
}

const MOST_ITERATIONS = 20

async function openTask({ board, featureMemory }: Lookups, taskId: number): Promise<OpenedTask> {
  const task = await board.task(taskId)
  const timeline = await featureMemory.timeline(task.feature)
  const { iterations } = await timeline.page({ taskId, limit: MOST_ITERATIONS })
  return {
    ...{ kind: 'task', task },
    iterations: iterations.map(({ record: { iterationNumber, outcome, timestamp } }) => ({
      ...{ iterationNumber, outcome, timestamp },
    })),
  }
}

async function openEntry({ knowledge }: Lookups, id: string): Promise<Opened> {
  return { kind: 'knowledge', ...(await knowledge.show(id)) }
}

const PAGE = 200

async function openConversation({ conversations }: Lookups, id: string): Promise<Opened> {
  const { conversation } = await conversations.read(id, { limit: 1 })
  const exchanges: Exchange[] = []
  for (;;) {
    const from = (exchanges.at(-1)?.position ?? -1) + 1
    const page = await conversations.history.exchangesOf(id, { from, limit: PAGE })
    exchanges.push(...page)
    if (page.length < PAGE) return { kind: 'conversation', conversation, exchanges }
  }
}

async function openExchange({ conversations }: Lookups, id: string): Promise<OpenedExchange> {
  const { exchange, conversation } = await conversations.readExchange(id, { limit: 1 })
  const steps: Message[] = []
  for (;;) {
    const page = await conversations.history.stepsOf(id, { from: steps.length, limit: PAGE })
    steps.push(...page)
    if (page.length < PAGE) return { kind: 'exchange', exchange, conversation, steps }
  }
}

async function openPiece({ documents }: Lookups, id: string): Promise<OpenedPiece> {
  const around = await documents.around(id)
  const piece = around.find((one) => one.id === id)
  if (!piece) throw gone('document')
  const before = around.find(({ position }) => position < piece.position)
  const after = around.find(({ position }) => position > piece.position)
  return { kind: 'document', piece, ...(before && { before }), ...(after && { after }) }
}

async function openReceipt({ config }: Lookups, id: string): Promise<Opened> {
  return { kind: 'receipt', receipt: await readReceipt(receiptsFolder(config.paths), id) }
}

async function openGate({ knowledge, config }: Lookups, id: string): Promise<Opened> {
  return { kind: 'gate', gate: await knowledge.gates.show(id, { project: config.project }) }
}

/** Between finding and opening. */
function gone(what: string): RalphError {
  return new RalphError('not_found', `the ${what} has been removed meanwhile`, { hint: 'ralph search WORDS' })
}
