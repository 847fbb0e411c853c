import { isRalphError } from '../errors.ts'
import type { MemoryNote } from '../feature-memory/feature-memory.ts'
import type { AskedMemories } from '../recall/recall.ts'
import type { MemoryAddress, Recollection } from '../recall/recollection.ts'
import type { MeaningSample } from '../retrieval/collection.ts'
import { oneLine } from '../text/truncate.ts'
import { fairShares } from './shares.ts'

/** A memory as it is shown on the map. */
export interface MapMemory
  extends Pick<Recollection, 'address' | 'title' | 'text' | 'outcome' | 'timestamp'> {
  /** Of its document in the index. */
  id: string
}

export interface Gathered {
  /** Whose vectors they are; undefined when there are none. */
  embedderId: string | undefined
  memories: (MapMemory & { vector: Float32Array })[]
  /** How many there are in all, shown or not. */
  documents: number
  /** Left out because another model embedded them. */
  otherModel: number
}

type Sampled = MeaningSample<MapMemory>
/** One memory, or one feature of it: at most so many, always the same. */
type Source = (limit: number) => Promise<Sampled>

/** At most so many memories, of each feature and each memory some. One that is down is left out, which is said. */
export async function gather(
  memories: AskedMemories,
  features: readonly string[],
  most: number,
): Promise<Gathered> {
  const sources = [
    ...features.map((feature) => orNothing(memories, `feature ${feature}`, ofFeature(memories, feature))),
    orNothing(memories, 'project knowledge', ofKnowledge(memories)),
    orNothing(memories, 'conversation memory', ofConversations(memories)),
  ]
  const sizes: number[] = []
  for (const source of sources) sizes.push((await source(1)).documents)
  const samples: Sampled[] = []
  for (const [at, share] of fairShares(sizes, most).entries())
    if (share > 0) samples.push(await sources[at]!(share))
  const embedderId = mostUsed(samples)
  // Without any vector nothing is of another model: it only waits.
  const isOurs = (sample: Sampled) => embedderId === undefined || sample.embedderId === embedderId
  const total = (ours: boolean) =>
    samples.filter((sample) => isOurs(sample) === ours).reduce((sum, { documents }) => sum + documents, 0)
  return {
    embedderId,
    memories: samples.flatMap((sample) => (isOurs(sample) ? sample.sampled : [])),
    documents: total(true),
    otherModel: total(false),
  }
}

/** Vectors of two models cannot be compared: while some still wait to be embedded anew, the larger part is shown. */
function mostUsed(samples: readonly Sampled[]): string | undefined {
  const counts = new Map<string, number>()
  for (const { embedderId, sampled } of samples) {
    if (embedderId !== undefined && sampled.length > 0)
      counts.set(embedderId, (counts.get(embedderId) ?? 0) + sampled.length)
  }
  return [...counts].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))[0]?.[0]
}

function ofFeature({ featureMemory }: AskedMemories, feature: string): Source {
  return async (limit) => {
    const sample = await featureMemory.sample(feature, limit)
    return described(sample, (note) => {
      const { title, text, outcome, timestamp } = note
      const when = { ...(outcome && { outcome }), ...(timestamp !== undefined && { timestamp }) }
      return { address: addressOf(feature, note), title, text, ...when }
    })
  }
}

function addressOf(feature: string, { type, iterationNumber, learningId }: MemoryNote): MemoryAddress {
  if (type === 'iteration') return { kind: type, feature, iterationNumber: iterationNumber ?? 0 }
  return type === 'learning' ? { kind: type, feature, learningId: learningId ?? '' } : { kind: type, feature }
}

function ofKnowledge({ knowledge }: AskedMemories): Source {
  return async (limit) =>
    described(await knowledge.sample(limit), ({ id, text, capturedAt }) => ({
      address: { kind: 'pattern', entryId: id },
      title: '',
      text,
      timestamp: capturedAt,
    }))
}

function ofConversations({ conversations }: AskedMemories): Source {
  return async (limit) =>
    described(await conversations.sample(limit), ({ exchange }) => ({
      address: { kind: 'exchange', conversationId: exchange.conversationId, exchangeId: exchange.id },
      title: '',
      text: `${exchange.userMessage} → ${exchange.assistantMessage}`,
      ...(exchange.startedAt && { timestamp: exchange.startedAt.toISOString() }),
    }))
}

/** What is read of one memory at a glance. */
const LONGEST_TEXT = 160

function described<One>(
  sample: MeaningSample<One>,
  describe: (one: One & { id: string }) => Omit<MapMemory, 'id'>,
): Sampled {
  const sampled = sample.sampled.map((one) => {
    const { text, title, ...memory } = describe(one)
    const shown = { title: oneLine(title, LONGEST_TEXT), text: oneLine(text.slice(0, 2_000), LONGEST_TEXT) }
    return { id: one.id, vector: one.vector, ...memory, ...shown }
  })
  return { ...sample, sampled }
}

function orNothing({ notices }: AskedMemories, name: string, source: Source): Source {
  const key = `map ${name}`
  return async (limit) => {
    try {
      const sample = await source(limit)
      notices.recovered(key)
      return sample
    } catch (error) {
      if (!isRalphError(error) || error.code === 'cancelled') throw error
      const message = `${name} is missing from the map: ${error.message}`
      notices.once({ key, message, hint: error.hint ?? 'ralph doctor' })
      return { documents: 0, sampled: [] }
    }
  }
}
