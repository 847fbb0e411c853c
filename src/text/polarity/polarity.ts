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

/** One of them may say a little more, up to one word for every six they share. */
const ELABORATION = 0.85
const NARROWS = /^(?:only|solely|exclusively|first|last|least|most|sometimes|until|once)$/

/** Do two statements say the same, the opposite, or something else? */
export function compareStatements(a: string, b: string): Comparison {
  const alignment = align(readStatement(a), readStatement(b))
  if (alignment.pairs.length > 0 || plain(a) === plain(b)) return judge(alignment)
  return { verdict: 'different', reason: 'they share no word' }
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
  /** Share of what they have in common, 0 to 1. */
  common: number
  /** An odd number of denials that no common word accounts for. */
  odd: boolean
  /** One says that something has to be, the other that it may be. */
  otherModality: boolean
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
  const comparable = (x: Item, y: Item) =>
    /^(?:word|direction)$/.test(x.kind) && /^(?:word|direction)$/.test(y.kind)
  pair((x, y) => equal(x, y) && x.denied === y.denied && 'same')
  pair((x, y) => equal(x, y) && 'same')
  pair((x, y) => bothWords(x, y) && areSynonyms(x.lemma, y.lemma) && 'same')
  pair((x, y) => comparable(x, y) && opposition(x, y))
  pair((x, y) => bothWords(x, y) && shareRoot(x.lemma, y.lemma) && 'same')

  const onlyA = [...restA].filter((item) => !item.light)
  const onlyB = [...restB].filter((item) => !item.light)
  const shared = pairs.filter(({ a: item }) => !item.light).length
  const total = shared + onlyA.length + onlyB.length
  const doubleDenials = pairs.filter(
    (each) => each.relation === 'exact' && each.a.denied !== each.b.denied,
  ).length
  return {
    pairs,
    onlyA,
    onlyB,
    common: total === 0 ? 1 : shared / total,
    otherModality: a.modality !== undefined && b.modality !== undefined && a.modality !== b.modality,
    odd: (a.denials + b.denials + doubleDenials) % 2 === 1,
  }
}

function judge(alignment: Alignment): Comparison {
  const { onlyA, onlyB, common, odd } = alignment
  const close = common >= COMMON_GROUND
  const contradiction = findContradiction(alignment.pairs) ?? findSwap(alignment.pairs)
  if (contradiction) return { verdict: close ? 'conflict' : 'different', reason: contradiction }
  if (odd) return { verdict: 'different', reason: 'only one of them denies something' }
  if (alignment.otherModality) return { verdict: 'different', reason: 'one says "must", the other "may"' }
  const values = [onlyA, onlyB].map((items) => items.filter((item) => item.kind === 'number'))
  if (values.every((numbers) => numbers.length > 0)) {
    // A value that changed is a conflict; where more changed, two things of a kind are spoken of.
    const alone = onlyA.length === values[0]!.length && onlyB.length === values[1]!.length
    return {
      verdict: alone ? 'conflict' : 'different',
      reason: against(values[0]![0]!, values[1]![0]!),
    }
  }
  const added = onlyA.length > 0 ? onlyA : onlyB
  const elaborates = (onlyA.length === 0 || onlyB.length === 0) && added.every(isElaboration)
  if (added[0] && !(elaborates && common >= ELABORATION)) {
    return { verdict: 'different', reason: `only one of them speaks of "${added[0].written}"` }
  }
  const attached = findOtherAttachment(alignment.pairs)
  if (attached) return { verdict: 'different', reason: attached }
  return { verdict: 'duplicate', reason: 'they speak of the same things in the same way' }
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
  const same = pairs.filter(({ relation, a }) => relation === 'same' && a.kind !== 'number')
  const things = same.filter(({ a }) => a.kind !== 'direction')
  for (const middle of same) {
    const before = things.filter(({ a, b }) => a.order < middle.a.order && b.order > middle.b.order)
    const after = things.filter(({ a, b }) => a.order > middle.a.order && b.order < middle.b.order)
    for (const { a: first, b: firstB } of before) {
      const other = after.find(
        ({ a, b }) => a.lemma !== first.lemma && !samePhrase(first, a) && !samePhrase(firstB, b),
      )
      if (other) return `"${first.written}" and "${other.a.written}" changed places`
    }
  }
  return undefined
}

function isElaboration(item: Item): boolean {
  return item.kind === 'word' && !NARROWS.test(item.written)
}

function samePhrase(a: Item, b: Item): boolean {
  return a.head !== undefined && a.head === b.head
}

/** "straw hat … cigarette" against "hat … straw cigarette". */
function findOtherAttachment(pairs: readonly Pair[]): string | undefined {
  const partner = new Map(pairs.map(({ a, b }) => [a, b]))
  const known = new Set(partner.values())
  for (const { a, b } of pairs) {
    if (!a.head || !b.head || a.head === a || b.head === b || !known.has(b.head)) continue
    const expected = partner.get(a.head)
    if (expected && expected !== b.head && expected.lemma !== b.head.lemma)
      return `"${a.written}" belongs to something else`
  }
  return undefined
}

function against(a: Item, b: Item): string {
  return `"${a.written}" against "${b.written}"`
}
