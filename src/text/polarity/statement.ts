import { denialAt } from './denials.ts'
import {
  AUXILIARIES,
  BEFORE_VERB,
  COLLECTIONS,
  DETERMINERS,
  DIRECTIONS,
  ENDS_PHRASE,
  EXTENT,
  FUNCTION_WORDS,
  LIGHT_WORDS,
  LIMITS,
  LINKS,
  NAMED_THINGS,
  NEW_CLAUSE,
  NUMBER_WORDS,
  WEIGHTY_DIRECTIONS,
} from './grammar.ts'
import { isParticiple, lemma } from './lemma.ts'
import { plainForm } from './plain-form.ts'
import { quantityOf, unitOf } from './quantity.ts'
import { HTTP_METHOD, NAME, NUMBER, statementTokens } from './tokens.ts'
import { inActiveOrder, noteRoles } from './voice.ts'

/** Something a statement speaks of: a word, a name from the code, a number, or a direction. */
export interface Item {
  kind: 'word' | 'name' | 'number' | 'direction'
  /** What is compared: the lemma of a word, a name or a number as it is. */
  lemma: string
  written: string
  /** Whether it is claimed or denied. */
  denied: boolean
  /** Whether it was named before the word that denies the part it is in, as a subject is. */
  beforeDenial: boolean
  /** Which part of the statement it belongs to; a denial covers one part. */
  clause: number
  /** In the passive voice: what is done, and by whom. */
  role?: 'done' | 'doer'
  /** Its place with the doer first, also in the passive voice. */
  order: number
  /** May be there or not without changing what is said. */
  light: boolean
  /** The last word of the noun phrase it is in: "hat" for "straw" and for "hat" in "a straw hat". */
  head?: Item
}

export interface Statement {
  items: Item[]
  /** How many things deny something. */
  denials: number
  /** Whether something has to be, merely may be, or may not be. */
  modality: 'must' | 'may' | 'may not' | undefined
  /** Whether it is, was, will be, or merely might be. */
  time: 'past' | 'future' | 'perhaps' | undefined
  /** Denied in most cases only: "rarely", "few", "not necessarily". */
  mostly: boolean
  /** Whether this is all there is ("just a hint"), or expressly not all ("not just a hint"). */
  extent: 'only' | 'more' | undefined
}

const ENDS = [ENDS_PHRASE, AUXILIARIES, DETERMINERS]
/** What goes on for longer has a verb in it. */
const LONGEST_PHRASE = 4

/** One is compared with many, and the many again with the next: those read last are kept. Nobody changes what was read. */
const lastRead = new Map<string, Statement>()
const MOST_READ = 200

/** Takes a statement apart: what it speaks of, and what of that it denies. */
export function readStatement(text: string): Statement {
  const before = lastRead.get(text)
  if (before) return before
  const statement = new Reader(statementTokens(plainForm(text))).read()
  if (lastRead.size >= MOST_READ) lastRead.clear()
  lastRead.set(text, statement)
  return statement
}

