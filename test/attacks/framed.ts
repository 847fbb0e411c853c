import { expect } from 'vitest'
import { ATTACK_WORDS } from './attack-list.ts'

/** More of one line no surface shows. */
const LONGEST_LINE = 14_000
const HIDDEN =
  /[\r\v\f\x00-\x08\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/u
const QUOTED = /"[^"\n]*"/g
/** A path of plain letters is shown as it is: it can be no more than a path. */
const PLAIN_NAME = /^[A-Za-z0-9_.-]{0,100}$/
const PLAIN_PATH = /(?<![\w/.-])(?:feature:\/\/auth\/files\/)?docs\/x[A-Za-z0-9_.%!'()*~-]{0,500}(?![\w/])/g
/** Ours: names of errors, and the marks of a cut and of age. */
const OUR_LABELS = /\[(?:error \d+|that error|truncated|STALE)\]/g
/** `rows[index]`, `app/[slug]`: code. */
const LABEL = /\[(?!\.{0,3}[a-z_$][\w$.]{0,40}\])[^[\]]*\p{L}/u
const MARKUP = /<(?!=)|[＜﹤❮ᐸ˂]|\]\(|!\[|(?:`|~){3}|<\||\|>|\bjavascript:\S|\bdata:\w+\/\w+[;,]/
const CODE_OR_LINK = /`|https?:\/\/(?!localhost)/
const ROLE = /^\W*(?:human|assistant|system|user)[*_ ]*:/i

/** Asked half a million times: `expect`, which takes a hundred times as long as the pattern, only to say what was found. */
function expectNone(text: string, pattern: RegExp, about = text): void {
  if (pattern.test(text)) expect(text, about).not.toMatch(pattern)
}

/** Of what stands in a frame: nothing in it can be a tag, a role, a link, a fence or a label of ours. */
function expectHarmless(data: string): void {
  expectNone(data, HIDDEN)
  expectNone(data, MARKUP)
  expectNone(data, ROLE)
  expectNone(data.replace(OUR_LABELS, ''), LABEL)
}

/**
 * A text that an agent reads: attacks stand only between quotation marks on one line, or on lines that are marked as
 * quoted, and are harmless there. What is left is ours.
 */
export function expectFramed(text: string): void {
  if (PLAIN_NAME.test(text)) return
  expectNone(text, HIDDEN)
  for (const line of text.split('\n')) {
    if (line.length >= LONGEST_LINE) expect(line.length).toBeLessThan(LONGEST_LINE)
    if (line.startsWith('>')) {
      expectHarmless(line.slice(1))
      continue
    }
    for (const [quoted] of line.matchAll(QUOTED)) {
      expectHarmless(quoted.slice(1, -1))
      expectNone(quoted, CODE_OR_LINK)
    }
    const ours = line.replace(QUOTED, '…').replace(PLAIN_PATH, '…')
    expectNone(ours, ATTACK_WORDS)
    expectNone(ours, /"/, line)
  }
}

/** The same for data: each text in it is a value of its own, which JSON keeps apart from the others. */
export function expectHarmlessValues(value: unknown): void {
  if (typeof value === 'string') {
    expect(value.length).toBeLessThan(LONGEST_LINE)
    for (const line of value.split('\n')) expectHarmless(line)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      expectNone(key, ATTACK_WORDS)
      expectHarmlessValues(inner)
    }
  }
}
