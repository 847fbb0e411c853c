import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { writeFileAtomically } from '../files/atomic-write.ts'
import { withFileLock } from '../files/file-lock.ts'
import { keptJson, keptJsonToChange, removeKeptJson } from '../files/kept-json.ts'
import { announceChange, noteChange, type VouchedChange } from '../noted-change.ts'
import { shortHash } from '../text/ids.ts'
import { z } from '../text/schema.ts'
import { type FeatureLearning, LEARNING_SOURCES, learningId } from './learning.ts'

/** What this machine knows of a learning by itself, whatever the file in the repository says of it. */
const Vouched = z.object({
  /** Absent where it was only counted or reviewed here: somebody else brought it. */
  source: z.optional(z.enum(LEARNING_SOURCES)),
  reviewed: z._default(z.boolean(), false),
  hit_count: z._default(z.int().check(z.nonnegative()), 0),
})
export type Vouched = z.infer<typeof Vouched>

const Stored = z.object({
  version: z.literal(1),
  /** By feature, then by the learning's id, which is a hash of what it says. */
  features: z.record(z.string(), z.record(z.string(), Vouched)),
})
type Stored = z.infer<typeof Stored>

/** Other branches may have other learnings, so what is gone from the file is not forgotten at once. */
const MOST_KEPT = 500

interface Change {
  before: readonly FeatureLearning[]
  after: readonly FeatureLearning[]
  reviewed?: FeatureLearning | undefined
  /** Somebody here put it into words. */
  written?: FeatureLearning | undefined
  /** What has gone lives on in what has changed. */
  merges: boolean
}

/**
 * A repository can claim anything about its learnings: that a person wrote them, reviewed them, saw them 41 times. What was
 * seen and decided on this machine stands in the user's own folder, where no clone can write.
 */
export class VouchedLearnings {
  readonly #file: string

  constructor({ home, project }: { home: string; project: string }) {
    this.#file = join(home, 'learnings', `${shortHash(project, 16)}.json`)
  }

  of(feature: string): Readonly<Record<string, Vouched>> {
    return this.#read().features[feature] ?? {}
  }

  /** Nothing of it is left. */
  forget(): void {
    removeKeptJson(this.#file)
  }

  /** Notes what one change of ours has made of a feature's learnings; `reviewed` was looked at by somebody here. */
  async note(feature: string, { before, after, reviewed, written, merges }: Change): Promise<void> {
    const former = new Map(before.map((learning) => [learningId(learning), learning]))
    const changed = after.filter((learning) => former.get(learningId(learning)) !== learning)
    if (changed.length === 0) return
    const left = new Set(after.map(learningId))
    const gone = [...former.keys()].filter((id) => !left.has(id))
    await withFileLock(`${this.#file}.lock`, async () => {
      const stored = this.#readToChange()
      const known = stored.features[feature] ?? {}
      const merged = merges ? gone.map((id) => known[id]) : []
      const news = changed.map((learning) => {
        const id = learningId(learning)
        const counted = vouchedNow(learning, former.get(id), known[id], merged)
        const now = learning === written ? { ...counted, source: learning.source } : counted
        return [id, learning === reviewed ? { ...now, reviewed: learning.reviewed } : now] as const
      })
      const all = Object.entries({ ...known, ...Object.fromEntries(news) })
      stored.features[feature] = Object.fromEntries(all.slice(-MOST_KEPT))
      const before = Object.fromEntries(news.map(([id]) => [id, known[id] ?? null]))
      await this.#change(stored, { of: 'learnings', feature, before, after: Object.fromEntries(news) })
    })
  }

  /** Takes a noted change back; what was seen or decided since is kept. */
  async takeBack({ feature, before, after }: VouchedChange): Promise<void> {
    await withFileLock(`${this.#file}.lock`, async () => {
      const stored = this.#readToChange()
      const known = { ...stored.features[feature] }
      const now = Object.fromEntries(Object.keys(after).map((id) => [id, known[id] ?? null]))
      for (const [id, left] of Object.entries(after)) {
        const former = Vouched.safeParse(before[id])
        if (!isDeepStrictEqual(withoutAbsent(now[id]), withoutAbsent(left))) continue
        if (former.success) known[id] = former.data
        else delete known[id]
      }
      stored.features[feature] = known
      const taken = Object.fromEntries(Object.keys(after).map((id) => [id, known[id] ?? null]))
      await this.#change(stored, { of: 'learnings', feature, before: now, after: taken })
    })
  }

  /** Whether all that a change was about is as the change left it. */
  isAsLeftBy({ feature, after }: VouchedChange): boolean {
    const known = this.of(feature)
    return Object.entries(after).every(([id, left]) =>
      isDeepStrictEqual(withoutAbsent(known[id] ?? null), withoutAbsent(left)),
    )
  }

  async #change(stored: Stored, change: VouchedChange): Promise<void> {
    announceChange(change)
    await writeFileAtomically(this.#file, `${JSON.stringify(stored, null, 1)}\n`, { mode: 0o600 })
    noteChange(change)
  }

  /** Absent or damaged: then nothing is vouched for, and is told as such. */
  #read(): Stored {
    return keptJson(this.#file, Stored.parse) ?? { version: 1, features: {} }
  }

  #readToChange(): Stored {
    return keptJsonToChange(this.#file, Stored.parse) ?? { version: 1, features: {} }
  }
}

/** As it comes back from a file. */
function withoutAbsent(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null))
}

/** `merged`: what was known of those that live on in it. */
function vouchedNow(
  { source, hitCount }: FeatureLearning,
  former: FeatureLearning | undefined,
  known: Vouched | undefined,
  merged: readonly (Vouched | undefined)[],
): Vouched {
  const seen = merged.reduce((sum, one) => sum + (one?.hit_count ?? 0), 0)
  const more = Math.min(hitCount - (former?.hitCount ?? 0), merged.length > 0 ? seen : 1)
  const isOurs = former ? source !== former.source : merged.length === 0 || source === 'opus_reviewed'
  const inherited = [known, ...merged].find((one) => one?.source === source)?.source
  return {
    source: isOurs ? source : (inherited ?? known?.source),
    reviewed: known?.reviewed ?? false,
    hit_count: (known?.hit_count ?? 0) + Math.max(0, more),
  }
}

export type BelievedLearning = Omit<FeatureLearning, 'source'> & {
  source: FeatureLearning['source'] | 'repository'
}

/** The learning with what may be believed of where it comes from. */
export function believed(learning: FeatureLearning, vouched: Vouched | undefined): BelievedLearning {
  const { decided, edited, ...rest } = learning
  const reviewed = vouched?.reviewed ?? false
  return {
    ...rest,
    ...(reviewed && decided && { decided }),
    ...(reviewed && edited && { edited }),
    source: vouched?.source ?? 'repository',
    reviewed,
    hitCount: Math.max(1, vouched?.hit_count ?? 1),
  }
}
