/**
 * Secrets that a name, a place or a well-known prefix gives away; secretlint's rules miss assignments, headers and some
 * prefixes. Every repetition is bounded and nothing nests, so the work per character is bounded too.
 */
export interface SecretPattern {
  kind: string
  /** The last group that took part is the secret; the rest of the match stays readable. */
  pattern: RegExp
  /** A second look at what was found. Precision lives here. */
  accepts: (secret: Found) => boolean
}

export interface Found {
  value: string
  quoted: boolean
  /** `name=value` as in shells and URLs, rather than `name: value` as in prose and code. */
  tight: boolean
  /** What follows in the text, e.g. `(` after a function's name. */
  next: string
}

const prefixed = (kind: string, source: string, accepts: SecretPattern['accepts'] = () => true) => ({
  kind,
  pattern: new RegExp(`(?<![A-Za-z0-9_-])(${source})(?![A-Za-z0-9])`, 'g'),
  accepts,
})

/** `NAME=value`, `"name": "value"`, `name => 'value'`, quotes escaped or not. Group 1: separator, 2: quote, 3: quoted, 4: bare. */
const assigned = (kind: string, names: string, flags: string, accepts: SecretPattern['accepts']) => ({
  kind,
  pattern: new RegExp(
    String.raw`(?:${names})\\{0,2}["']?(\s{0,4}(?:=>|:=|=|:)\s{0,4})(?:\\{0,2}(["'\x60])([^"'\x60\r\n\\]{1,512})|((?:[^\s"'\x60,;<>()\[\]{}&\\]|&(?!\w{1,40}=)){1,512}))`,
    flags,
  ),
  accepts: (found: Found) => isLiteral(found) && accepts(found),
})

const SECRET_KEYS =
  'api|access|secret|account|private|encryption|decryption|signing|master|auth|service|shared|deploy|license'
const HARMLESS_KEYS =
  'CACHE|PRIMARY|FOREIGN|PUBLIC|SORT|PARTITION|OBJECT|HOST|IDEMPOTENCY|HOT|SHORTCUT|GROUP|FEATURE|LOOKUP'

const PRIVATE_KEY = '[A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----'

