import type { Knowledge } from './entry.ts'
import { problemOf, solutionOf } from './entry-text.ts'
import { filterName } from './fields.ts'
import { isTrusted, type Rank, rankOf } from './ranking.ts'
import { type EntryReading, type Relation, readKnowledge, relationOf } from './relation.ts'
import type { KnowledgeEntry } from './rows.ts'
import { type CaptureSource, sourceKey, sourceWeight } from './sources.ts'

/** An entry that a search found. */
export interface FoundEntry {
  entry: KnowledgeEntry
  /** 0 to 1; means the same with every embedder. */
  score: number
  matched: readonly ('meaning' | 'words')[]
  sources: readonly CaptureSource[]
}

/** What one or more entries that say the same are presented as. */
export interface Pattern {
  /** The id of the entry whose words are shown. */
  id: string
  kind: Knowledge['kind']
  problem: string
  solution: string
  whenToTry: string
  /** ISO 8601; of the entry whose words are shown. */
  capturedAt: string
  /** Over all entries of the pattern; what stands behind several counts once, and no single source weighs more than a few. */
  successCount: number
  helped: number
  misled: number
  /** Of the entry that matches best. */
  score: number
  matched: readonly ('meaning' | 'words')[]
  rank: Rank
  /** Has misled so often that it is no longer put into prompts. */
  setAside: boolean
  /** Other answers to the same problem. */
  conflictsWith: { id: string; how: 'alternative' | 'opposite' }[]
  entries: { id: string; project: string; score: number; successCount: number }[]
  /** The tasks and people it comes from. */
  sources: CaptureSource[]
}

/** An entry that was found, read for comparison. */
type Read = FoundEntry & { reading: EntryReading }

/**
 * Groups what was found into patterns, the most promising first, those of the same technology before others; one that
 * says the opposite comes right behind.
 */
export function patternsOf(found: readonly FoundEntry[], technology = ''): Pattern[] {
  const groups: Read[][] = []
  for (const one of found.toSorted((a, b) => b.score - a.score)) {
    const read = { ...one, reading: readKnowledge(one.entry) }
    const group = groups.find((members) => relationOf(members[0]!.reading, read.reading) === 'same')
    if (group) group.push(read)
    else groups.push([read])
  }
  const readings = new Map<Pattern, EntryReading>()
  for (const group of groups) readings.set(patternOf(group, technology), group[0]!.reading)
  const ordered = [...readings.keys()].sort((a, b) => b.rank.value - a.rank.value || compare(a.id, b.id))
  return sideBySide(ordered, (a, b) => relationOf(readings.get(a)!, readings.get(b)!))
}

function patternOf(group: readonly FoundEntry[], technology: string): Pattern {
  const total = (count: (entry: KnowledgeEntry) => number) =>
    group.reduce((sum, { entry }) => sum + count(entry), 0)
  const best = group[0]!
  const named = group.flatMap(({ sources }) => sources)
  const sources = [...new Map(named.map((source) => [sourceKey(source), source])).values()]
  // What an import brought beyond the sources it names.
  const unnamed = total((entry) => entry.successCount) - named.length
  const leader = group.toSorted((a, b) => ownRank(b) - ownRank(a))[0]!.entry
  const evidence = {
    kind: leader.kind,
    similarity: best.score,
    successes: Math.max(1, sourceWeight(sources, unnamed)),
    helped: total((entry) => entry.helped),
    misled: total((entry) => entry.misled),
    sharedTechnology: group
      .map(({ entry }) => entry.technology)
      .find((name) => name !== '' && filterName(name) === filterName(technology)),
  }
  return {
    id: leader.id,
    kind: leader.kind,
    problem: problemOf(leader),
    solution: solutionOf(leader),
    whenToTry: whenToTry(leader),
    capturedAt: leader.capturedAt,
    successCount: evidence.successes,
    helped: evidence.helped,
    misled: evidence.misled,
    score: best.score,
    matched: best.matched,
    rank: rankOf(evidence),
    setAside: !isTrusted(evidence),
    conflictsWith: [],
    entries: group.map(({ entry, score }) => ({
      id: entry.id,
      project: entry.project,
      score,
      successCount: entry.successCount,
    })),
    sources,
  }
}

function ownRank({ entry, score, sources }: FoundEntry): number {
  const { kind, successCount, helped, misled } = entry
  const successes = sourceWeight(sources, successCount - sources.length)
  return rankOf({ kind, similarity: score, successes, helped, misled }).value
}

/** Behind each pattern come those that say the opposite about the same problem, so that they are read together. */
function sideBySide(patterns: readonly Pattern[], relation: (a: Pattern, b: Pattern) => Relation): Pattern[] {
  const ordered: Pattern[] = []
  const waiting = [...patterns]
  for (let pattern = waiting.shift(); pattern; pattern = waiting.shift()) {
    ordered.push(pattern)
    for (const other of [...waiting]) {
      const how = relation(pattern, other)
      if (how !== 'alternative' && how !== 'opposite') continue
      pattern.conflictsWith.push({ id: other.id, how })
      other.conflictsWith.push({ id: pattern.id, how })
      if (how === 'opposite') ordered.push(...waiting.splice(waiting.indexOf(other), 1))
    }
  }
  return ordered
}

/** Where the entry comes from, as a condition that the agent can check. */
function whenToTry(knowledge: Knowledge): string {
  const { technology, taskType, agentType } = knowledge
  const setting = [
    technology && `with ${technology}`,
    taskType && `in ${taskType} tasks`,
    agentType && `for ${agentType} agents`,
  ].filter(Boolean)
  return [situation(knowledge), setting.join(', ')].filter(Boolean).join(', ')
}

function situation(knowledge: Knowledge): string {
  switch (knowledge.kind) {
    case 'failure_solution':
      return knowledge.errorMessage === '' ? 'when the same failure shows' : 'when the same error shows'
    case 'gate_rejection':
      return `before asking for the ${knowledge.gateType} gate`
    case 'gate_approval':
      return `before asking for the ${knowledge.gateType} gate; this was approved at the first attempt`
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
