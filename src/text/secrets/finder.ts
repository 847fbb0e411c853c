import type { Found } from './judge.ts'

/** Where a secret stands in a text. */
export interface SecretPlace {
  from: number
  to: number
  kind: string
}

/** Looks for one kind of secret, only where the text holds one of its triggers. */
export interface SecretFinder {
  /** In small letters. */
  triggers: readonly string[]
  /** Looks at the trigger that stands at this place. */
  find(text: string, at: number): SecretPlace | undefined
}

export interface PatternOptions {
  /** Characters that may stand before the trigger and belong to the match, one at a time. */
  before?: RegExp
  accepts?: (found: Found) => boolean
}

/** A match cannot begin further before its trigger. */
const FURTHEST_BACK = 100

/**
 * A finder by pattern. The last group that took part is the secret, or the whole match; the rest stays readable. Every
 * repetition in a pattern is bounded and none nests, so the work per trigger is bounded too.
 */
export function byPattern(
  kind: string,
  triggers: readonly string[],
  source: RegExp,
  { before, accepts }: PatternOptions = {},
): SecretFinder {
  const pattern = new RegExp(source.source, `${source.flags.replace('d', '')}dy`)
  return {
    triggers,
    find(text, at) {
      pattern.lastIndex = before === undefined ? at : startOf(text, at, before)
      const match = pattern.exec(text)
      if (match === null) return undefined
      const group = match.findLastIndex((part) => part !== undefined)
      const [from, to] = match.indices![group]!
      const found = { value: match[group]!, quoted: false, next: text.slice(to, to + 1) }
      return accepts?.(found) === false ? undefined : { from, to, kind }
    },
  }
}

export function startOf(text: string, at: number, part: RegExp): number {
  let start = at
  while (start > 0 && at - start < FURTHEST_BACK && part.test(text[start - 1]!)) start--
  return start
}

/** One pass over a text for all triggers at once. */
export class SecretScan {
  readonly #triggers: RegExp
  readonly #finders = new Map<string, SecretFinder[]>()

  constructor(finders: readonly SecretFinder[]) {
    const all = [...new Set(finders.flatMap(({ triggers }) => triggers))]
    // Where one begins with another, the shorter one is found first and stands for both.
    const shortest = all.filter((one) => !all.some((other) => other !== one && one.startsWith(other)))
    for (const trigger of shortest)
      this.#finders.set(
        trigger,
        finders.filter(({ triggers }) => triggers.some((one) => one.startsWith(trigger))),
      )
    this.#triggers = new RegExp(shortest.map((one) => one.replace(/\W/g, '\\$&')).join('|'), 'gi')
  }

  hasTrigger(text: string): boolean {
    this.#triggers.lastIndex = 0
    return this.#triggers.test(text)
  }

  places(text: string): SecretPlace[] {
    const places: SecretPlace[] = []
    let done = 0
    this.#triggers.lastIndex = 0
    for (let hit = this.#triggers.exec(text); hit !== null; hit = this.#triggers.exec(text)) {
      const place = this.#at(text, hit.index, hit[0].toLowerCase(), done)
      if (place !== undefined) {
        places.push(place)
        done = place.to
      }
      this.#triggers.lastIndex = Math.max(done, hit.index + 1)
    }
    return places
  }

  #at(text: string, at: number, trigger: string, done: number): SecretPlace | undefined {
    for (const finder of this.#finders.get(trigger)!) {
      const place = finder.find(text, at)
      if (place !== undefined && place.from >= done) return place
    }
    return undefined
  }
}
