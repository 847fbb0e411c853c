import { missing } from '../data.ts'
import { sample } from '../grading/halves.ts'
import { gradeRetrieval } from '../grading/retrieval.ts'
import type { Document, GradedSet, RetrievalSet } from '../shape.ts'
import { commandsNl2bash } from './commands-nl2bash.ts'
import { failuresClippy } from './failures-clippy.ts'
import { locomoOneTurn, locomoTwoTurns } from './locomo.ts'
import { notes, projects } from './notes.ts'
import { polarityAntonyms } from './polarity-antonyms.ts'
import { polaritySick } from './polarity-sick.ts'
import { sessionsEntire } from './sessions-entire.ts'

/** So many questions of each other world are asked that have no answer. */
const UNRELATED_EACH = 100

/** Of every world, the questions that have an answer there. */
function questionsOf(set: Loadable): string[] {
  const questions = set.load().flatMap((collection) => collection.questions)
  return [...new Set(questions.filter(({ relevant }) => relevant.length > 0).map(({ text }) => text))]
}

type Loadable = Pick<RetrievalSet, 'world' | 'needs'> & {
  load(): { questions: readonly { text: string; relevant: readonly string[] }[] }[]
}
/** One set of each world lends its questions to the others. */
const LENDERS: readonly Loadable[] = [locomoOneTurn, failuresClippy, commandsNl2bash, sessionsEntire, notes]

function unrelatedTo(world: string): string[] {
  const others = LENDERS.filter((set) => set.world !== world && missing(set.needs) === undefined)
  return others.flatMap((set) => sample(questionsOf(set), UNRELATED_EACH, (text) => text))
}

function graded<Kept extends Document>(set: RetrievalSet<Kept>): GradedSet {
  return { ...set, grade: (dense) => gradeRetrieval(set, unrelatedTo(set.world), dense) }
}

/** In the order of the tables. */
export const SETS: readonly GradedSet[] = [
  graded(locomoOneTurn),
  graded(locomoTwoTurns),
  graded(failuresClippy),
  graded(commandsNl2bash),
  graded(sessionsEntire),
  graded(notes),
  graded(projects),
  polaritySick,
  polarityAntonyms,
]

export function setNamed(name: string): GradedSet {
  const set = SETS.find((one) => one.name === name)
  if (!set) throw new Error(`no set is called ${name}; there are ${SETS.map((one) => one.name).join(', ')}`)
  return set
}
