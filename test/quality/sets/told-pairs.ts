import type { Ralph } from '../../../src/index.ts'
import { estimate } from '../grading/bootstrap.ts'
import { halfOf } from '../grading/halves.ts'
import { forEachPart } from '../grading/parts.ts'
import { inNewLibrary } from '../library.ts'
import { wordsOf } from '../references/bm25.ts'
import { cosine, type Dense } from '../references/dense.ts'
import { type MeasureResult, SYSTEMS, type System } from '../results.ts'

/** What became of two statements: one learning or two, and with or without a conflict. */
export type Verdict = 'same' | 'conflict' | 'other'
export type Pair = readonly [a: string, b: string]

const FEATURE = 'statements'
/** A board is written as a whole: few at a time are quicker. Each pair has a task of its own, so that no other is compared. */
const PAIRS_A_BOARD = 3

/** Tells one after the other, as two people would who learned something about the same task. */
async function verdictOf({ learnings }: Ralph, taskId: number, [a, b]: Pair): Promise<Verdict> {
  const say = (text: string) =>
    learnings.append(FEATURE, { text, reason: 'somebody said so', source: 'human', taskId })
  const first = await say(a)
  if (first.outcome !== 'added') throw new Error(`not learned: ${JSON.stringify(a)}: ${first.why}`)
  const { outcome, why } = await say(b)
  switch (outcome) {
    case 'counted':
    case 'known':
      return 'same'
    case 'conflict':
      return 'conflict'
    case 'added':
      return 'other'
    default:
      throw new Error(`not learned: ${JSON.stringify(b)}: ${why}`)
  }
}

/** What the library makes of each pair. */
export async function verdictsOf(pairs: readonly Pair[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  while (verdicts.length < pairs.length) {
    const some = pairs.slice(verdicts.length, verdicts.length + PAIRS_A_BOARD)
    await inNewLibrary(async (ralph) => {
      await ralph.board.addFeature({ name: FEATURE })
      for (const [at, pair] of some.entries()) verdicts.push(await verdictOf(ralph, at + 1, pair))
    })
  }
  return verdicts
}

/** How alike the two are by their words, and by their meaning. */
export async function likenessOf(
  pairs: readonly Pair[],
  dense: Dense,
): Promise<Record<'words' | 'meaning', number[]>> {
  const left = await dense.embed(pairs.map(([a]) => a))
  const right = await dense.embed(pairs.map(([, b]) => b))
  return {
    words: pairs.map(([a, b]) => commonShare(new Set(wordsOf(a)), new Set(wordsOf(b)))),
    meaning: pairs.map((_, at) => cosine(left[at]!, right[at]!)),
  }
}

/** Share of common words among all words of both (Jaccard). */
function commonShare(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = a.intersection(b).size
  return common / Math.max(1, a.size + b.size - common)
}

/** A figure of the judged ones for each system, on each half. */
export function measureJudged<Judged>(
  name: string,
  judged: readonly Judged[],
  {
    questionOf,
    statistic,
    systems = SYSTEMS,
  }: {
    questionOf: (one: Judged) => string
    statistic: (some: readonly Judged[], system: System) => number
    systems?: readonly System[]
  },
): MeasureResult {
  const figures = forEachPart(
    judged,
    (one) => halfOf(questionOf(one)),
    (part) =>
      Object.fromEntries(
        systems.map((system) => [system, estimate(part, (some) => statistic(some, system))]),
      ),
  )
  return { name, figures }
}

export function share<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  return items.length === 0 ? 0 : items.filter(holds).length / items.length
}
