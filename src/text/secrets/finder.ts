import { lazy } from '../../deferred.ts'
import type { Found } from './judge.ts'
import { Triggers } from './triggers.ts'

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
  source: () => RegExp,
  { before, accepts }: PatternOptions = {},
): SecretFinder {
  // Most are never met, and there are hundreds: even reading them takes longer than most texts.
  const sticky = lazy(() => {
    const { source: pattern, flags } = source()
    return new RegExp(pattern, `${flags}dy`)
  })
  return {
    triggers,
    find(text, at) {
      const pattern = sticky()
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

function startOf(text: string, at: number, part: RegExp): number {
  let start = at
  while (start > 0 && at - start < FURTHEST_BACK && part.test(text[start - 1]!)) start--
  return start
}

/** One pass over a text for all triggers at once. What that takes is made for the first text: a hook may have none. */
export class SecretScan {
  readonly #triggers: () => Triggers<SecretFinder>

  constructor(finders: readonly SecretFinder[]) {
    this.#triggers = lazy(() => {
      const triggers = new Triggers<SecretFinder>()
      for (const finder of finders) for (const trigger of finder.triggers) triggers.add(trigger, finder)
      return triggers
    })
  }

  hasTrigger(text: string, from = 0, to = text.length): boolean {
    let has = false
    this.#triggers().forEach(text, from, to, () => {
      has = true
      return to
    })
    return has
  }

  places(text: string): SecretPlace[] {
    const places: SecretPlace[] = []
    let done = 0
    this.#triggers().forEach(text, 0, text.length, (at, finders) => {
      const place = firstPlace(finders, text, at, done)
      if (place !== undefined) {
        places.push(place)
        done = place.to
      }
      return done
    })
    return places
  }
}

function firstPlace(
  finders: readonly SecretFinder[],
  text: string,
  at: number,
  done: number,
): SecretPlace | undefined {
  for (const finder of finders) {
    const place = finder.find(text, at)
    if (place !== undefined && place.from >= done) return place
  }
  return undefined
}
