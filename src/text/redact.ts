import { removeHidden } from './hidden-characters.ts'
import { hintsOf } from './pattern-hints.ts'
import { type Found, looksRandom, SECRET_PATTERNS } from './secret-patterns.ts'

export interface Redaction {
  text: string
  /** What was masked, without the secrets themselves. */
  found: { kind: string; count: number }[]
}

/** No token of any service is shorter. */
const LONG_WORD = /[\w.~$%:/+=-]{16,}/g

/** Each with the words without which it is not worth trying. */
const TRIED = SECRET_PATTERNS.map(({ hint, ...rest }) => ({
  ...rest,
  hints: hint === undefined ? hintsOf(rest.pattern.source) : [hint.toLowerCase()],
}))

/**
 * Masks secrets so that none is ever stored: `[redacted: github token]` stands where one was. Colour codes and characters
 * nobody sees go first: inside a secret they would hide it from every pattern.
 */
export async function redact(text: string): Promise<Redaction> {
  const masker = maskedByPatterns(text)
  if (LIBRARY_MAY_KNOW.test(masker.text)) masker.places(await askSecretlint(masker.text))
  return masker.result()
}

/** The same for those who cannot wait: by our own patterns alone, which know what the library knows and where it stands. */
export function redactNow(text: string): string {
  return maskedByPatterns(text).result().text
}

function maskedByPatterns(text: string): Masker {
  const masker = new Masker(removeHidden(text).text)
  const lower = masker.text.toLowerCase()
  const longWords = (lower.match(LONG_WORD) ?? []).join(' ')
  for (const { kind, pattern, accepts, hints, longWord } of TRIED) {
    const where = longWord ? longWords : lower
    if (where !== '' && (hints === undefined || hints.some((hint) => where.includes(hint))))
      masker.pattern(kind, pattern, accepts)
  }
  return masker
}

/** Stands between texts that are looked through together; a private character, which no text has any use for. */
const BETWEEN = '\n\u{10fffc}\n'

/** Several texts that belong together, in one pass: a secret seen in one of them is masked in all. */
export async function redactAll(texts: readonly string[]): Promise<{ texts: string[]; secrets: number }> {
  const together = await redact(texts.map((one) => one.replaceAll(BETWEEN, '\n')).join(BETWEEN))
  const parts = together.text.split(BETWEEN)
  if (parts.length === texts.length) return { texts: parts, secrets: countOf(together) }
  // A secret that seemed to begin in one and end in another took what stood between.
  const apart = await Promise.all(texts.map(redact))
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

  pattern(kind: string, pattern: RegExp, accepts: (found: Found) => boolean): void {
    this.text = this.text.replace(pattern, (...args) => {
      const match = args[0] as string
      const offset = args.findIndex((arg) => typeof arg === 'number')
      const groups = args.slice(1, offset) as (string | undefined)[]
      const value = groups.findLast((group) => group !== undefined) ?? match
      const end = (args[offset] as number) + match.length
      const found = {
        value,
        quoted: groups.length > 1 && groups[1] !== undefined,
        tight: groups[0] === '=',
        next: (args[offset + 1] as string).slice(end, end + 1),
      }
      if (!accepts(found)) return match
      if (value.length >= 16 && looksRandom(value)) this.#remember(value, kind)
      // The secret always ends the match, or stands right before the `@` of a URL.
      const at = match.lastIndexOf(value)
      return match.slice(0, at) + this.#mask(kind) + match.slice(at + value.length)
    })
  }

  /** One pass, however many there are. */
  places(secrets: readonly FoundSecret[]): void {
    let masked = ''
    let position = 0
    for (const { kind, secret, from } of [...secrets].sort((a, b) => a.from - b.from)) {
      const at = this.text.indexOf(secret, Math.max(from, position))
      if (at < 0) continue
      masked += this.text.slice(position, at) + this.#mask(kind)
      position = at + secret.length
      this.#remember(secret, kind)
    }
    this.text = masked + this.text.slice(position)
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
    if (this.#remembered.size < MOST_REMEMBERED) this.#remembered.set(secret, kind)
  }
}

/**
 * Loading secretlint costs some 40 ms, so a text without a single trace of what its rules look for never loads it.
 * A test holds this against every rule of the preset.
 */
const LIBRARY_MAY_KNOW = new RegExp(
  [
    '(?:[Ss]ecret|SECRET)_?(?:[Aa]ccess|ACCESS)_?(?:[Kk]ey|KEY)',
    String.raw`//[^\s/@]{1,300}@|hooks\.slack\.com|_authToken|PRIVATE KEY`,
    String.raw`(?<![A-Za-z])(?:sk-|gsk_|hf_|npm_|lin_api_|ntn_|SG\.|shp(?:pa|ca|at|ss)_|[sr]k_(?:live|test)_|gh[pousr]_)`,
    String.raw`(?<![A-Za-z])(?:github_pat_|glpat-|glc_|glsa_|ops_ey|hv[sbr]\.|vc[piark]_|dapi|dckr_pat_|figd_|tskey-)`,
    '(?<![A-Za-z])(?:xox[bpaor]-|xapp-|cf(?:k|ut|at)_)',
  ].join('|'),
)

interface FoundSecret {
  kind: string
  secret: string
  /** Where in the text it stands, or shortly before. */
  from: number
}

async function askSecretlint(text: string): Promise<FoundSecret[]> {
  const [{ lintSource }, { rules }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ])
  const result = await lintSource({
    source: { filePath: 'text.txt', content: text, contentType: 'text', ext: '.txt' },
    options: {
      noPhysicFilePath: true,
      config: {
        rules: rules
          // It lets a comment in the text switch the others off: whoever wrote the text could smuggle secrets past us.
          .filter((rule) => rule.meta.id !== '@secretlint/secretlint-rule-filter-comments')
          .map((rule) => ({ id: rule.meta.id, rule, options: {} })),
      },
    },
  })
  return result.messages.map((message) => ({
    kind: kindOf(message.ruleId),
    // Some rules report the range of the assignment and the length of the value: the data names the secret itself.
    secret: secretOf(message.data) ?? text.slice(...message.range),
    from: message.range[0],
  }))
}

function kindOf(ruleId: string): string {
  const name = ruleId.replace(/^.*secretlint-rule-/, '').replaceAll('-', ' ')
  return KINDS[name] ?? `${name} token`
}

const KINDS: Record<string, string> = {
  aws: 'aws key',
  basicauth: 'password in URL',
  'database connection string': 'database connection string',
  privatekey: 'private key',
}

function secretOf(data: unknown): string | undefined {
  if (data === null || typeof data !== 'object') return undefined
  const values = Object.values(data).filter((value) => typeof value === 'string' && value.length >= 8)
  return (values as string[]).sort((a, b) => b.length - a.length)[0]
}
