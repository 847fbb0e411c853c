import { SECRET_PREFIXES } from './secret-prefixes.ts'

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
  /** What every match holds, where its beginning does not tell. */
  hint?: string | undefined
  /** It is one long word, as tokens are: ordinary sentences hold none. */
  longWord?: true
}

export interface Found {
  value: string
  quoted: boolean
  /** `name=value` as in shells and URLs, rather than `name: value` as in prose and code. */
  tight: boolean
  /** What follows in the text, e.g. `(` after a function's name. */
  next: string
}

/** Between characters that cannot be part of it: a name may be glued to it by a hyphen, unless words could match. */
const standing = (source: string, before: string) =>
  new RegExp(`(?<![A-Za-z0-9${before}])(${source})(?![A-Za-z0-9])`, 'g')

/** `NAME=value`, `"name": "value"`, `name => 'value'`, quotes escaped or not. Group 1: separator, 2: quote, 3: quoted, 4: bare. */
const assigned = (kind: string, names: string, flags: string, accepts: SecretPattern['accepts']) => ({
  kind,
  pattern: new RegExp(
    String.raw`(?:${names})\\{0,2}["']?(\s{0,4}(?:=>|:=|=|:)\s{0,4})(?:\\{0,2}(["'\x60])([^"'\x60\r\n\\]{1,512})|((?:[^\s"'\x60,;<>()\[\]{}&\\]|&(?!\w{1,40}=)){1,512}))`,
    flags,
  ),
  accepts: (found: Found) => isLiteral(found) && accepts(found),
})

