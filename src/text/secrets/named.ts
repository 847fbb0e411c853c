import { lazy } from '../../deferred.ts'
import type { SecretFinder, SecretPlace } from './finder.ts'
import { isLiteral, looksRandom } from './judge.ts'
import { type NamedSecret, secretNamed } from './secret-names.ts'

/** By character code. */
const OF_NAMES = new Uint8Array(128)
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-')
  OF_NAMES[character.charCodeAt(0)] = 1
const LONGEST_NAME = 64
const ONE_NAME = /^[\w.-]{1,64}$/

const QUOTE = String.raw`\\{0,3}["'\x60]|&quot;|%22`
/** How a name is given its value, in whatever language. Each keeps its own group, for they do not promise the same. */
const GIVEN = [
  // name = value, "name": "value", name => 'value', ["name"] = "value", name: | (and the value on the next line)
  String.raw`(?<assigned>\]?\s{0,4}(?:=>|:=|\?=|={1,3}|::?|%3[ad]|\\u003[ad])\s{0,4}(?:[|>][+-]?\s{1,20}|!{1,2}[\w/]{1,20} )?)`,
  // {"name": "NAME", "value": "value"}, variable "name" { default = "value", key="name" value="value"
  String.raw`(?<pair>\s{0,2}[,;{]?\s{0,40}["']?(?:value|default|defaultValue|plainText|content)["']?\s{0,4}[:=]\s{0,4})`,
  // define('NAME', 'value')
  String.raw`(?<argument>(?<=["'\x60])\s{0,2},\s{0,4}(?=\\{0,2}["'\x60]))`,
  // <name>value</name>, <key>name</key><string>value</string>
  String.raw`(?<element>(?:</key>\s{0,40}<string)?>\s{0,2}(?=[^<\s]))`,
  // | name | value |
  String.raw`(?<cell>\s{0,30}\|\s{1,20})`,
  String.raw`(?<said>\s(?:is|was|ist|set to)\s(?:now\s|currently\s|set to\s)?)`,
  // --name value, ENV name value
  String.raw`(?<spaced>\s{1,4})`,
]
const VALUE = String.raw`(?:(?:Bearer|Basic|Token|ApiKey)\s)?(?:(?<quote>${QUOTE})(?<quoted>(?:\\\k<quote>|(?!\k<quote>)[^\r\n]){1,512})|(?<bare>(?:[^\s"'\x60,;<>()\[\]{}&\\|]|&(?!\w{1,40}[=;])){1,512}))`
const AFTER_NAME = lazy(() => new RegExp(`(?:${QUOTE})?(?:${GIVEN.join('|')})${VALUE}`, 'dyi'))
/** What any of these but a mere space begins with: it is made, and tried, in a quarter of the time, and mostly says no. */
const MAY_BE_GIVEN = lazy(
  () =>
    new RegExp(
      String.raw`(?:${QUOTE})?\s{0,42}(?:[\]=:?%\\<>|]|(?:[,;{]\s{0,40})?["']?(?:value|default|plainText|content)|,\s{0,4}\\{0,2}["'\x60]|(?:is|was|ist|set to)\s)`,
      'iy',
    ),
)
/** In a file of settings a value ends where the line does, whatever it is made of. */
const REST_OF_SETTING = /(?:[^\s"\x60\\&]|&(?!\w{1,40}[=;])){1,512}/y
const SPACE_AFTER =
  /(?:^|[\s;&|`])(?:ENV|ARG|setenv|setx|set -[gUx]{1,3}|configure set|config set|CONFIG SET)\s{1,4}(?:\S{1,80}:)?$/
/** Names in words: `API key`, `secret access key`. */
const WORDS_BEFORE = /(?:^|[^\w-])((?:[A-Za-z]{2,12} ){1,2})$/

/** Secrets that a name gives away: assignments, settings, headers, flags, in whatever format. */
export const NAMED_SECRETS: SecretFinder = {
  triggers: [
    ...[
      'pass',
      'pw',
      'secret',
      'token',
      'key',
      'cred',
      'auth',
      'psk',
      'salt',
      'pepper',
      'seed',
      'mnemonic',
      'sess',
    ],
    ...['.sid', 'jwt', 'bearer', 'hmac', 'signature', 'kennwort', 'senha', 'contrasena', 'sid='],
  ],
  find(text, at) {
    let start = at
    while (start > 0 && at - start < LONGEST_NAME && isOfName(text, start - 1)) start--
    let end = at
    while (end < text.length && end - at < LONGEST_NAME && isOfName(text, end)) end++
    const name = text.slice(start, end)
    const named = secretNamed(name) ?? secretNamed(inWords(text, start) + name)
    if (named === undefined) return undefined
    const mayBeGiven = MAY_BE_GIVEN()
    mayBeGiven.lastIndex = end
    if (!mayBeGiven.test(text) && !takesSpace(text, start, name)) return undefined
    const afterName = AFTER_NAME()
    afterName.lastIndex = end
    const match = afterName.exec(text)
    return match === null ? undefined : placeOf(text, start, name, named, match)
  },
}

function isOfName(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 128 && OF_NAMES[code] === 1
}

/** What a field's name makes of its value; undefined for what is no secret. */
export function kindNamed(name: string, value: string): string | undefined {
  // Most names say nothing, and most values are longer than all the rest.
  if (ONE_NAME.test(name) && secretNamed(name) === undefined) return undefined
  return NAMED_SECRETS.find(`${name}="${value}"`, 0)?.kind
}

function inWords(text: string, start: number): string {
  if (text[start - 1] !== ' ') return ''
  const words = WORDS_BEFORE.exec(text.slice(Math.max(0, start - 26), start))?.[1]
  return words === undefined ? '' : words.replaceAll(' ', '_')
}

function placeOf(
  text: string,
  start: number,
  name: string,
  named: NamedSecret,
  match: RegExpExecArray,
): SecretPlace | undefined {
  const { assigned, argument, element, said, spaced, cell, quoted } = match.groups!
  const isSetting = name === name.toUpperCase() && assigned?.endsWith('=') === true
  const [from, foundTo] = match.indices!.groups![quoted === undefined ? 'bare' : 'quoted']!
  const to = isSetting && quoted === undefined ? endOfSetting(text, from) : foundTo
  const value = text.slice(from, to)
  const found = { value, quoted: quoted !== undefined, next: text.slice(to, to + 1) }
  if (value.length < named.least || !isLiteral(found)) return undefined
  if (/\s/.test(value) && !(isSetting || /phrase$/i.test(name))) return undefined
  if (argument !== undefined && name !== name.toUpperCase()) return undefined
  if (element !== undefined && text[start - 1] !== '<' && !looksMade(value)) return undefined
  if (spaced !== undefined && !takesSpace(text, start, name)) return undefined
  // Where the sentence or the layout could mean something else, the value has to speak for itself.
  const unsure =
    said !== undefined ||
    cell !== undefined ||
    spaced !== undefined ||
    (quoted === undefined && !isTight(text, start, to, name, assigned))
  const looks = unsure && named.looks === 'written' ? 'mixed' : named.looks
  if (unsure && value.length < 6) return undefined
  if (looks === 'mixed' && !looksMixed(value, said !== undefined)) return undefined
  if (looks === 'made' && !(looksMade(value) && (found.quoted || isSetting || !isVariable(value))))
    return undefined
  if (looks === 'written' && namesSecret(value)) return undefined
  return { from, to, kind: named.kind === 'session' ? 'session' : named.kind }
}

function endOfSetting(text: string, from: number): number {
  REST_OF_SETTING.lastIndex = from
  const value = REST_OF_SETTING.exec(text)?.[0] ?? ''
  return from + value.replace(/[,;.)}\]'>]{1,4}$/, '').length
}

function takesSpace(text: string, start: number, name: string): boolean {
  return (
    /^--?[a-z]/.test(name) ||
    /^(?:requirepass|masterauth)$/.test(name) ||
    SPACE_AFTER.test(text.slice(Math.max(0, start - 100), start))
  )
}

/** `name=value` as in shells, URLs and connection strings, rather than `name: value` as in prose or `name=other` as in code. */
function isTight(
  text: string,
  start: number,
  to: number,
  name: string,
  assigned: string | undefined,
): boolean {
  if (assigned === undefined) return true
  if (!/^(?:=|%3d|\\u003d)$/i.test(assigned)) return false
  if (name === name.toUpperCase() || name.startsWith('-')) return true
  const before = text.slice(Math.max(0, start - 1), start)
  const after = text.slice(to, to + 1)
  return !/[,)]/.test(after) || /[?&;]/.test(before)
}

/** `app-state-v2` is made of words; a key has a longer stretch of letters and digits. */
function looksMade(value: string): boolean {
  return (
    looksRandom(value) &&
    (value.match(/[A-Za-z0-9]{8,}/g) ?? []).some((run) => /\d/.test(run) && /[A-Za-z]/.test(run))
  )
}

/** A variable may have a number in its name, but hardly two. */
function isVariable(value: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(value) && !/\d\D+\d/.test(value)
}

const ALGORITHM = /^(?:sha|md|base|utf|aes|rsa|oauth|http|ipv|hs|rs|es|ed|x|p|argon|scrypt|bcrypt)-?\d/i

function looksMixed(value: string, said: boolean): boolean {
  return looksRandom(value) && !(said && ALGORITHM.test(value))
}

/** The value is itself the name of a secret: `password=db_password`, `secret: "tls-secret"`. */
function namesSecret(value: string): boolean {
  return (
    /^[A-Za-z_$][A-Za-z_$-]*$/.test(value) &&
    /(?:^|[_-])(?:password|passwd|pwd|secret|token|key)(?:$|[_-])|[a-z](?:Password|Pwd|Secret|Token|Key)$/.test(
      value,
    )
  )
}
