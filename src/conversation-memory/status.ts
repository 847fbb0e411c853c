import type { SpendReport } from '../spend/report.ts'
import type { Conversations } from './conversations.ts'
import type { ItemKind } from './documents.ts'
import type { LastRetrieval } from './retrieve/last-retrieval.ts'
import type { ConversationSettings } from './settings.ts'
import type { EmbeddingCounts, WorkerName, WorkerStatus } from './workers/workers.ts'

export interface RetrievalStatus {
  enabled: boolean
  history: { conversations: number; exchanges: number }
  embeddings: EmbeddingCounts
  settings: ConversationSettings
  lastRetrieval: LastRetrieval | null
}

export async function retrievalStatus(conversations: Conversations): Promise<RetrievalStatus> {
  const settings = await conversations.settings.read()
  return {
    enabled: settings.ragEnabled,
    history: await conversations.history.counts(),
    embeddings: await conversations.workers.embeddings(),
    settings,
    lastRetrieval: (await conversations.lastRetrieval()) ?? null,
  }
}

export interface WorkersStatus {
  workers: WorkerStatus[]
  embeddings: EmbeddingCounts
  /** Who writes the summaries, e.g. "extractive". */
  summariser: string
  spend: SpendReport
}

export async function workersStatus(
  conversations: Conversations,
  names: readonly WorkerName[],
): Promise<WorkersStatus> {
  const { workers, summariserId } = conversations
  const embeddings = await workers.embeddings()
  return {
    workers: await Promise.all(names.map((name) => workers.status(name, embeddings))),
    embeddings,
    summariser: summariserId,
    spend: await conversations.spend(),
  }
}

export interface RebuildPlan {
  kinds: readonly ItemKind[]
  /** Vectors that are deleted. */
  deletes: number
  /** Vectors that are made again, in all and by kind. */
  embeds: number
  embedsOf: Partial<Record<ItemKind, number>>
  /** Null while nobody knows what one costs. */
  costUsd: number | null
}

/** What making the vectors anew would delete and cost. */
export async function rebuildPlan(
  conversations: Conversations,
  kinds: readonly ItemKind[],
): Promise<RebuildPlan> {
  const { workers } = conversations
  const counts = await workers.embeddings()
  const { totals } = await workers.status('embedding')
  const embedding = (await conversations.spentByMonth()).filter(({ purpose }) => purpose === 'embedding')
  const spentUsd = embedding.reduce((sum, { usd }) => sum + usd, 0)
  const embedsOf = Object.fromEntries(
    kinds.map((kind) => [kind, counts[kind].embedded + counts[kind].waiting]),
  )
  const embeds = Object.values(embedsOf).reduce((sum, items) => sum + items, 0)
  return {
    kinds,
    deletes: kinds.reduce((sum, kind) => sum + counts[kind].embedded, 0),
    embeds,
    embedsOf,
    costUsd: totals.completed > 0 ? (spentUsd / totals.completed) * embeds : null,
  }
}
