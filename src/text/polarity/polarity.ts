import { against, findContradiction, findOtherDoer, findSwap, type Pair } from './contradiction.ts'
import { areExchanged } from './directions.ts'
import { QUANTIFIERS, quantityClass } from './grammar.ts'
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

interface Alignment {
  pairs: Pair[]
  /** What only one of them speaks of, without what may be left out. */
  onlyA: Item[]
  onlyB: Item[]
  /** Where each of them has a direction that the other does not have: those. */
  otherDirections: [Item, Item] | undefined
  /** Share of what they have in common, 0 to 1. */
  common: number
  denyAsOften: boolean
  /** An odd number of denials that no common word accounts for. */
  odd: boolean
  /** How else they differ in the manner of saying it. */
  manner: { verdict: Verdict; reason: string } | undefined
}

function align(a: Statement, b: Statement): Alignment {
  const pairs: Pair[] = []
  const restA = new Set(a.items)
  const restB = new Set(b.items)
  const neighbours = new Map([...neighboursOf(a.items), ...neighboursOf(b.items)])
  const isBesideTheSame = ({ a: itemA, b: itemB }: Pair) =>
    neighbours.get(itemA)!.some((each) => neighbours.get(itemB)!.includes(each))
  const pair = (relate: (a: Item, b: Item) => Pair['relation'] | undefined | false) => {
    for (const itemA of restA) {
      const fitting = [...restB].flatMap((itemB) => {
        const relation = relate(itemA, itemB)
        return relation ? [{ a: itemA, b: itemB, relation }] : []
      })
      const best = fitting.length > 1 ? fitting.find(isBesideTheSame) : undefined
      const found = best ?? fitting[0]
      if (!found) continue
      pairs.push(found)
      restA.delete(found.a)
      restB.delete(found.b)
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

  const onlyA = [...restA].filter((item) => !item.light && !isNamedTwice(item, a.items, restA))
  const onlyB = [...restB].filter((item) => !item.light && !isNamedTwice(item, b.items, restB))
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
    manner: findOtherManner(a, b) ?? findOtherQuantity(restA, restB),
    denyAsOften: a.denials === b.denials,
    odd: (a.denials + b.denials + doubleDenials) % 2 === 1,
  }
}

/** What stands before and after each, told apart. */
function neighboursOf(items: readonly Item[]): [Item, string[]][] {
  return items.map((item, at) => [
    item,
    [items[at - 1], items[at + 1]].flatMap((each, side) => (each ? [`${side} ${each.lemma}`] : [])),
  ])
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
  const { pairs, onlyA, onlyB, common, odd } = alignment
  const contradiction = findContradiction(pairs, alignment.denyAsOften)
  if (contradiction) {
    // Where each speaks of something of its own, they speak of two things of a kind.
    const comparable = common >= COMMON_GROUND && [onlyA, onlyB].some((items) => items.every(isQuantifier))
    const { reason, certain } = contradiction
    return { verdict: comparable && certain ? 'conflict' : 'different', reason }
  }
  const swap = findSwap(pairs) ?? findOtherDoer(pairs)
  if (swap) {
    const isAll = onlyA.length + onlyB.length === 0
    return { verdict: isAll && swap.certain ? 'conflict' : 'different', reason: swap.reason }
  }
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

/** "node 20 and node 22" are "node 20 and 22": who names a thing again says no more. */
function isNamedTwice(item: Item, items: readonly Item[], rest: ReadonlySet<Item>): boolean {
  const isOther = (other: Item) => other !== item && !rest.has(other) && other.denied === item.denied
  const next = items[items.indexOf(item) + 1]?.kind
  if (item.kind !== 'word' || (next !== 'number' && next !== 'name')) return false
  return items.some((other) => isOther(other) && other.lemma === item.lemma)
}

/** "everywhere", "anyone": they say how far it goes and name nothing. */
function isQuantifier({ written }: Item): boolean {
  return QUANTIFIERS.has(written)
}

/** The same words, and yet: must or may, never or rarely, just this or not just this. */
export function findOtherManner(a: Statement, b: Statement): Comparison | undefined {
  const duties = [a.modality, b.modality]
  if (duties.includes('must') && duties.includes('may'))
    return { verdict: 'different', reason: 'one says "must", the other "may"' }
  if (duties.includes('may') && duties.includes(undefined))
    return { verdict: 'different', reason: 'only one of them says that it merely may be' }
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

/** "several handlers" and "all handlers", where neither word has its like in the other. */
function findOtherQuantity(restA: ReadonlySet<Item>, restB: ReadonlySet<Item>): Comparison | undefined {
  const [a, b] = [restA, restB].map((rest) =>
    [...rest].find(({ written }) => quantityClass(written) !== undefined),
  )
  if (!a || !b || quantityClass(a.written) === quantityClass(b.written)) return undefined
  return { verdict: 'different', reason: against(a, b) }
}

/** What might be is not what is; what was may well be what is, and what is what will be. */
function isOtherTime(a: Statement['time'], b: Statement['time']): boolean {
  return a !== b && (a === 'perhaps' || b === 'perhaps' || (a !== undefined && b !== undefined))
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
