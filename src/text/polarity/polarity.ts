import { areExchanged } from './directions.ts'
import { lemma } from './lemma.ts'
import { areSynonyms, opposition, shareRoot } from './lexicon.ts'
import { type Item, readStatement, type Statement } from './statement.ts'

export type Verdict = 'duplicate' | 'conflict' | 'different'

export interface Comparison {
  verdict: Verdict
  /** Why, for a person: `"enabled" against "disabled"`. */
  reason: string
}

/** Statements that share less than this speak of different things, whatever they deny. */
const COMMON_GROUND = 0.5

/** Do two statements say the same, the opposite, or something else? */
export function compareStatements(a: string, b: string): Comparison {
  const alignment = align(readStatement(a), readStatement(b))
  if (alignment.pairs.length > 0 || plain(a) === plain(b)) return judge(alignment)
  return { verdict: 'different', reason: 'they share no word' }
}

/** Does one claim what the other denies, whatever else they say and in whatever order? */
export function denyEachOther(a: string, b: string): boolean {
  const { pairs, odd } = align(readStatement(a), readStatement(b))
  return odd || findContradiction(pairs) !== undefined
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

interface Pair {
  a: Item
  b: Item
  relation: 'same' | 'exact' | 'contrary'
}

interface Alignment {
  pairs: Pair[]
  /** What only one of them speaks of, without what may be left out. */
  onlyA: Item[]
  onlyB: Item[]
  /** Where each of them has a direction that the other does not have: those. */
  otherDirections: [Item, Item] | undefined
  /** Share of what they have in common, 0 to 1. */
  common: number
  /** An odd number of denials that no common word accounts for. */
  odd: boolean
  /** How else they differ in the manner of saying it. */
  manner: { verdict: Verdict; reason: string } | undefined
}

function align(a: Statement, b: Statement): Alignment {
  const pairs: Pair[] = []
  const restA = new Set(a.items)
  const restB = new Set(b.items)
  const pair = (relate: (a: Item, b: Item) => Pair['relation'] | undefined | false) => {
    for (const itemA of restA) {
      for (const itemB of restB) {
        const relation = relate(itemA, itemB)
        if (!relation) continue
        pairs.push({ a: itemA, b: itemB, relation })
        restA.delete(itemA)
        restB.delete(itemB)
        break
      }
    }
  }
  const equal = (x: Item, y: Item) => x.kind === y.kind && x.lemma === y.lemma
  const bothWords = (x: Item, y: Item) => x.kind === 'word' && y.kind === 'word'
  const bothDirections = (x: Item, y: Item) => x.kind === 'direction' && y.kind === 'direction'
  const comparable = (x: Item, y: Item) =>
    /^(?:word|direction)$/.test(x.kind) && /^(?:word|direction)$/.test(y.kind)
  pair((x, y) => equal(x, y) && x.denied === y.denied && 'same')
  pair((x, y) => equal(x, y) && 'same')
  pair((x, y) => bothWords(x, y) && areSynonyms(x.lemma, y.lemma) && 'same')
  pair((x, y) => comparable(x, y) && opposition(x, y))
  pair((x, y) => bothDirections(x, y) && areExchanged(x.lemma, y.lemma) && 'same')
  pair((x, y) => bothWords(x, y) && shareRoot(x.lemma, y.lemma) && 'same')

  joinCompounds(restA, restB, pairs, (whole, part) => ({ a: whole, b: part, relation: 'same' }))
  joinCompounds(restB, restA, pairs, (whole, part) => ({ a: part, b: whole, relation: 'same' }))

  const onlyA = [...restA].filter((item) => !item.light)
  const onlyB = [...restB].filter((item) => !item.light)
  const shared = pairs.filter(({ a: item }) => !item.light).length
  const total = shared + onlyA.length + onlyB.length
  const doubleDenials = pairs.filter(
    (each) => each.relation === 'exact' && each.a.denied !== each.b.denied,
  ).length
  const [directionA, directionB] = [restA, restB].map((rest) =>
    [...rest].find(({ kind }) => kind === 'direction'),
  )
  return {
    pairs,
    otherDirections: directionA && directionB && [directionA, directionB],
    onlyA,
    onlyB,
    common: total === 0 ? 1 : shared / total,
    manner: findOtherManner(a, b),
    odd: (a.denials + b.denials + doubleDenials) % 2 === 1,
  }
}

/** "timeout" and "time out", "filename" and "file name" are one. */
function joinCompounds(
  wholes: Set<Item>,
  parts: Set<Item>,
  pairs: Pair[],
  toPair: (whole: Item, part: Item) => Pair,
): void {
  for (const whole of wholes) {
    if (whole.kind !== 'word') continue
    const ordered = [...parts]
    const isWhole = (part: Item, next: Item | undefined) =>
      whole.written.startsWith(part.written) && next && lemma(part.written + next.written) === whole.lemma
    const at = ordered.findIndex((part, index) => isWhole(part, ordered[index + 1]))
    const [first, second] = ordered.slice(at < 0 ? ordered.length : at)
    if (!first || !second) continue
    pairs.push(toPair(whole, second))
    wholes.delete(whole)
    parts.delete(first)
    parts.delete(second)
  }
}

function judge(alignment: Alignment): Comparison {
  const { onlyA, onlyB, common, odd } = alignment
  const close = common >= COMMON_GROUND
  const contradiction = findContradiction(alignment.pairs) ?? findSwap(alignment.pairs)
  if (contradiction) return { verdict: close ? 'conflict' : 'different', reason: contradiction }
  if (odd) return { verdict: 'different', reason: 'only one of them denies something' }
  if (alignment.manner) return alignment.manner
  const values = [onlyA, onlyB].map((items) => items.filter((item) => item.kind === 'number'))
  if (values.every((numbers) => numbers.length > 0)) {
    // A value that changed is a conflict; where more changed, two things of a kind are spoken of.
    const alone = onlyA.length === values[0]!.length && onlyB.length === values[1]!.length
    return {
      verdict: alone ? 'conflict' : 'different',
      reason: against(values[0]![0]!, values[1]![0]!),
    }
  }
  const [added] = [...onlyA, ...onlyB]
  if (added) return { verdict: 'different', reason: `only one of them speaks of "${added.written}"` }
  if (alignment.otherDirections)
    return { verdict: 'different', reason: against(...alignment.otherDirections) }
  const attached = findOtherAttachment(alignment.pairs)
  if (attached) return { verdict: 'different', reason: attached }
  return { verdict: 'duplicate', reason: 'they speak of the same things in the same way' }
}

/** The same words, and yet: must or may, never or rarely, just this or not just this. */
export function findOtherManner(a: Statement, b: Statement): Comparison | undefined {
  if (a.modality !== undefined && b.modality !== undefined && a.modality !== b.modality)
    return { verdict: 'different', reason: 'one says "must", the other "may"' }
  if (isOtherTime(a.time, b.time)) return { verdict: 'different', reason: 'they speak of different times' }
  if (a.mostly !== b.mostly)
    return { verdict: 'different', reason: 'only one of them leaves exceptions open' }
  if (a.extent === b.extent || (a.extent !== 'more' && b.extent !== 'more')) return undefined
  const denied = a.extent !== undefined && b.extent !== undefined
  return {
    verdict: denied ? 'conflict' : 'different',
    reason: 'only one of them says that there is more to it',
  }
}

/** What might be is not what is; what was may well be what is, and what is what will be. */
function isOtherTime(a: Statement['time'], b: Statement['time']): boolean {
  return a !== b && (a === 'perhaps' || b === 'perhaps' || (a !== undefined && b !== undefined))
}

/** Something that one claims and the other denies. */
function findContradiction(pairs: readonly Pair[]): string | undefined {
  // "not safe" and "dangerous" agree; what stands beside them in the same part is then denied only in appearance.
  const agreed = pairs.filter(({ relation, a, b }) => relation === 'exact' && a.denied !== b.denied)
  const accounted = new Set(agreed.map(({ a, b }) => `${a.clause} ${b.clause}`))
  for (const { a, b, relation } of pairs) {
    if (relation !== 'same' && a.denied === b.denied) return against(a, b)
    if (relation === 'contrary') return against(a, b)
    if (relation !== 'same' || a.kind === 'direction' || a.denied === b.denied) continue
    if (!accounted.has(`${a.clause} ${b.clause}`))
      return `"${a.written}" is claimed by one and denied by the other`
  }
  return undefined
}

/** "A calls B" against "B calls A": both sides of something changed places. */
function findSwap(pairs: readonly Pair[]): string | undefined {
  const same = pairs.filter(({ relation }) => relation === 'same')
  for (const middle of same.filter(({ a }) => a.kind !== 'number')) {
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

function isAlike(a: Item, b: Item): boolean {
  return a.lemma === b.lemma || areSynonyms(a.lemma, b.lemma)
}

function samePhrase(a: Item, b: Item): boolean {
  return a.head !== undefined && a.head === b.head
}

/** "straw hat … cigarette" against "hat … straw cigarette". */
function findOtherAttachment(pairs: readonly Pair[]): string | undefined {
  const partner = new Map(pairs.map(({ a, b }) => [a, b]))
  const partnerOfB = new Map(pairs.map(({ a, b }) => [b, a]))
  for (const { a, b } of pairs) {
    if (!a.head || !b.head || a.head === a || b.head === b || !partnerOfB.has(b.head)) continue
    const expected = partner.get(a.head)
    const areNouns = expected?.head !== undefined && partnerOfB.get(b.head)!.head !== undefined
    if (areNouns && expected !== b.head && expected.lemma !== b.head.lemma)
      return `"${a.written}" belongs to something else`
  }
  return undefined
}

function against(a: Item, b: Item): string {
  return `"${a.written}" against "${b.written}"`
}
