import { NUMBER_WORDS } from './grammar.ts'

const QUANTITY = `(?=\\s+(?:v?\\d|(?:${[...NUMBER_WORDS.keys()].join('|')})\\b))`

/** What is said in several ways and means one thing, and the way we read it. */
const WORDINGS: readonly (readonly [RegExp, string])[] = [
  [/’/g, "'"],
  [/\bcan't\b/gi, 'can not'],
  [/\bcannot\b/gi, 'can not'],
  [/\bwon't\b/gi, 'will not'],
  [/n't\b/gi, ' not'],
  [/'(?:s|re|m|ve|ll|d)\b/gi, ' '],
  // Tag questions ("isn't it?") and interjections ("No, …").
  [/,\s{0,4}[a-z]{2,6}(?: not)? (?:i|you|he|she|it|we|they|there)\s{0,4}\?/gi, '?'],
  [/^\s{0,8}(?:no|yes|yeah|oh|well|so|and|but|ah|uh|hey|okay|note)\s{0,4},/i, ''],
  [/\bmake sure\b/gi, ' '],
  [/\ba (?:pair|couple) of\b/gi, 'two'],
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