class Reader {
  readonly #tokens: readonly string[]
  readonly #lower: readonly string[]
  readonly #items: Item[] = []
  #clause: { start: number; id: number; denied: boolean; deniedAt: number; passive: number; agent: number } =
    newClause(0, 0)
  /** Between "instead of" and the end of its phrase: where it began. */
  #phraseDenied: number | undefined
  #denials = 0
  #mostly = false
  #extent: Statement['extent']
  /** The noun phrase that began with "the" or the like, until something ends it. */
  #phrase: Item[] | undefined

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
    const areLetters = tokens.some((token) => /^[B-HJ-Z]$/.test(token))
    // Beside B and at the end, A is a name and no article.
    const isName = (token: string, at: number) =>
      token === 'A' && (areLetters || (at > 0 && /^(?:[,;:.!?)]|and|or)?$/.test(tokens[at + 1] ?? '')))
    this.#lower = tokens.map((token, at) => (isName(token, at) ? token : token.toLowerCase()))
  }

  read(): Statement {
    for (let at = 0; at < this.#tokens.length; ) at += this.#step(at)
    this.#endClause()
    return {
      items: this.#items,
      denials: this.#denials,
      modality: this.#modality(),
      time: this.#time(),
      mostly: this.#mostly,
      extent: this.#extent,
    }
  }

  /** Reads one token, or the few that belong together, and says how many. */
  #step(at: number): number {
    const word = this.#lower[at]!
    const next = this.#lower[at + 1] ?? ''
    if (/^[,;:.!?()]$/.test(word)) return this.#endClause()
    if (NEW_CLAUSE.has(word)) this.#endClause()
    if (word === 'and' && this.#startsClause(at + 1)) return this.#endClause()
    const denial = this.#denial(at)
    if (denial > 0) return denial
    if (this.#endsDeniedPhrase(word)) this.#phraseDenied = undefined
    this.#noteVoice(word, at)
    if (EXTENT.test(word)) this.#extent ??= 'only'
    if (DIRECTIONS.has(word) || (word === 'to' && this.#isDestination(at)) || this.#isDoer(at)) {
      const isLimit = LIMITS.has(word) && NUMBER.test(next)
      this.#add('direction', lemma(word), word, !isLimit && !WEIGHTY_DIRECTIONS.has(word))
    } else if (!FUNCTION_WORDS.has(word) || HTTP_METHOD.test(this.#tokens[at]!)) this.#addContent(at)
    if (FUNCTION_WORDS.has(word) || word === 'some') this.#phrase = DETERMINERS.has(word) ? [] : undefined
    return 1
  }

  /** Notes what is denied here, and says how many tokens say so; 0 if none does. */
  #denial(at: number): number {
    const denial = denialAt(this.#lower, at, this.#items.length === this.#clause.start)
    if (!denial) return 0
    if (denial.denies !== 'nothing') this.#denials++
    if (denial.denies === 'clause') {
      this.#clause.denied = !this.#clause.denied
      this.#clause.deniedAt = this.#items.length
    }
    if (denial.denies === 'phrase') this.#phraseDenied = this.#items.length
    if (denial.mostly) this.#mostly = true
    if (denial.more) this.#extent = 'more'
    return denial.tokens
  }

  /** "cannot" forbids as "must not" does, so what is denied is no permission. */
  #modality(): Statement['modality'] {
    if (this.#lower.some((word) => /^(?:must|shall|should)$/.test(word))) return 'must'
    const permits = (word: string) => /^(?:may|might|can|could|allowed|permitted)$/.test(word)
    if (!this.#lower.some(permits)) return undefined
    const isOpen = (word: string, at: number) =>
      permits(word) && ![-1, 1].some((offset) => this.#lower[at + offset] === 'not')
    return this.#lower.some(isOpen) ? 'may' : 'may not'
  }

  #time(): Statement['time'] {
    const has = (pattern: RegExp) => this.#lower.some((word) => pattern.test(word))
    if (has(/^(?:might|would|perhaps|maybe|possibly|probably|supposed|supposedly|allegedly)$/))
      return 'perhaps'
    if (has(/^(?:will|shall)$/)) return 'future'
    return has(/^(?:was|were|did|had)$/) ? 'past' : undefined
  }

  /** "except in tests" goes on until something was named. */
  #endsDeniedPhrase(word: string): boolean {
    if (this.#phraseDenied === undefined || this.#items.length === this.#phraseDenied) return false
    return this.#items.at(-1)!.kind !== 'direction' && ENDS.some((words) => words.has(word))
  }

  /** "from A to B", "map A to B", and not "to" before a verb. */
  #isDestination(at: number): boolean {
    if (this.#lower.slice(Math.max(0, at - 6), at).includes('from')) return true
    const [before = '', next = ''] = [this.#lower[at - 1], this.#lower[at + 1]]
    return at > 0 && !AUXILIARIES.has(next) && !FUNCTION_WORDS.has(before) && !BEFORE_VERB.test(before)
  }

  /** "requests sent by the proxy"; in the passive voice, the order tells. */
  #isDoer(at: number): boolean {
    return this.#lower[at] === 'by' && this.#clause.passive < 0 && isParticiple(this.#lower[at - 1] ?? '')
  }

  /** "and spectators are watching" is a part of its own, "and dancing" is not. */
  #startsClause(at: number): boolean {
    return this.#lower.slice(at, at + 5).some((word) => AUXILIARIES.has(word) && word !== 'to')
  }

  #noteVoice(word: string, at: number): void {
    if (word === 'by' && this.#clause.agent < 0) this.#clause.agent = this.#items.length
    if (!/^(?:is|are|was|were|be|been|being|gets?|got)$/.test(word)) return
    const denials = /^(?:not|never)$/.test(this.#lower[at + 1] ?? '') ? 1 : 0
    const adverbs = /ly$/.test(this.#lower[at + 1 + denials] ?? '') ? 1 : 0
    const verb = this.#lower[at + 1 + denials + adverbs] ?? ''
    const passive = (isParticiple(verb) && verb !== 'been') || (word === 'being' && !FUNCTION_WORDS.has(verb))
    if (passive && !FUNCTION_WORDS.has(verb)) this.#clause.passive = this.#items.length + adverbs
  }

  #addContent(at: number): void {
    const [token, word, next] = [this.#tokens[at]!, this.#lower[at]!, this.#lower[at + 1] ?? '']
    if (token.startsWith('`')) {
      for (const name of token.slice(1, -1).split(/\s+/).filter(Boolean))
        this.#addPlain(name, name.toLowerCase())
      return
    }
    const number = NUMBER_WORDS.get(word)
    if (number !== undefined && word !== 'one') this.#add('number', number, word)
    else if (unitOf(word) !== undefined && this.#followsNumber(at)) this.#add('number', unitOf(word)!, word)
    else if (word === 'next' && next === 'to') this.#add('direction', lemma('beside'), word, true)
    else this.#addPlain(token, word, at)
  }

  #followsNumber(at: number): boolean {
    const before = this.#lower[at - 1] ?? ''
    return NUMBER.test(before) || NUMBER_WORDS.has(before)
  }

  #addPlain(token: string, word: string, at = -1): void {
    if (NUMBER.test(token)) this.#addQuantity(word)
    else if (NAME.test(token) || HTTP_METHOD.test(token)) this.#add('name', token.replace(/\(\)$/, ''), token)
    else this.#add('word', lemma(word), word, this.#isLight(word, at))
  }

  #isLight(word: string, at: number): boolean {
    return LIGHT_WORDS.has(word) || this.#merelyLinks(at) || this.#saysWhatItIs(at)
  }

  /** "a park built for skating" is a skate park, "a pack of dogs" are dogs; "the park is built" says more. */
  #merelyLinks(at: number): boolean {
    const [before = '', word = '', next = ''] = [-1, 0, 1].map((offset) => this.#lower[at + offset])
    return (LINKS.test(word) && !AUXILIARIES.has(before)) || (COLLECTIONS.test(word) && next === 'of')
  }

  /** "the variable DATABASE_URL", "the `--watch` flag": the name says it all. */
  #saysWhatItIs(at: number): boolean {
    if (at < 0 || !NAMED_THINGS.has(this.#lower[at]!)) return false
    const isName = (token = '') => NAME.test(token) && !NUMBER.test(token) && !/^[,;:.!?()]$/.test(token)
    const near = NAMED_THINGS.has(this.#lower[at + 1] ?? '') ? 2 : 1
    return [-1, 1, near, -near].some((offset) => isName(this.#tokens[at + offset]?.replaceAll('`', '')))
  }

  #addQuantity(written: string): void {
    const { number, unit } = quantityOf(written)
    this.#add('number', number, written)
    if (unit !== undefined) this.#add('number', unit, written)
  }

  #add(kind: Item['kind'], lemma: string, written: string, light = false): void {
    const item: Item = {
      kind,
      lemma,
      written,
      denied: this.#phraseDenied !== undefined,
      beforeDenial: false,
      clause: this.#clause.id,
      order: 0,
      light,
    }
    if (kind === 'direction' || (this.#phrase?.length ?? 0) >= LONGEST_PHRASE) this.#phrase = undefined
    if (!EXTENT.test(written)) this.#phrase?.push(item)
    for (const member of this.#phrase ?? []) member.head = item
    this.#items.push(item)
  }

  #endClause(): number {
    this.#phrase = undefined
    const { start, id, denied, deniedAt, passive, agent } = this.#clause
    const items = this.#items.slice(start)
    if (denied) {
      for (const [index, item] of items.entries()) {
        item.denied = !item.denied
        item.beforeDenial = start + index < deniedAt
      }
    }
    const ordered = passive < 0 ? items : inActiveOrder(items, passive - start, agent - start)
    noteRoles(items, passive - start, agent - start)
    for (const [index, item] of ordered.entries()) item.order = start + index
    this.#phraseDenied = undefined
    this.#clause = newClause(this.#items.length, id + 1)
    return 1
  }
}

function newClause(start: number, id: number) {
  return { start, id, denied: false, deniedAt: 0, passive: -1, agent: -1 }
}
