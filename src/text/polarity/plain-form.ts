import { NUMBER_WORDS } from './grammar.ts'

const QUANTITY = `(?=\\s+(?:v?\\d|(?:${[...NUMBER_WORDS.keys()].join('|')})\\b))`

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth']

type Wording = readonly [wording: RegExp, read: string]

/** What is said in several ways and means one thing, and the way we read it. */
const WORDINGS: readonly Wording[] = [
  [/’/g, "'"],
  [/\bcan't\b/gi, 'can not'],
  [/\bcannot\b/gi, 'can not'],
  [/\bwon't\b/gi, 'will not'],
  [/n't\b/gi, ' not'],
  [/'(?:s|re|m|ve|ll|d)\b/gi, ' '],
  // Tag questions ("isn't it?") and interjections ("No, …").
  [/,\s{0,4}[a-z]{2,6}(?: not)? (?:i|you|he|she|it|we|they|there)\s{0,4}\?/gi, '?'],
  [/^\s{0,8}(?:no|yes|yeah|oh|well|so|and|but|ah|uh|hey|okay|note)\s{0,4},/i, ''],
  [/\bany more\b/gi, 'anymore'],
  // What is put first belongs to the rest: "On Windows, …".
  [/^(\s{0,8}(?:in|on|at|for|with|from|after|before|during|under|within|until)(?: [\w`./-]+){1,6}),/i, '$1'],
  // What only asks to be heeded.
  [/\bmake sure\b(?: (?:to|that)\b)?|\b(?:be sure|remember|do not forget|take care) to\b/gi, ' '],
  [/\bit(?: is)? {1,3}(?:im|not )possible to\b/gi, 'can not'],
  [/\bit(?: is)? {1,3}possible to\b|\b(?:is|are) able to\b/gi, 'can'],
  [/\bsupport for (.{1,60}?) (?:has been|was|is|got) (?:dropped|removed)\b/gi, '$1 is no longer supported'],
  [/\b(?:leav(?:e|es|ing)|left) out\b/gi, 'omit'],
  [/\bout of date\b/gi, 'outdated'],
  [/\bup to date\b/gi, 'current'],
  [/\bone (?:at a time|by one|after (?:the other|another))\b/gi, 'sequentially'],
  [/\b(?:turn|switch)(?:e?s)? on\b/gi, 'enable'],
  [/\b(?:turn|switch)ed on\b/gi, 'enabled'],
  [/\b(?:turn|switch)(?:e?s)? off\b/gi, 'disable'],
  [/\b(?:turn|switch)ed off\b/gi, 'disabled'],
  [/\b(?:turn|switch)(?:e?s)? ((?:[\w-]+ ){1,4})on\b/gi, 'enable $1'],
  [/\b(?:turn|switch)(?:e?s)? ((?:[\w-]+ ){1,4})off\b/gi, 'disable $1'],
  [/\b(is|are|was|were|be) on(?=[.,;]|$)/gim, '$1 enabled'],
  [/\b(is|are|was|were|be) off(?=[.,;]|$)/gim, '$1 disabled'],
  [/\ba (?:pair|couple) of\b/gi, 'two'],
  [/\bclose to\b/gi, 'near'],
  ...ORDINALS.map((word, at): Wording => [new RegExp(`\\b${at + 1}(?:st|nd|rd|th)\\b`, 'gi'), word]),
  [/\bof (?:a )?([a-z]{3,12}) (?:size|colou?r)\b/gi, ' $1 '],
  [/\b(?:full|made) of\b/gi, ' '],
  [/\s(?:->|=>|→)\s/g, ' to '],
  // What need not be may still be.
  [
    /\b(?:do|does|did) not (?:have|need) to\b|\bneed not\b|\b(?:is|are) not required to\b/gi,
    'not necessarily',
  ],
  [/\b(?:has|have|had|needs?|(?:is|are) required) to\b/gi, 'must'],
  [new RegExp(`\\b(?:up to|no more than|not more than|a maximum of)${QUANTITY}`, 'gi'), 'at most'],
  [new RegExp(`\\b(?:no less than|no fewer than|not less than|a minimum of)${QUANTITY}`, 'gi'), 'at least'],
  [new RegExp(`\\b(?:more|larger|greater|bigger|higher|longer) than${QUANTITY}`, 'gi'), 'over'],
  [new RegExp(`\\b(?:less|fewer|smaller|lower|shorter) than${QUANTITY}`, 'gi'), 'under'],
  [new RegExp(`\\bversion${QUANTITY}`, 'gi'), ' '],
]

/** The same statement in the wording that is read: contractions written out, limits and duties said in one way. */
export function plainForm(text: string): string {
  return WORDINGS.reduce((plain, [wording, read]) => plain.replace(wording, read), text)
}
