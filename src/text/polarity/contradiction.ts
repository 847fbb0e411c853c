import { quantityClass } from './grammar.ts'
import { areSynonyms } from './lexicon.ts'
import type { Item } from './statement.ts'

/** What two statements have in common: the same thing, or two that exclude each other. */
export interface Pair {
  a: Item
  b: Item
  relation: 'same' | 'exact' | 'contrary'
}

export interface Contradiction {
  reason: string
  /** Otherwise they may both be true, of two things of a kind: "old browsers need it", "new browsers do not need it". */
  certain: boolean
}

/** What goes with its verb and makes no second opposite: "added to the list", "removed from the list". */
const GOES_WITH_VERB = /^(?!before|after|until)/

/** Something that one claims and the other denies. */
export function findContradiction(pairs: readonly Pair[], denyAsOften = false): Contradiction | undefined {
  const accounted = new Set(pairs.filter(isAgreement).map(partOf))
  const clashes = pairs.filter((pair) => {
    if (pair.relation !== 'same') return !isAgreement(pair)
    return isDeniedOnce(pair) && pair.a.kind !== 'direction' && !accounted.has(partOf(pair))
  })
  const [first] = clashes
  if (!first) return undefined
  return {
    reason: first.relation === 'same' ? claimedAndDenied(first.a) : against(first.a, first.b),
    certain: turnsOf(pairs, clashes, denyAsOften) % 2 === 1,
  }
}

/** "not safe" and "dangerous" agree; what stands beside them in the same part is then denied only in appearance. */
function isAgreement(pair: Pair): boolean {
  return pair.relation === 'exact' && isDeniedOnce(pair) && !pair.a.beforeDenial && !pair.b.beforeDenial
}

/** How often it is turned into its opposite: twice, and it is something else that is said of something else. */
function turnsOf(pairs: readonly Pair[], clashes: readonly Pair[], denyAsOften: boolean): number {
  const opposed = clashes.filter(({ relation }) => relation !== 'same')
  const weighty = opposed.filter(({ a }) => a.kind !== 'direction' || !GOES_WITH_VERB.test(a.written))
  const denied = clashes.filter(({ relation }) => relation === 'same')
  // Both deny the same thing, and one of them something besides: it merely says more beside it.
  const byOne = denied.every(({ a }) => a.denied === denied[0]!.a.denied)
  const isScope = denyAsOften && byOne && pairs.some(({ a, b }) => a.denied && b.denied)
  return (weighty.length || Math.min(1, opposed.length)) + (isScope ? 0 : Math.min(1, denied.length))
}

/** The parts of both statements that the two stand in. */
function partOf({ a, b }: Pair): string {
  return `${a.clause} ${b.clause}`
}

function isDeniedOnce({ a, b }: Pair): boolean {
  return a.denied !== b.denied
}

/** "A calls B" against "B calls A": both sides of something changed places. */
export function findSwap(pairs: readonly Pair[]): Contradiction | undefined {
  const same = pairs.filter(({ relation }) => relation === 'same')
  const reason = swapIn(same, same)
  if (reason === undefined) return undefined
  // "UTC for all dates" and "all dates in UTC" are alike in spite of it.
  const things = same.filter(({ a }) => quantityClass(a.written) === undefined)
  const middles = things.filter(({ a, b }) => a.kind !== 'direction' || a.lemma === b.lemma)
  return { reason, certain: swapIn(things, middles) !== undefined }
}

function swapIn(same: readonly Pair[], middles: readonly Pair[]): string | undefined {
  for (const middle of middles.filter(({ a }) => a.kind !== 'number')) {
    // Numbers move with what they belong to; on both sides of "than" they are what is compared.
    const isCompared = middle.a.lemma === 'than'
    const things = same.filter(({ a: { kind } }) => kind !== 'direction' && (isCompared || kind !== 'number'))
    const before = things.filter(({ a, b }) => a.order < middle.a.order && b.order > middle.b.order)
    const after = things.filter(({ a, b }) => a.order > middle.a.order && b.order < middle.b.order)
    for (const { a: first, b: firstB } of before) {
      const other = after.find(
        ({ a, b }) => !isAlike(a, first) && !samePhrase(first, a) && !samePhrase(firstB, b),
      )
      if (other) return `"${first.written}" and "${other.a.written}" changed places`
    }
  }
  return undefined
}

/** "It calls the parser" against "it is called by the parser": the doer of the one is what the other does it to. */
export function findOtherDoer(pairs: readonly Pair[]): Contradiction | undefined {
  const turned = pairs.map(({ a, b, relation }) => ({ a: b, b: a, relation }))
  return [...pairs, ...turned].flatMap(({ a: doer, b: other }, _, all) => {
    if (doer.role !== 'doer' || other.role === 'doer') return []
    const verb = all.find(({ a, b }) => a.role === 'done' && a.clause === doer.clause && b.role === undefined)
    const isObject = verb?.b.clause === other.clause && verb.b.order < other.order
    const reason = `"${doer.written}" does it in one and has it done in the other`
    return isObject ? [{ reason, certain: true }] : []
  })[0]
}

function isAlike(a: Item, b: Item): boolean {
  return a.lemma === b.lemma || areSynonyms(a.lemma, b.lemma)
}

function samePhrase(a: Item, b: Item): boolean {
  return a.head !== undefined && a.head === b.head
}

export function against(a: Item, b: Item): string {
  return `"${a.written}" against "${b.written}"`
}

function claimedAndDenied({ written }: Item): string {
  return `"${written}" is claimed by one and denied by the other`
}
