/** What was found, for a second look. Precision lives here. */
export interface Found {
  value: string
  quoted: boolean
  /** What follows in the text, e.g. `(` after a function's name. */
  next: string
}

const STAND_IN =
  /^(?:[$%<{*•]|\[redacted|\.{3}|x{3,}$|(?:your|my|some|example|sample|dummy|fake|placeholder|change_?-?me|redacted|masked|insert|replace|enter|put)(?![a-z]*\d)|(?:null|none|nil|undefined|true|false|yes|no|on|off|str|string|number|boolean|bool|int|any|bytes|required|optional|empty|unset|missing|invalid|expired|password|passwd|pass|secret|token|value|todo|env|test|admin|root|user|username|foo|bar|baz|disabled|enabled|default|hidden|prompt|ask)["']?$)/i

/** Code that reads a secret (`req.body.password`, `getToken()`), a path to one, or a stand-in holds none itself. */
export function isLiteral({ value, quoted, next }: Found): boolean {
  if (STAND_IN.test(value) || /\$\{|\{\{|\$\(/.test(value)) return false
  if (/^(?:[a-z]+:\/\/|~?\/(?![A-Za-z0-9+/]{30,}=)|\.{1,2}\/|[A-Za-z]:\\)/.test(value)) return false
  if (/\.(?:pem|key|crt|json|ya?ml|toml|txt|env|[cm]?[jt]sx?|py|go|rs)$/i.test(value)) return false
  if (quoted) return true
  return !/^[([.]/.test(next) && !/^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*|::\w+|->\w+)+$/.test(value)
}

/** Letters and digits mixed: words, constants and plain numbers are not secrets, however they are named. */
export function looksRandom(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value) && !/^v?\d+(?:\.\d+)+/.test(value)
}

/**
 * The same without a name to go by: a long run in which small letters, capitals and digits keep changing places, as they do
 * in nothing that somebody wrote, and, having capitals, in no hash.
 */
export function isScrambled(run: string): boolean {
  const count = [0, 0, 0]
  let changes = 0
  let last = -1
  for (let at = 0; at < run.length; at++) {
    const code = run.charCodeAt(at)
    const kind = code < 58 ? 0 : code < 91 ? 1 : 2
    count[kind]!++
    if (kind !== last) changes++
    last = kind
  }
  return Math.min(...count) >= 3 && changes >= run.length * 0.4
}
