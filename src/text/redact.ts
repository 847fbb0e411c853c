import { removeHidden } from './hidden-characters.ts'
import { whole } from './secrets/broken.ts'
import { COMMAND_SECRETS } from './secrets/commands.ts'
import { encodedPlaces } from './secrets/encoded.ts'
import { type SecretPlace, SecretScan } from './secrets/finder.ts'
import { looksRandom } from './secrets/judge.ts'
import { NAMED_SECRETS } from './secrets/named.ts'
import { PLACED_SECRETS } from './secrets/places.ts'
import { spelledPlaces } from './secrets/spelled.ts'
import { tokenPlaces } from './secrets/tokens.ts'

export interface Redaction {
  text: string
  /** What was masked, without the secrets themselves. */
  found: { kind: string; count: number }[]
}

const NAMES_AND_PLACES = new SecretScan([...PLACED_SECRETS, ...COMMAND_SECRETS, NAMED_SECRETS])

/** Of the first secret in a text that was decoded. */
function kindIn(decoded: string): string | undefined {
  return (tokenPlaces(decoded)[0] ?? NAMES_AND_PLACES.places(decoded)[0])?.kind
}

function placesIn(plain: string): SecretPlace[] {
  return [...tokenPlaces(plain), ...NAMES_AND_PLACES.places(plain)]
}

/** A mask may part two secrets that stood in each other's way; more than a few never do. */
const MOST_ROUNDS = 5

/** Masks secrets so that none is ever stored: `[redacted: github token]` stands where one was. */
export function redact(text: string): string {
  return redactWithReport(text).text
}

export function redactWithReport(text: string): Redaction {
  const masker = new Masker()
  const [masked] = masker.masked([text])
  return { text: masked!, found: masker.found() }
}

/** Several texts that belong together: a secret seen in one of them is masked in all. */
export function redactAll(texts: readonly string[]): { texts: string[]; secrets: number } {
  const masker = new Masker()
  const masked = masker.masked(texts)
  return { texts: masked, secrets: masker.found().reduce((sum, { count }) => sum + count, 0) }
}

/** A secret seen once is masked wherever it stands; beyond this many, each only where it was recognised. */
const MOST_REMEMBERED = 100

class Masker {
  readonly #counts = new Map<string, number>()
  readonly #remembered = new Map<string, string>()

  masked(texts: readonly string[]): string[] {
    const masked = texts.map((text) => this.#recognised(text))
    return this.#remembered.size === 0 ? masked : masked.map((text) => this.#seenBefore(text))
  }

  found(): Redaction['found'] {
    return [...this.#counts].map(([kind, count]) => ({ kind, count }))
  }

  #recognised(original: string): string {
    // Colour codes and characters nobody sees go first: inside a secret they would hide it from every pattern.
    let { text } = removeHidden(original)
    for (let round = 0; round < MOST_ROUNDS; round++) {
      // What gives itself away comes first, under its own name.
      const withoutTokens = this.#without(tokenPlaces(text), text)
      const withoutNamed = this.#without(NAMES_AND_PLACES.places(withoutTokens), withoutTokens)
      const withoutEncoded = this.#without(encodedPlaces(withoutNamed, kindIn), withoutNamed)
      const without = this.#without(spelledPlaces(withoutEncoded, placesIn), withoutEncoded)
      if (without === text) break
      text = without
    }
    return text
  }

  /** One pass, however many there are. */
  #without(places: readonly SecretPlace[], text: string): string {
    let masked = ''
    let position = 0
    for (const place of [...places].sort((a, b) => a.from - b.from)) {
      const { from, to, kind } = whole(text, place)
      if (from < position) continue
      this.#remember(text.slice(from, to), kind)
      masked += text.slice(position, from) + this.#mask(kind)
      position = to
    }
    return position === 0 ? text : masked + text.slice(position)
  }

  #seenBefore(text: string): string {
    let masked = text
    for (const [secret, kind] of this.#remembered) masked = masked.replaceAll(secret, () => this.#mask(kind))
    return masked
  }

  #mask(kind: string): string {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
    return `[redacted: ${kind}]`
  }

  #remember(secret: string, kind: string): void {
    if (secret.length >= 16 && looksRandom(secret) && this.#remembered.size < MOST_REMEMBERED)
      this.#remembered.set(secret, kind)
  }
}