export const SECRET_PATTERNS: readonly SecretPattern[] = [
  {
    kind: 'private key',
    pattern: new RegExp(`-----BEGIN ${PRIVATE_KEY}(?:(?!-----)[^]){0,20000}-----END ${PRIVATE_KEY}`, 'g'),
    accepts: () => true,
  },
  {
    // Cut off before its end, as logs do; line breaks may be escaped.
    kind: 'private key',
    pattern: new RegExp(
      `-----BEGIN ${PRIVATE_KEY}(?:(?:\\s|\\\\[nr]){0,8}[A-Za-z0-9+/=]{16,20000}){0,400}`,
      'g',
    ),
    accepts: () => true,
  },
  {
    // Here the secret is the user's name.
    kind: 'token in URL',
    pattern: /:\/\/([\w-]{8,255}):x-oauth-basic@/g,
    accepts: isLiteral,
  },
  {
    kind: 'token in URL',
    pattern: /:\/\/([\w-]{20,255})@/g,
    accepts: ({ value }) => looksRandom(value),
  },
  {
    kind: 'password in URL',
    // The user may be empty (redis://:secret@host); the password holds anything but a break, a slash or a quote.
    pattern: /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@'"`]{0,128}:([^\s@/'"`]{1,256})@/gi,
    accepts: (found) => isLiteral(found) && found.value !== 'x-oauth-basic',
  },
  {
    kind: 'authorization header',
    pattern:
      /\bauthorization\\{0,2}["']?\s{0,4}[:=]\s{0,4}\\{0,2}["']?(?:(?:bearer|basic|token|digest|apikey)\s{1,4})?([\w.~+/=-]{8,4096})/gi,
    accepts: (found) => isLiteral(found) && (found.value.length >= 16 || looksRandom(found.value)),
  },
  {
    kind: 'bearer token',
    pattern: /\bbearer\s{1,4}([\w.~+/=-]{16,4096})/gi,
    accepts: (found) => isLiteral(found) && looksRandom(found.value),
  },
  prefixed('JSON web token', String.raw`eyJ[\w-]{8,4096}\.eyJ[\w-]{8,8192}\.[\w-]{8,2048}`),
  prefixed('github token', 'gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{30,255}'),
  prefixed('gitlab token', String.raw`gl(?:pat|dt|rt|cbt|ptt|agent)-[\w.-]{20,128}`),
  prefixed('anthropic key', String.raw`sk-ant-[\w-]{20,200}`),
  prefixed('aws access key', '(?:AKIA|ASIA)[A-Z0-9]{16}'),
  prefixed('google api key', String.raw`AIza[\w-]{35}`),
  prefixed('google token', String.raw`ya29\.[\w-]{20,1024}|GOCSPX-[\w-]{20,64}`),
  prefixed('stripe key', '[rs]k_(?:live|test)_[A-Za-z0-9]{16,128}|whsec_[A-Za-z0-9]{20,128}'),
  prefixed('pypi token', String.raw`pypi-[\w-]{50,512}`),
  prefixed('digitalocean token', 'do[opr]_v1_[a-f0-9]{64}'),
  prefixed('slack token', String.raw`xox[abeoprs]-[\w-]{10,255}`),
  prefixed('telegram token', String.raw`\d{8,10}:AA[\w-]{33}`),
  prefixed('age key', 'AGE-SECRET-KEY-1[A-Z0-9]{58}'),
  // OpenAI, OpenRouter, DeepSeek and others share the prefix; a name such as sk-learn-pipelines has no such mixture.
  prefixed('api key', String.raw`sk-[\w-]{20,200}`, ({ value }) => looksRandom(value) && /[A-Z]/.test(value)),
  assigned('password', 'password|passwd|passphrase|passwort|pwd|_PASS', 'gi', ({ value, quoted, tight }) =>
    quoted || tight ? value.length >= 4 : value.length >= 6 && looksRandom(value),
  ),
  assigned('secret', 'secret|credentials?', 'gi', ({ value, quoted, tight }) =>
    quoted || tight ? value.length >= 8 : value.length >= 8 && looksRandom(value),
  ),
  assigned('token', 'token', 'gi', ({ value }) => value.length >= 8 && looksRandom(value)),
  assigned('key', `(?:${SECRET_KEYS})[_-]?key`, 'gi', ({ value }) => value.length >= 8 && looksRandom(value)),
  assigned(
    'key',
    `(?<!${HARMLESS_KEYS})_KEY`,
    'g',
    ({ value, tight }) => tight && value.length >= 16 && looksRandom(value),
  ),
  {
    kind: 'password',
    pattern:
      /(?<![\w-])--(?:[a-z]{1,20}-){0,2}(?:password|passwd|token|secret|api-key)[ =]["']?([^\s"'`]{4,512})/g,
    accepts: (found) => isLiteral(found) && !found.value.startsWith('-') && looksRandom(found.value),
  },
  {
    kind: 'password',
    pattern: /\bcurl\b[^\r\n]{0,200}?\s(?:-u|--user)[ =]?["']?[^\s:'"]{1,64}:([^\s'"]{1,256})/g,
    accepts: isLiteral,
  },
  {
    kind: 'password',
    pattern: /\blogin\s{1,4}\S{1,100}\s{1,4}password\s{1,4}(\S{1,256})/g,
    accepts: isLiteral,
  },
]

const PLACEHOLDER =
  /^(?:[$%<{*]|\[redacted|\.{3}|x{3,}$|(?:your|example|dummy|placeholder|change_?-?me|redacted|masked|insert|replace)|(?:null|none|nil|undefined|true|false|yes|no|string|number|boolean|any|required|optional|empty|unset|missing|invalid|password|passwd|pass|secret|token|value|todo|env|test|admin|root|user|username|foo|bar|baz)["']?$)/i

/** Code that reads a secret (`req.body.password`, `getToken()`), a path to one, or a stand-in holds none itself. */
function isLiteral({ value, quoted, next }: Found): boolean {
  if (PLACEHOLDER.test(value) || /\s/.test(value) || /\$\{|\{\{/.test(value)) return false
  if (/^(?:[a-z]+:\/\/|~?\/|\.{1,2}\/|[A-Za-z]:\\)/.test(value)) return false
  if (/\.(?:pem|key|crt|json|ya?ml|toml|txt|env|[cm]?[jt]sx?|py|go|rs)$/i.test(value)) return false
  if (quoted) return true
  return !/^[([.]/.test(next) && !/^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/.test(value)
}

/** Letters and digits mixed: words, constants and plain numbers are not secrets, however they are named. */
export function looksRandom(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value) && !/^v?\d+(?:\.\d+)+/.test(value)
}
