/** What a name says about the value it is given. */
export interface NamedSecret {
  kind: 'password' | 'secret' | 'token' | 'key' | 'session'
  /** Shorter values are something else. */
  least: number
  /** `written`: any literal. `mixed`: letters and digits. `made`: as a machine makes them. */
  looks: 'written' | 'mixed' | 'made'
}

const named = (kind: NamedSecret['kind'], least: number, looks: NamedSecret['looks']): NamedSecret => ({
  kind,
  least,
  looks,
})

/** Says where or of what form it is, and nothing about what it is. */
const BESIDES =
  /^(?:v?\d{1,4}|base|prod|production|dev|development|stag(?:e|ing)|live|sandbox|test|primary|secondary|old|new|current|prev(?:ious)?|value|data|plain|plaintext|text|raw|b64|base64|encoded|hex|pem|env|default|main|admin|root|user|global|local|shared|us|eu|ro|rw|string|literal|backup)$/
const PASSWORDS =
  /(?:password|passwd|passphrase|passwort|passcode|pwd|requirepass|masterauth|storepass|keypass|sshpass|contrasena|kennwort|senha)$|^(?:psk|pw|bindpw|rootpw|adminpw|userpw|dbpw|dbpass)$/
const SECRET_KEYS =
  'api|access|secret|account|private|encrypt|encryption|decryption|sign|signing|master|auth|service|shared|deploy|license|application|app|ingest|write|admin|sharedaccess|subscription|storage|functions?|client|consumer|session|cookie|hmac|jwt|cipher|aes|crypto?|webhook|integration|rest|bot|team|developer|dev|registration|recovery|unseal|vault|transfer|management|personal'
const SECRET_KEY = new RegExp(`^(?:${SECRET_KEYS})$`)
const SECRET_KEY_WORD = new RegExp(`^(?:\\w{0,20}(?:${SECRET_KEYS}))key$`)
const HARMLESS_KEY =
  /^(?:cache|primary|foreign|public|publishable|sort|partition|object|host|idempotency|hot|shortcut|group|feature|lookup|row|index|map|composite|unique|natural|known|arrow|any|press|last|first|next|react|translation|message|i18n|query|mutation|dedupe|dedup|ordering|routing)$/
const HARMLESS_TOKEN =
  /^(?:next|page|continuation|sync|cursor|prev|start|end|eos|bos|pad|unk|special|design|color)$/
const SESSION =
  /^(?:PHPSESSID|JSESSIONID|ASPSESSIONID\w{0,20}|ASP\.NET_SessionId|connect\.sid|laravel_session|_\w{1,40}_session|sessionid|sid)$/

/** A text has few names and repeats them. */
const judged = new Map<string, NamedSecret | undefined>()
const MOST_REMEMBERED = 5_000

/** `DB_PASSWORD`, `clientSecret`, `x-api-key`: undefined for names of anything else. */
export function secretNamed(name: string): NamedSecret | undefined {
  if (judged.has(name)) return judged.get(name)
  if (judged.size >= MOST_REMEMBERED) judged.clear()
  const found = judge(name)
  judged.set(name, found)
  return found
}

function judge(name: string): NamedSecret | undefined {
  if (SESSION.test(name)) return named('session', 16, 'made')
  const words = wordsOf(name)
  while (words.length > 1 && BESIDES.test(words.at(-1)!)) words.pop()
  const last = words.at(-1) ?? ''
  const before = words.at(-2) ?? ''
  if (PASSWORDS.test(last)) return named('password', 4, 'written')
  if (last === 'pass') return named('password', 4, words.length > 1 ? 'written' : 'mixed')
  if (last.endsWith('secret')) return named('secret', 8, 'written')
  if (/^(?:credentials?|creds|mnemonic|salt|pepper|seed|bearer|jwt|hmac|sas)$/.test(last))
    return named('secret', 16, 'made')
  if (last === 'auth' || last === 'authkey') return named('secret', 12, 'made')
  if (last === 'signature') return before === '' || words[0] !== 'x' ? undefined : named('secret', 20, 'made')
  if (last.endsWith('token')) return HARMLESS_TOKEN.test(before) ? undefined : named('token', 8, 'made')
  if (last === 'key' || last.endsWith('key')) return keyNamed(name, last, before)
  return firstWord(name, words)
}

function keyNamed(name: string, last: string, before: string): NamedSecret | undefined {
  // Rails, Django, Laravel, Phoenix: their values may be only letters.
  if (/^(?:SECRET_KEY|SECRET_KEY_BASE|APP_KEY|ENCRYPTION_KEY)$/.test(name))
    return named('secret', 16, 'written')
  if (last !== 'key') return SECRET_KEY_WORD.test(last) ? named('key', 8, 'made') : undefined
  if (SECRET_KEY.test(before)) return named('key', 8, 'made')
  return before === '' || HARMLESS_KEY.test(before) ? undefined : named('key', 16, 'made')
}

/** `TOKEN_GITHUB`, `PASSWORD_OF_BOB`. */
function firstWord(name: string, words: readonly string[]): NamedSecret | undefined {
  if (name !== name.toUpperCase() || words.length < 2) return undefined
  if (
    /^(?:id|name|file|path|dir|url|uri|type|ttl|count|length|arn|version|hash|hashes|policy|expiry|expires|format)$/.test(
      words.at(-1)!,
    )
  )
    return undefined
  if (/^(?:password|passwd|pass|pwd)$/.test(words[0]!)) return named('password', 6, 'mixed')
  return /^(?:token|secret|key|apikey)$/.test(words[0]!) ? named('key', 16, 'made') : undefined
}

/** `dbPasswordV2`, `DB_PASSWORD_V2`, `db.password-v2` → db, password, v2. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3 $2$4')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}
