import type { Talk } from './talk.ts'
import { type Phrase, phrasesOf, proseOf } from './telling-words.ts'

/** What a topic may be called, the best first. */
export interface NameCandidate {
  name: string
  stems: readonly string[]
}

interface Use {
  phrase: Phrase
  /** Conversations that say it; in the title it counts more. */
  carriers: number
  saidBy: number
  /** How it was written, how often. */
  spellings: Map<string, number>
}

const IN_TITLE = 1.5
/** A pair says more than a word, as long as most who say the word say the pair. */
const PAIR = 1.6
const WEAK = 0.25
/** Of the conversations that a topic's name stands for: below, a second word helps. */
const COVERS = 0.7
const MOST_CANDIDATES = 12
/** What more than these say tells nothing of one. */
const MOST_COMMON = 0.3
/** What is common is common among so many, too. */
const MOST_COUNTED = 1_500
/** A topic's words show in so many of its conversations. */
const MOST_ASKED = 200
/** A word of one conversation names no topic, however telling it is. */
const LEAST_SHARE = 0.34

/**
 * Names topics by the words that their conversations say and others do not (class-based tf-idf over conversations that say a word,
 * so that one that repeats itself does not decide). Counts over all conversations are kept, to be used for every topic.
 */
export class Namer {
  readonly #talks: readonly Talk[]
  readonly #phrases: (Map<string, Said> | undefined)[]
  #everywhere: Map<string, Use> | undefined

  constructor(talks: readonly Talk[]) {
    this.#talks = talks
    this.#phrases = talks.map(() => undefined)
  }

