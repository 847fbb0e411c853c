import { lazy } from '../../deferred.ts'
import { lemma } from './lemma.ts'
import { CLOSE_SYNONYMS, LOOSE_SYNONYMS } from './synonyms.ts'
import { CONTRARY_WORDS, EXACT_OPPOSITES } from './wordnet-opposites.ts'

/** Of software, where WordNet is silent or wrong. Denying one claims the other. */
const EXACT_IN_SOFTWARE = `
enable/disable enabled/disabled allow/deny allow/reject allow/block permit/deny permit/block accept/reject accept/deny include/exclude
include/omit keep/drop keep/remove keep/delete keep/discard retain/discard retain/drop required/optional mandatory/optional
required/forbidden needed/superfluous outdated/current sync/async synchronous/asynchronous synchronously/asynchronously mutable/immutable mutable/readonly visible/hidden
show/hide public/internal public/private stateful/stateless blocking/nonblocking deterministic/random deterministic/flaky stable/flaky
pass/fail succeed/fail work/fail work/crash working/broken present/missing exist/missing true/false strict/lenient strict/loose
sensitive/insensitive online/offline encrypted/plaintext signed/unsigned nullable/required tracked/ignored correct/wrong
right/incorrect manual/automated manually/automatically important/trivial significant/negligible sure/doubtful certain/doubtful
likely/improbable possible/impossible healthy/sick same/unlike similar/different much/little easy/hard well/sick`

/**
 * They exclude each other, but the one's denial is not the other. Operations that go together (import and export, read and write)
 * are not here: two statements about them do not contradict each other, they speak of different things.
 */
const CONTRARY_IN_SOFTWARE = `
all/some every/some all/few every/few most/few many/few all/most always/never always/sometimes always/rarely often/never everything/nothing everyone/nobody everybody/nobody someone/nobody all/none
add/remove add/delete create/delete create/destroy create/remove insert/delete append/prepend append/overwrite append/replace increase/reduce increase/lower increase/decrease raise/reduce raise/lower grow/shrink enlarge/shrink extend/shorten start/stop begin/stop
start/end first/last start/finish lock/unlock lock/release acquire/release allocate/free attach/detach connect/disconnect mount/unmount install/uninstall install/remove
introduce/fix once/twice register/unregister subscribe/unsubscribe local/remote local/global static/dynamic eager/lazy eagerly/lazily min/max uppercase/lowercase
upper/lower single/multiple load/unload merge/split join/split join/leave absolute/relative verbose/quiet verbose/silent ascending/descending
next/previous sequential/parallel serially/concurrently sequentially/concurrently before/after above/under above/beneath over/under up/down in/out into/out onto/off in/off from/to from/into from/onto toward/away towards/away
on/under on/below on/beneath on/off into/off over/below most/least front/behind inside/outside near/far close/far with/without within/outside until/after
milliseconds/seconds seconds/minutes minutes/hours hours/days bytes/kilobytes kilobytes/megabytes megabytes/gigabytes
hourly/daily hourly/weekly daily/weekly daily/monthly weekly/monthly monthly/yearly catch/miss catch/throw sit/run sit/walk stand/run stand/walk rest/play `

type Opposition = 'exact' | 'contrary'

interface Lexicon {
  /** The groups of synonyms a word is in. */
  meanings: ReadonlyMap<string, readonly number[]>
  /** By both lemmas, either way round. */
  opposites: ReadonlyMap<string, Opposition>
}

/** Built when first needed: some 20 ms that a command which compares nothing does not pay. */
const lexicon = lazy(build)

