import { removeHidden } from './hidden-characters.ts'
import { whole } from './secrets/broken.ts'
import { COMMAND_SECRETS } from './secrets/commands.ts'
import { type SecretPlace, SecretScan } from './secrets/finder.ts'
import { looksRandom } from './secrets/judge.ts'
import { NAMED_SECRETS } from './secrets/named.ts'
import { PLACED_SECRETS } from './secrets/places.ts'
import { tokenPlaces } from './secrets/tokens.ts'

export interface Redaction {
  text: string
  /** What was masked, without the secrets themselves. */
  found: { kind: string; count: number }[]
}

const NAMES_AND_PLACES = new SecretScan([...PLACED_SECRETS, ...COMMAND_SECRETS, NAMED_SECRETS])

/** A mask may part two secrets that stood in each other's way; more than a few never do. */
const MOST_ROUNDS = 5

/** Masks secrets so that none is ever stored: `[redacted: github token]` stands where one was. */
export function redact(text: string): string {
  return redactWithReport(text).text
}

/** Colour codes and characters nobody sees go first: inside a secret they would hide it from every pattern. */
export function redactWithReport(original: string): Redaction {
  const masker = new Masker(removeHidden(original).text)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    // What gives itself away comes first, under its own name.
    const tokens = masker.mask(tokenPlaces(masker.text))
    const others = masker.mask(NAMES_AND_PLACES.places(masker.text))
    if (!tokens && !others) break
  }
  return masker.result()
}

/** Stands between texts that are looked through together; a private character, which no text has any use for. */
const BETWEEN = '\n\u{10fffc}\n'

/** Several texts that belong together, in one pass: a secret seen in one of them is masked in all. */
export function redactAll(texts: readonly string[]): { texts: string[]; secrets: number } {
  const together = redactWithReport(texts.map((one) => one.replaceAll(BETWEEN, '\n')).join(BETWEEN))
  const parts = together.text.split(BETWEEN)
  if (parts.length === texts.length) return { texts: parts, secrets: countOf(together) }
  // A secret that seemed to begin in one and end in another took what stood between.
  const apart = texts.map(redactWithReport)
  return {
    texts: apart.map(({ text }) => text),
    secrets: apart.reduce((sum, redaction) => sum + countOf(redaction), 0),
  }
}

function countOf({ found }: Redaction): number {
  return found.reduce((sum, { count }) => sum + count, 0)
}

/** A secret seen once is masked wherever it stands; beyond this many, each only where it was recognised. */
const MOST_REMEMBERED = 100

class Masker {
  text: string
  readonly #counts = new Map<string, number>()
  readonly #remembered = new Map<string, string>()

  constructor(text: string) {
    this.text = text
  }

  /** One pass, however many there are; whether there were any. */
  mask(places: readonly SecretPlace[]): boolean {
    let masked = ''
    let position = 0
    for (const place of [...places].sort((a, b) => a.from - b.from)) {
      const { from, to, kind } = whole(this.text, place)
      if (from < position) continue
      this.#remember(this.text.slice(from, to), kind)
      masked += this.text.slice(position, from) + this.#mask(kind)
      position = to
    }
    this.text = masked + this.text.slice(position)
    return position > 0
  }

  result(): Redaction {
    for (const [secret, kind] of this.#remembered)
      this.text = this.text.replaceAll(secret, () => this.#mask(kind))
    return { text: this.text, found: [...this.#counts].map(([kind, count]) => ({ kind, count })) }
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