  candidates(all: readonly number[]): NameCandidate[] {
    const members = all.slice(-MOST_ASKED)
    const uses = this.#usesIn(members)
    const scored = [...uses.values()]
      .filter(({ carriers }) => carriers >= Math.max(2, LEAST_SHARE * members.length))
      .map((use) => ({ use, score: this.#score(use, members.length, uses) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.use.phrase.key < b.use.phrase.key ? -1 : 1))
      .map(({ use }) => use)
    const strong = scored.filter(({ phrase }) => !phrase.isWeak)
    const best = (strong.length > 0 ? strong : scored).slice(0, MOST_CANDIDATES)
    const [first] = best
    const fuller = first && best.find((use) => isFuller(use, first))
    const ordered = fuller ? [fuller, ...best.filter((use) => use !== fuller)] : best
    return ordered.map((use) => this.#named(use, best, members))
  }

  /** What one conversation is about, in words that others say, too: the most telling first. */
  shared(at: number, most: number): string[] {
    const all = Math.min(this.#talks.length, MOST_COUNTED)
    const found = [...this.#said(at).values()]
      .filter(({ phrase }) => !phrase.isWeak)
      .map((said) => ({ said, saidBy: this.#all().get(said.phrase.key)?.saidBy ?? 0 }))
      .filter(({ said, saidBy }) => isShared(said, saidBy) && saidBy <= Math.max(3, MOST_COMMON * all))
      .map(({ said, saidBy }) => ({ said, score: weightOf(said) * Math.log((all + 1) / saidBy) }))
      .sort((a, b) => b.score - a.score || (a.said.phrase.key < b.said.phrase.key ? -1 : 1))
    const stems = new Set<string>()
    const names: string[] = []
    for (const { said } of found) {
      if (names.length >= most || said.phrase.stems.some((stem) => stems.has(stem))) continue
      for (const stem of said.phrase.stems) stems.add(stem)
      names.push(this.#spelled(said))
    }
    return names
  }

  /** With a second word where the first is said by too few of them. */
  #named(use: Use, all: readonly Use[], members: readonly number[]): NameCandidate {
    const name = this.#spelled(use)
    const { stems, key } = use.phrase
    const carrying = members.filter((at) => this.#said(at).has(key))
    if (stems.length > 1 || carrying.length >= COVERS * members.length) return { name, stems }
    const rest = members.filter((at) => !carrying.includes(at))
    const second = all
      .filter(({ phrase }) => !phrase.stems.some((stem) => stems.includes(stem)))
      .map((other) => ({ other, more: rest.filter((at) => this.#said(at).has(other.phrase.key)).length }))
      .filter(({ more }) => more >= Math.max(1, rest.length / 3))
      .sort((a, b) => b.more - a.more)[0]?.other
    if (!second) return { name, stems }
    return { name: `${name}, ${this.#spelled(second)}`, stems: [...stems, ...second.phrase.stems] }
  }

  #score({ phrase, carriers }: Use, size: number, uses: ReadonlyMap<string, Use>): number {
    const all = Math.min(this.#talks.length, MOST_COUNTED)
    const inside = Math.min(1, carriers / size)
    const outside = ((this.#all().get(phrase.key)?.saidBy ?? 0) + 1) / (all + 2)
    const telling = inside ** 2 * Math.log(inside / outside)
    if (phrase.stems.length === 1) return telling * (phrase.isWeak ? WEAK : 1)
    const alone = Math.max(...phrase.stems.map((stem) => uses.get(stem)?.carriers ?? 0))
    return telling * (1 + (PAIR - 1) * (carriers / Math.max(carriers, alone))) * (phrase.isWeak ? WEAK : 1)
  }

  #usesIn(members: readonly number[]): Map<string, Use> {
    const uses = new Map<string, Use>()
    for (const at of members) {
      for (const [key, { phrase, spellings, inTitle }] of this.#said(at)) {
        const use = uses.get(key) ?? { phrase, carriers: 0, saidBy: 0, spellings: new Map() }
        use.carriers += inTitle ? IN_TITLE : 1
        use.saidBy++
        for (const [spelling, times] of spellings)
          use.spellings.set(spelling, (use.spellings.get(spelling) ?? 0) + times)
        uses.set(key, use)
      }
    }
    return uses
  }

  /** Of all conversations; of very many, of some, evenly over all. */
  #all(): Map<string, Use> {
    const step = Math.max(1, this.#talks.length / MOST_COUNTED)
    const some = Array.from({ length: Math.min(this.#talks.length, MOST_COUNTED) }, (_, at) =>
      Math.floor(at * step),
    )
    this.#everywhere ??= this.#usesIn(some)
    return this.#everywhere
  }

  /** As most of them have written it; a capital that only begins sentences and titles is none of the word's. */
  #spelled({ phrase, spellings }: Pick<Use, 'phrase' | 'spellings'>): string {
    const [most] = [...spellings].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? 1 : -1))[0]!
    const words = most.split(' ')
    return words.map((word, at) => this.#small(word, phrase.stems[at]!)).join(' ')
  }

  #small(word: string, stem: string): string {
    if (!/^\p{Lu}[^\p{Lu}]*$/u.test(word)) return word
    const spellings = this.#all().get(stem)?.spellings
    const small = word.toLowerCase()
    return (spellings?.get(small) ?? 0) * 3 >= (spellings?.get(word) ?? 0) ? small : word
  }

  #said(at: number): Map<string, Said> {
    const known = this.#phrases[at]
    if (known) return known
    const phrases = new Map<string, Said>()
    for (const { text, isTitle } of proseOf(this.#talks[at]!)) {
      for (const phrase of phrasesOf(text)) {
        const heard = phrases.get(phrase.key) ?? { phrase, spellings: new Map(), inTitle: isTitle }
        heard.spellings.set(phrase.written, (heard.spellings.get(phrase.written) ?? 0) + 1)
        phrases.set(phrase.key, heard)
      }
    }
    this.#phrases[at] = phrases
    return phrases
  }
}

interface Said {
  phrase: Phrase
  spellings: Map<string, number>
  inTitle: boolean
}

/** "deferred condensation" says more than "deferred", when half of those who say the one say the other. */
function isFuller(pair: Use, word: Use): boolean {
  const [stem] = word.phrase.stems
  if (word.phrase.stems.length > 1 || pair.phrase.stems.length < 2) return false
  return pair.phrase.stems.includes(stem!) && pair.saidBy >= HALF * word.saidBy
}
const HALF = 0.5

/** A word that is said once in passing tells nothing; how something is done does not tell what. */
function isShared(said: Said, saidBy: number): boolean {
  if (said.phrase.stems.length > 1) return saidBy >= 2
  return saidBy >= 3 && (said.inTitle || timesOf(said) >= 2) && !/(?:ly|ed)$/.test(said.phrase.written)
}

function timesOf({ spellings }: Said): number {
  return [...spellings.values()].reduce((sum, count) => sum + count, 0)
}

function weightOf(said: Said): number {
  return Math.log1p(timesOf(said)) * (said.inTitle ? IN_TITLE : 1) * (said.phrase.stems.length > 1 ? PAIR : 1)
}