function build(): Lexicon {
  const close = groupsOf(CLOSE_SYNONYMS)
  const meanings = new Map<string, number[]>()
  for (const [index, group] of [...close, ...groupsOf(LOOSE_SYNONYMS)].entries()) {
    for (const word of group) meanings.set(word, [...(meanings.get(word) ?? []), index])
  }
  const withSynonyms = (word: string) =>
    new Set([word, ...(meanings.get(word) ?? []).flatMap((index) => close[index] ?? [])])

  const opposites = new Map<string, Opposition>()
  const add = (pairs: string, kind: Opposition) => {
    for (const pair of pairs.trim().split(/\s+/)) {
      const [first, second] = pair.split('/').map((word) => withSynonyms(lemma(word)))
      for (const a of first!) {
        for (const b of second!) if (a !== b) opposites.set(`${a} ${b}`, kind).set(`${b} ${a}`, kind)
      }
    }
  }
  add(CONTRARY_WORDS, 'contrary')
  add(CONTRARY_IN_SOFTWARE, 'contrary')
  add(EXACT_OPPOSITES, 'exact')
  add(EXACT_IN_SOFTWARE, 'exact')
  return { meanings, opposites }
}

function groupsOf(synonyms: string): string[][] {
  return synonyms
    .trim()
    .split(/[|\n]/)
    .map((group) => group.split(' ').map(lemma))
}

/** A word as it is written and its lemma. */
export interface Spelling {
  written: string
  lemma: string
}

export function areSynonyms(a: string, b: string): boolean {
  const { meanings } = lexicon()
  const others = meanings.get(b)
  return others !== undefined && (meanings.get(a)?.some((meaning) => others.includes(meaning)) ?? false)
}

const NEGATIVE_PREFIX = /^(?:un|in|im|ir|il|dis|non|de|anti|counter)-?(?=[a-z]{3})/

/** How two words exclude each other, if they do: by the lexicon, or by a prefix or ending ("unsafe", "stateless"). */
export function opposition(a: Spelling, b: Spelling): Opposition | undefined {
  const known = lexicon().opposites.get(`${a.lemma} ${b.lemma}`)
  if (known) return known
  if (deniesBase(a.written, b) || deniesBase(b.written, a)) return 'exact'
  return areOppositeDegrees(a.written, b.written) ? 'contrary' : undefined
}

/** "faster" and "slower", "newest" and "oldest". */
function areOppositeDegrees(a: string, b: string): boolean {
  const { opposites } = lexicon()
  return ['er', 'est'].some((ending) => {
    if (!a.endsWith(ending) || !b.endsWith(ending)) return false
    const [basesA, basesB] = [a, b].map((word) => basesOf(word.slice(0, -ending.length)))
    return basesA!.some((baseA) => basesB!.some((baseB) => opposites.has(`${baseA} ${baseB}`)))
  })
}

/** "fast", "larg(e)", "big(g)", "eas(y)". */
function basesOf(stump: string): string[] {
  const forms = [stump, `${stump}e`, stump.replace(/(.)\1$/, '$1'), stump.replace(/i$/, 'y')]
  return [...new Set(forms.map(lemma))]
}

function deniesBase(negative: string, positive: Spelling): boolean {
  const bases = [negative.replace(NEGATIVE_PREFIX, ''), negative.replace(/less(?:ly|ness)?$/, '')]
  const plain = lemma(positive.written.replace(/ful(?:ly|ness)?$|ing$/, ''))
  return bases.some((base) => {
    if (base === negative || base.length < 3) return false
    const root = lemma(base)
    return root === positive.lemma || root === plain || areSynonyms(root, positive.lemma)
  })
}

/** What may stand after a common root without changing what is spoken of: "compete" and "competition". */
const DERIVED =
  /^(?:|e|y|i|al|ag|age|at|ion|it|ition|ation|ment|ed|en|ish|li|ly|ing|ness|ful|s|iv|ive|ic|able)$/

/** What has no vowel is no root: "http" and "https" are two things. */
export function shareRoot(a: string, b: string): boolean {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  const isRoot = length >= 4 && /[^\Wbcdfghjklmnpqrstvwxz]/.test(a.slice(0, length))
  return isRoot && DERIVED.test(a.slice(length)) && DERIVED.test(b.slice(length))
}