/** Options that take a password as their value. Group 1 is the secret. */
const COMMAND_SECRETS: readonly SecretPattern[] = [
  // mysql and its family take it without a space.
  /\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump)\b[^\r\n|;&]{0,200}?\s-p["']?([^\s"'`-][^\s"'`]{2,255})/g,
  /\bsshpass\s{1,4}-p\s{0,4}["']?([^\s"'`]{3,255})/g,
  /\b(?:docker|podman|buildah|nerdctl|helm|oras|skopeo)\s[^\r\n|;&]{0,60}?login\b[^\r\n|;&]{0,200}?\s-p[= ]{1,2}["']?([^\s"'`]{3,255})/g,
  /\b(?:az|oc|cf|heroku|ibmcloud)\s[^\r\n|;&]{0,60}?login\b[^\r\n|;&]{0,200}?\s-p[= ]{1,2}["']?([^\s"'`]{3,255})/g,
  /\bredis-cli\b[^\r\n|;&]{0,200}?\s-a\s{1,4}["']?([^\s"'`]{3,255})/g,
  /\b(?:mongo|mongosh|mongodump|mongorestore)\b[^\r\n|;&]{0,200}?\s-p\s{1,4}["']?([^\s"'`-][^\s"'`]{2,255})/g,
  /\bldap(?:search|add|modify|delete|whoami|passwd)\b[^\r\n|;&]{0,200}?\s-w\s{0,4}["']?([^\s"'`]{3,255})/g,
  /\bhtpasswd\s{1,4}-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}\s[^\r\n|;&]{0,200}?\s([^\s"'`|;&]{4,255})(?=\s*(?:$|[|;&\n]))/g,
  /\bsmbclient\b[^\r\n|;&]{0,200}?\s-U\s{0,4}["']?[^\s%"']{1,64}%([^\s"'`]{3,255})/g,
  /-pass(?:in|out)\s{1,4}["']?pass:([^\s"'`]{3,255})/g,
  /\bConvertTo-SecureString\s{1,4}(?:-String\s{1,4})?["']([^"'\r\n]{4,255})/g,
  /\bnet\s{1,4}use\b[^\r\n]{0,120}?\/user:\S{1,80}\s{1,4}(?!\/)(\S{3,255})/gi,
].map((pattern) => ({
  kind: 'password',
  pattern,
  accepts: isLiteral,
}))

/** Lines of files that hold secrets, as they come up when somebody prints one. */
const FILE_SECRETS: readonly SecretPattern[] = [
  {
    // .pgpass: host:port:database:user:password.
    kind: 'password',
    pattern: /^[\w.*-]{1,255}:(?:\d{4,5}|\*):(?:[A-Za-z_*][\w-]{0,62}|\*):[\w.*-]{1,63}:(\S{1,255})$/gm,
    accepts: isLiteral,
  },
  {
    kind: 'kubernetes key',
    pattern:
      /\b(?:client-key-data|client-certificate-data)["']?\s{0,4}:\s{0,4}["']?([A-Za-z0-9+/=]{40,20000})/g,
    accepts: () => true,
  },
  {
    // .npmrc, .dockercfg and config.json: user and password in base64.
    kind: 'credentials',
    pattern:
      /(?:(?<![\w-])(?:_auth|_password)\s{0,4}=\s{0,4}["']?|"(?:auth|identitytoken|registrytoken)"\s{0,4}:\s{0,4}")([A-Za-z0-9+/_.=-]{12,4096})/g,
    accepts: isLiteral,
  },
  {
    kind: 'wireguard key',
    pattern: /\b(?:PrivateKey|PresharedKey)\s{0,4}=\s{0,4}([A-Za-z0-9+/]{43}=)/g,
    accepts: () => true,
  },
  {
    kind: 'private key',
    pattern: /\bPrivate-Lines:\s{0,4}\d{1,4}\r?\n((?:[A-Za-z0-9+/=]{8,80}\r?\n?){1,100})/g,
    accepts: () => true,
  },
  {
    kind: 'one-time password seed',
    pattern: /\botpauth:\/\/[^\s"'`]{1,300}?[?&]secret=([A-Z2-7=]{8,128})/gi,
    accepts: () => true,
  },
  {
    kind: 'cookie',
    hint: 'cookie',
    pattern:
      /\b(?:set-)?cookie\\{0,2}["']?\s{0,4}[:=]\s{0,4}\\{0,2}["']?((?:[\w!#$%&'*+.^`|~-]{1,100}=[^\s;,"'\\]{1,2000}(?:;\s{0,2})?){1,40})/gi,
    accepts: ({ value }) =>
      value.split(';').some((pair) => looksRandom(pair.slice(pair.indexOf('=') + 1)) && pair.length >= 16),
  },
  {
    kind: 'webhook',
    pattern:
      /https:\/\/(?:discord(?:app)?\.com\/api\/webhooks\/\d{10,25}|hooks\.slack\.com\/(?:services|workflows|triggers)|[\w-]{1,60}\.webhook\.office\.com\/webhookb2)\/([\w@/.-]{16,300})/g,
    accepts: () => true,
  },
  {
    kind: 'signature in URL',
    pattern:
      /[?&](?:sig|signature|X-Amz-Signature|X-Goog-Signature|X-Amz-Security-Token)=([\w%+/=.-]{20,2048})/g,
    accepts: () => true,
  },
  {
    kind: 'header',
    pattern:
      /\b(?:x-(?:api|auth|access|goog-api|functions)-?(?:key|token)|api-key|apikey|x-vault-token|private-token|x-shopify-access-token|dd-api-key|dd-application-key|x-amz-security-token)\\{0,2}["']?\s{0,4}:\s{0,4}\\{0,2}["']?([\w.~+/=-]{12,2048})/gi,
    accepts: (found) => isLiteral(found) && looksRandom(found.value),
  },
]

const SECRET_KEYS =
  'api|access|secret|account|private|encryption|decryption|signing|master|auth|service|shared|deploy|license|application|app|ingest|write|admin|sharedaccess|subscription|storage'
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
    hint: ':x-oauth-basic@',
  },
  {
    kind: 'token in URL',
    pattern: /:\/\/([\w-]{20,255})@/g,
    accepts: ({ value }) => looksRandom(value),
    hint: '://',
  },
  {
    kind: 'password in URL',
    // The user may be empty (redis://:secret@host); the password holds anything but a break, a slash or a quote.
    pattern: /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@'"`]{0,128}:([^\s@/'"`]{1,256})@/gi,
    accepts: (found) => isLiteral(found) && found.value !== 'x-oauth-basic',
    hint: '://',
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
  ...SECRET_PREFIXES.map(({ kind, source, mixed, hint }) => ({
    kind,
    pattern: standing(source, mixed ? '_-' : ''),
    hint,
    longWord: true as const,
    accepts: mixed ? ({ value }: Found) => looksRandom(value) : () => true,
  })),
  assigned(
    'password',
    'password|passwd|passphrase|passwort|pwd|_PASS|requirepass|masterauth',
    'gi',
    ({ value, quoted, tight }) =>
      quoted || tight ? value.length >= 4 : value.length >= 6 && looksRandom(value),
  ),
  assigned('secret', 'secret|credentials?', 'gi', ({ value, quoted, tight }) =>
    quoted || tight ? value.length >= 8 : value.length >= 8 && looksRandom(value),
  ),
  // Rails, Django, Laravel, Phoenix: their names end otherwise, or their values are only letters.
  assigned(
    'secret',
    'SECRET_KEY_BASE|SECRET_KEY|APP_KEY|ENCRYPTION_KEY',
    'g',
    ({ value }) => value.length >= 16,
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
  ...COMMAND_SECRETS,
  ...FILE_SECRETS,
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
