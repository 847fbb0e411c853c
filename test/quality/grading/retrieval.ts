import { inNewLibrary } from '../library.ts'
import { PlainBm25 } from '../references/bm25.ts'
import type { Dense } from '../references/dense.ts'
import { type Figures, type MeasureResult, SYSTEMS, type System } from '../results.ts'
import {
  type Collection,
  type Document,
  type Found,
  type Question,
  RANKED,
  type RetrievalSet,
} from '../shape.ts'
import { abstentionOf, type Shown } from './abstention.ts'
import { estimateMean } from './bootstrap.ts'
import { type Half, halfOf } from './halves.ts'
import { isRight } from './measures.ts'
import { forEachPart } from './parts.ts'

interface Ranked {
  question: Question
  half: Half
  rankings: Record<System, Found[]>
}

/** Puts a set into the library, asks all of its questions and those that it has no answer to, and grades the answers. */
export async function gradeRetrieval<Kept extends Document>(
  set: RetrievalSet<Kept>,
  unrelated: readonly string[],
  dense: Dense,
): Promise<Figures> {
  const collections = set.load()
  const ranked: Ranked[] = []
  const shown: Shown[] = []
  for (const [at, collection] of collections.entries()) {
    // Where a set is kept in several libraries, each gets its share of the unrelated questions.
    const strange = unrelated.filter((_, index) => index % collections.length === at)
    const answered = await answersFrom(set, collection, strange, dense)
    ranked.push(...answered.ranked)
    shown.push(...answered.shown)
  }
  return {
    documents: collections.reduce((sum, { documents }) => sum + documents.length, 0),
    measures: set.measures.map((measure) => measured(measure, ranked)),
    abstention: forEachPart(shown, ({ half }) => half, abstentionOf),
  }
}

async function answersFrom<Kept extends Document>(
  set: RetrievalSet<Kept>,
  { documents, questions, half }: Collection<Kept>,
  unrelated: readonly string[],
  dense: Dense,
): Promise<{ ranked: Ranked[]; shown: Shown[] }> {
  return inNewLibrary(async (ralph) => {
    const words = new PlainBm25(documents)
    const [asking, meaning, vectors] = await Promise.all([
      set.put(ralph, documents),
      dense.index(documents),
      dense.embed(
        questions.map(({ text }) => text),
        'query',
      ),
    ])
    const partOf = (question: string) => half ?? halfOf(question)
    const ranked: Ranked[] = []
    const shown: Shown[] = []
    for (const [at, question] of questions.entries()) {
      const isAnswer = (one: Found) => isRight(one, question)
      const [ours, answer] = [await asking.rank(question.text), await asking.ask(question.text)]
      if (question.relevant.length > 0) {
        const rankings = {
          words: words.rank(question.text, RANKED),
          meaning: meaning.rank(vectors[at]!, RANKED),
          ours,
        }
        ranked.push({ question, half: partOf(question.text), rankings })
      }
      const isKnown = ours.slice(0, set.shownByDefault).some(isAnswer)
      shown.push({
        half: partOf(question.text),
        hasAnswer: question.relevant.length > 0,
        isKnown,
        answer,
        isAnswer,
      })
    }
    for (const question of unrelated) {
      const answer = await asking.ask(question)
      shown.push({ half: partOf(question), hasAnswer: false, isKnown: false, answer, isAnswer: () => false })
    }
    return { ranked, shown }
  })
}

function measured(
  { name, kind, grade }: RetrievalSet['measures'][number],
  ranked: readonly Ranked[],
): MeasureResult {
  const graded = ranked
    .filter(({ question }) => kind === undefined || question.kind === kind)
    .map(({ question, half, rankings }) => ({
      half,
      grades: SYSTEMS.map((system) => grade(rankings[system], question)),
    }))
  const figures = forEachPart(
    graded,
    ({ half }) => half,
    (part) =>
      Object.fromEntries(
        SYSTEMS.map((system, at) => [system, estimateMean(part.map(({ grades }) => grades[at]!))]),
      ),
  )
  return { name, figures }
}
