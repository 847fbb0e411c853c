/**
 * The English Snowball stemmer ("Porter2"): "migrations", "migrated" and "migrating" meet in "migrat".
 * Rules: https://snowballstem.org/algorithms/english/stemmer.html
 *
 * Inside, a capital `Y` is a y that acts as a consonant, so that `[aeiouy]` are exactly the vowels.
 */

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ...['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes', 'inning', 'outing', 'canning'].map(same),
  ...['herring', 'earring', 'proceed', 'exceed', 'succeed'].map(same),
])

type Rule = readonly [suffix: string, replacement: string]

/** Longest suffixes first: the first that fits decides, whether or not its condition holds. */
const DERIVED: readonly Rule[] = [
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['iveness', 'ive'],
  ['ization', 'ize'],
  ['ousness', 'ous'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['tional', 'tion'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ation', 'ate'],
  ['entli', 'ent'],
  ['fulli', 'ful'],
  ['iviti', 'ive'],
  ['ousli', 'ous'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['anci', 'ance'],
  ['ator', 'ate'],
  ['enci', 'ence'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['ogi', 'og'],
  ['li', ''],
]
const ADJECTIVAL: readonly Rule[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['ative', ''],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
]
const RESIDUAL: readonly Rule[] = [
  ...['ement', 'ance', 'ence', 'able', 'ible', 'ment', 'ant', 'ent', 'ism', 'ate', 'iti', 'ous'].map(removed),
  ...['ive', 'ize', 'ion', 'al', 'er', 'ic'].map(removed),
]
/** What must stand before some suffixes for them to be one. */
const PRECEDED_BY: ReadonlyMap<string, RegExp> = new Map([
  ['ogi', /l$/],
  ['li', /[cdeghkmnrt]$/],
  ['ion', /[st]$/],
])
const SHORT_SYLLABLE = /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/
const PAST_FIRST_SYLLABLE = /^.*?[aeiouy][^aeiouy]/
const PAST_LONG_PREFIX = /^(?:gener|commun|arsen)/

/** `word` is in lower case and of the letters a to z only. */
export function stem(word: string): string {
  if (word.length < 3) return word
  const irregular = IRREGULAR.get(word)
  if (irregular !== undefined) return irregular
  const marked = word.replace(/^y|(?<=[aeiouy])y/g, 'Y')
  const first = (PAST_LONG_PREFIX.exec(marked) ?? PAST_FIRST_SYLLABLE.exec(marked))?.[0].length ?? word.length
  const second = first + (PAST_FIRST_SYLLABLE.exec(marked.slice(first))?.[0].length ?? word.length)

  const singular = withoutPlural(marked)
  if (IRREGULAR.has(singular)) return singular
  let root = withoutTense(singular, first).replace(/(.[^aeiouy])[yY]$/, '$1i')
  root = apply(DERIVED, root, () => first)
  root = apply(ADJECTIVAL, root, (suffix) => (suffix === 'ative' ? second : first))
  root = apply(RESIDUAL, root, () => second)
  return withoutFinalLetter(root, first, second).toLowerCase()
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (/ie[sd]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1)
  return /^[^aeiouy]*[aeiouy].+s$/.test(word) && !/[us]s$/.test(word) ? word.slice(0, -1) : word
}

function withoutTense(word: string, first: number): string {
  const agreed = /eed(?:ly)?$/.exec(word)
  if (agreed) return agreed.index >= first ? word.slice(0, agreed.index + 2) : word
  const ending = /(?:ed|ing)(?:ly)?$/.exec(word)
  if (!ending || !/[aeiouy]/.test(word.slice(0, ending.index))) return word
  const root = word.slice(0, ending.index)
  if (/(?:at|bl|iz)$/.test(root)) return `${root}e`
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(root)) return root.slice(0, -1)
  return first >= root.length && SHORT_SYLLABLE.test(root) ? `${root}e` : root
}

function apply(rules: readonly Rule[], word: string, from: (suffix: string) => number): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix))
  if (!rule) return word
  const [suffix, replacement] = rule
  const root = word.slice(0, -suffix.length)
  const fits = root.length >= from(suffix) && (PRECEDED_BY.get(suffix)?.test(root) ?? true)
  return fits ? root + replacement : word
}

function withoutFinalLetter(word: string, first: number, second: number): string {
  const root = word.slice(0, -1)
  if (word.endsWith('e')) {
    const silent = root.length >= second || (root.length >= first && !SHORT_SYLLABLE.test(root))
    return silent ? root : word
  }
  return word.endsWith('ll') && root.length >= second ? root : word
}

function same(word: string): Rule {
  return [word, word]
}

function removed(suffix: string): Rule {
  return [suffix, '']
}
