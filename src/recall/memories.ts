import { placeText } from '../documents/record.ts'
import { FINDING_TYPES, type Finding } from '../feature-memory/finding.ts'
import { relevanceOf } from '../retrieval/relevance.ts'
import { isAgentName } from '../transcripts/agents.ts'
import type { Asked, AskedMemories } from './recall.ts'
import type { FoundMemory } from './recollection.ts'
import { searchableFeatures } from './searchable.ts'

/** How each of the memories answers. */

/** Asked for when some may lie outside the time that is wanted. */
const MORE = 4

export async function fromFeatures(memories: AskedMemories, asked: Asked): Promise<FoundMemory[]> {
  const types = FINDING_TYPES.filter((type) => asked.kinds.includes(type))
  if (types.length === 0) return []
  const features = asked.feature === undefined ? await searchableFeatures(memories) : [asked.feature]
  const found: FoundMemory[] = []
  for (const feature of features) {
    const findings = await memories.featureMemory.recall(feature, asked.query, { ...asked, types })
    for (const finding of findings) found.push(ofFinding(feature, finding))
  }
  return found
}

function ofFinding(feature: string, finding: Finding): FoundMemory {
  const { score, relevance, matched, alike } = finding
  return { ...toldBy(feature, finding), score, relevance, matched, ...(alike && { alike }) }
}

function toldBy(
  feature: string,
  finding: Finding,
): Pick<FoundMemory, 'address' | 'title' | 'text' | 'outcome' | 'agent' | 'timestamp'> {
  switch (finding.type) {
    case 'iteration': {
      const { iterationNumber, taskTitle, summary, outcome, agent, timestamp } = finding.record
      const address = { kind: 'iteration', feature, iterationNumber } as const
      const text = summary.startsWith(taskTitle) ? summary : `${taskTitle}: ${summary}`
      return { address, title: taskTitle, text, outcome, ...(agent && { agent }), timestamp }
    }
    case 'learning': {
      const { id, text, reason } = finding.learning
      const address = { kind: 'learning', feature, learningId: id } as const
      return { address, title: '', text: `${text} (because ${reason})` }
    }
    case 'feature':
      return { address: { kind: 'feature', feature }, title: '', text: finding.text }
  }
}

export async function fromKnowledge(
  { knowledge, hasStored }: AskedMemories,
  { query, kinds, ...options }: Asked,
): Promise<FoundMemory[]> {
  if (!kinds.includes('pattern') || hasStored?.() === false) return []
  const isTimed = options.since !== undefined || options.until !== undefined
  const limit = isTimed ? options.limit * MORE : options.limit
  const patterns = await knowledge.queryForTask({ description: query }, { ...options, limit })
  return patterns
    .filter(({ capturedAt }) => isWithin(capturedAt, options))
    .map(({ id, score, matched, problem, solution, capturedAt }) => ({
      address: { kind: 'pattern', entryId: id },
      title: '',
      text: `${problem} → ${solution}`,
      score,
      relevance: relevanceOf(score),
      matched,
      timestamp: capturedAt,
    }))
}

export async function fromConversations(
  { conversations, hasStored }: AskedMemories,
  { query, kinds, limit, minScore, since, until, signal }: Asked,
): Promise<FoundMemory[]> {
  if (!kinds.includes('exchange') || hasStored?.() === false) return []
  const { results } = await conversations.search(query, {
    limit,
    minSimilarity: minScore,
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
    ...(signal && { signal }),
  })
  return results
    .filter(({ exchange }) => isWithin(exchange.startedAt?.toISOString(), { since, until }))
    .map(({ exchange, conversation, similarity, relevance, matched, duplicates }) => ({
      address: { kind: 'exchange', conversationId: conversation.id, exchangeId: exchange.id },
      title: conversation.title,
      text: `${exchange.userMessage} → ${exchange.assistantMessage}`,
      score: similarity,
      relevance,
      matched,
      ...(conversation.from !== undefined && { from: conversation.from }),
      ...(isAgentName(conversation.source) && { agent: conversation.source }),
      ...(exchange.startedAt && { timestamp: exchange.startedAt.toISOString() }),
      ...(duplicates.length > 0 && { alike: duplicates.length }),
    }))
}

/** They have no time of their own: what is asked of a time is not asked of them. */
export async function fromDocuments(
  { documents, hasStored }: AskedMemories,
  { query, kinds, limit, minScore, since, until, signal }: Asked,
): Promise<FoundMemory[]> {
  if (!documents || !kinds.includes('document') || hasStored?.() === false) return []
  if (since !== undefined || until !== undefined) return []
  const found = await documents.search(query, { limit, minScore, signal })
  return found.map(({ piece, score, relevance, matched, alike }) => ({
    address: { kind: 'document', pieceId: piece.id },
    title: [piece.title, ...piece.headings].filter(isNew).join(' › '),
    text: piece.text,
    place: placeText(piece.path, piece.place),
    ...{ score, relevance, matched },
    ...(alike > 0 && { alike }),
  }))
}

function isNew<One>(one: One, at: number, all: readonly One[]): boolean {
  return all.indexOf(one) === at
}

/** Whether it lies in the time that is wanted. All three in the form of `toISOString`, which sorts by time. */
export function isWithin(
  timestamp: string | undefined,
  { since, until }: Pick<Asked, 'since' | 'until'>,
): boolean {
  if (since === undefined && until === undefined) return true
  if (timestamp === undefined) return false
  return (since === undefined || timestamp >= since) && (until === undefined || timestamp <= until)
}
