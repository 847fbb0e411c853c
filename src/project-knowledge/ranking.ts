import { plural } from '../text/plural.ts'
import type { KnowledgeKind } from './entry.ts'

/** What the order of patterns is made of. */
export interface PatternEvidence {
  kind: KnowledgeKind
  /** With the question, on the product's score scale. */
  similarity: number
  successes: number
  /** How often the task succeeded, or failed, after the pattern had been put into its prompt. */
  helped: number
  misled: number
  /** What it shares with the question, by which it was not filtered. */
  sharedTechnology?: string | undefined
}

export interface RankFactor {
  name: 'similarity' | 'successes' | 'quality' | 'experience' | 'technology'
  factor: number
  /** For people: where the factor comes from. */
  because: string
}

export interface Rank {
  /** The product of the factors. */
  value: number
  factors: RankFactor[]
}

/** What people said at a gate outweighs what an agent found by itself. */
const QUALITY: Record<KnowledgeKind, { factor: number; name: string }> = {
  failure_solution: { factor: 1, name: 'high: a verified solution' },
  gate_rejection: { factor: 1.1, name: "highest: a person's feedback" },
  gate_approval: { factor: 1.1, name: 'highest: approved by a person at the first attempt' },
}
/** Each doubling of the successes counts the same; a pattern cannot win by numbers alone. */
const PER_DOUBLING = 0.15
const MOST_FOR_SUCCESSES = 1.75
/** What helped elsewhere may help here; what helped with the same technology more likely. */
const SAME_TECHNOLOGY = 1.1
/** Experience starts as if two of three injections had helped, so that one bad run does not condemn a pattern. */
const PRIOR = { helped: 2, misled: 1 }
/** A pattern that has misled this much is no longer offered. */
const TRUSTED_FROM = 0.4

/** Similarity, successes, quality of the kind, and what came of it when it was used. Age plays no part. */
export function rankOf(evidence: PatternEvidence): Rank {
  const { kind, similarity, successes, sharedTechnology } = evidence
  const factors: RankFactor[] = [
    { name: 'similarity', factor: similarity, because: 'to the question' },
    {
      name: 'successes',
      factor: Math.min(MOST_FOR_SUCCESSES, 1 + PER_DOUBLING * Math.log2(Math.max(1, successes))),
      because: plural(successes, 'success', 'successes'),
    },
    { name: 'quality', factor: QUALITY[kind].factor, because: QUALITY[kind].name },
    { name: 'experience', factor: experience(evidence), because: experienceText(evidence) },
    ...(sharedTechnology
      ? [{ name: 'technology' as const, factor: SAME_TECHNOLOGY, because: sharedTechnology }]
      : []),
  ]
  return { value: factors.reduce((product, { factor }) => product * factor, 1), factors }
}

/** False once a pattern has misled so often that showing it does harm. */
export function isTrusted(evidence: Pick<PatternEvidence, 'helped' | 'misled'>): boolean {
  return experience(evidence) >= TRUSTED_FROM
}

/** 1 without experience, above when it helped, below when it misled. */
function experience({ helped, misled }: Pick<PatternEvidence, 'helped' | 'misled'>): number {
  const expected = PRIOR.helped / (PRIOR.helped + PRIOR.misled)
  return (helped + PRIOR.helped) / (helped + misled + PRIOR.helped + PRIOR.misled) / expected
}

function experienceText({ helped, misled }: PatternEvidence): string {
  if (helped + misled === 0) return 'not yet tried from a prompt'
  return `after being shown: ${helped} succeeded, ${misled} failed`
}
