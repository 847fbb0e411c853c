import { errorSignature } from '../text/error-signature.ts'
import { compareStatements, findOtherManner } from '../text/polarity/polarity.ts'
import { type Item, readStatement } from '../text/polarity/statement.ts'
import type { Knowledge } from './entry.ts'
import { solutionOf } from './entry-text.ts'

/** How two entries stand to each other: the last three only when they are about the same problem. */
export type Relation = 'unrelated' | 'same' | 'alternative' | 'opposite'

/** An entry read once, to be compared with many. */
export interface EntryReading {
  kind: Knowledge['kind']
  /** Entries with different ones have different problems. */
  scope: string
  /** What two entries with the same error share, whatever words were found for it. */
  error: string
  problem: Text
  solution: Text
  /** What the work at a gate was about; empty for a failure. */
  task: Text
}

interface Text {
  text: string
  words: ReadonlySet<string>
}

/** With a smaller share of common words nothing is the same, nor the opposite: most pairs are settled by this. */
const WORTH_COMPARING = 0.4
/** From this share on, texts that deny nothing of each other and name the same things say the same. */
const ALIKE = 0.75
const TELLING_ERROR = 20
/** Longer texts are compared by their beginning. */
const LONGEST_COMPARED = 600

export function readKnowledge(knowledge: Knowledge): EntryReading {
  const { kind } = knowledge
  const solution = textOf(solutionOf(knowledge))
  switch (kind) {
    case 'failure_solution': {
      const signature = errorSignature(knowledge.errorMessage)
      // "exit code 1" is no problem one could recognise.
      const error = signature.length >= TELLING_ERROR ? signature : ''
      // Paths, numbers and ids differ from run to run and make no other problem.
      const problem = textOf(errorSignature(`${knowledge.failureDescription}\n${knowledge.errorMessage}`))
      return { kind, scope: '', error, problem, solution, task: textOf('') }
    }
    case 'gate_rejection':
      return {
        kind,
        scope: knowledge.gateType,
        error: '',
        problem: textOf(knowledge.humanFeedback),
        solution,
        task: textOf(knowledge.taskTitle),
      }
    case 'gate_approval':
      return {
        kind,
        scope: knowledge.gateType,
        error: '',
        // What was approved for another task answers another question, even in the same words.
        problem: textOf(knowledge.taskTitle),
        solution,
        task: textOf(knowledge.taskTitle),
      }
  }
}

/** The same about the same work: feedback that another task got as well stays by itself, to be found by that task. */
export function areTwins(a: EntryReading, b: EntryReading): boolean {
  return relationOf(a, b) === 'same' && compareTexts(a.task, b.task) === 'same'
}

export function relationOf(a: EntryReading, b: EntryReading): Relation {
  if (!haveSameProblem(a, b)) return 'unrelated'
  const verdict = compareTexts(a.solution, b.solution)
  return verdict === 'different' ? 'alternative' : verdict
}

function haveSameProblem(a: EntryReading, b: EntryReading): boolean {
  if (a.kind !== b.kind || a.scope !== b.scope) return false
  return (a.error !== '' && a.error === b.error) || compareTexts(a.problem, b.problem) === 'same'
}

function compareTexts(a: Text, b: Text): 'same' | 'opposite' | 'different' {
  const common = share(a.words, b.words)
  if (common < WORTH_COMPARING) return 'different'
  if (a.text.toLowerCase() === b.text.toLowerCase()) return 'same'
  const [textA, textB] = [a.text.slice(0, LONGEST_COMPARED), b.text.slice(0, LONGEST_COMPARED)]
  const { verdict } = compareStatements(textA, textB)
  if (verdict === 'conflict') return 'opposite'
  const [left, right] = [readStatement(textA), readStatement(textB)]
  const agree =
    left.denials % 2 === right.denials % 2 &&
    findOtherManner(left, right) === undefined &&
    share(named(left.items), named(right.items)) === 1
  return agree && (verdict === 'duplicate' || common >= ALIKE) ? 'same' : 'different'
}

/** Names from the code and numbers are what a solution hangs on: one that only one of them has makes another one. */
function named(items: readonly Item[]): Set<string> {
  return new Set(items.filter(({ kind }) => kind === 'name' || kind === 'number').map(({ lemma }) => lemma))
}

function textOf(text: string): Text {
  return { text, words: new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []) }
}

/** Of what they have together, the part they have in common. */
function share(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0
  for (const word of a) if (b.has(word)) common++
  const all = a.size + b.size - common
  return all === 0 ? 1 : common / all
}
