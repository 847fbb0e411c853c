import { compareStatements } from '../text/polarity/polarity.ts'
import { quoted } from '../text/quote.ts'
import { type Against, againstEachOther, cleanWords, coversScope, sharesScope } from './append.ts'
import {
  type Care,
  type CareResult,
  careRefused,
  findLearning,
  noSuchLearnings,
  refusedTo,
  withoutLearnings,
} from './care.ts'
import { type Anchor, type FeatureLearning, LEARNING_CAP, learningId } from './learning.ts'

/** What a person wants changed; what is not given stays. */
export interface NewWords {
  text?: string | undefined
  reason?: string | undefined
}

/**
 * A person's new words for something that is known. They are looked at like any others: what says the same or the opposite
 * is found anew. It keeps when it was seen and where it comes from, and says who put it so.
 */
export function editLearning(
  learnings: readonly FeatureLearning[],
  id: string,
  { text, reason, files }: NewWords & { files?: Anchor[] | undefined },
  { by, decided }: Care,
): CareResult {
  const learning = findLearning(learnings, id)
  if (!learning) return noSuchLearnings(learnings, [id])
  if (by !== 'person') return refusedTo(learnings, learning, by)
  const words = cleanWords({ ...learning, text: text ?? learning.text, reason: reason ?? learning.reason })
  if ('refusal' in words) return careRefused(learnings, words.refusal)
  const reworded = words.text !== learning.text
  if (!reworded && words.reason === learning.reason) return careRefused(learnings, 'nothing would change')
  const { conflictsWith: _, cameBackIn: __, ...kept } = learning
  const edited: FeatureLearning = {
    ...(reworded ? kept : learning),
    text: words.text,
    reason: words.reason,
    source: 'human',
    reviewed: true,
    ...(decided && {
      decided,
      edited: { ...decided, formerly: learning.edited?.formerly ?? learning.source },
    }),
    ...(reworded && files && files.length > 0 && { files }),
  }
  if (!reworded) return done(replaced(learnings, learning, edited), edited, [])
  const others = withoutLearnings(learnings, [learning])
  const twin = twinOf(others, edited, learning)
  if (twin)
    return careRefused(learnings, `${learningId(twin)} says that already: merge them, or say it otherwise`)
  const conflicts = others.flatMap((other): Against[] => {
    const { verdict, reason: how } = compareStatements(other.text, edited.text)
    return verdict === 'conflict' && sharesScope(other, edited) ? [{ learning: other, how }] : []
  })
  const at = learnings.indexOf(learning)
  const list = [...others.slice(0, at), edited, ...others.slice(at)]
  if (conflicts.length === 0) return done(list, edited, [])
  const flagged = againstEachOther(list, edited, conflicts)
  return done(flagged.learnings, flagged.learning, conflicts)
}

function done(learnings: FeatureLearning[], learning: FeatureLearning, conflicts: Against[]): CareResult {
  const [first] = conflicts
  return {
    outcome: 'edited',
    learnings,
    learning,
    ...(first && { conflicts }),
    why: first
      ? `edited; now it contradicts ${quoted(first.learning.text, LEARNING_CAP)}: ${quoted(first.how, LEARNING_CAP)}`
      : 'edited',
  }
}

/** Another that says what the new words say. One that came as close to the old words was left beside them on purpose. */
function twinOf(
  others: readonly FeatureLearning[],
  edited: FeatureLearning,
  former: FeatureLearning,
): FeatureLearning | undefined {
  const isTwin = (other: FeatureLearning, text: string) =>
    compareStatements(other.text, text).verdict === 'duplicate'
  return others.find(
    (other) =>
      learningId(other) === learningId(edited) ||
      (coversScope(other, edited) && isTwin(other, edited.text) && !isTwin(other, former.text)),
  )
}

function replaced(
  learnings: readonly FeatureLearning[],
  former: FeatureLearning,
  now: FeatureLearning,
): FeatureLearning[] {
  return learnings.map((learning) => (learning === former ? now : learning))
}
