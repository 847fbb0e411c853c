import type { Plugin } from 'rolldown'

/** A tag that is given the text as it is written sees the difference. */
const RAW_TEXT = /\.raw`[^`]*\P{ASCII}/u
/** A vocabulary of all languages would only grow. */
const MOST = 0.01

/**
 * One arrow in a file makes Node keep all of it in two bytes a character, convert it to compare it with its compiled form, and
 * convert that: 3 % of a search. So what is not ASCII is written as an escape, which means the same in texts, patterns and names.
 */
export const PLAIN_TEXT: Plugin = {
  name: 'plain-text',
  // Last of all: texts that are printed once more lose their escapes.
  generateBundle: (_, bundle) => {
    for (const part of Object.values(bundle)) if (part.type === 'chunk') part.code = plain(part.code)
  },
}

function plain(code: string): string {
  const others = code.match(/\P{ASCII}/gu)?.length ?? 0
  if (others > code.length * MOST || RAW_TEXT.test(code)) return code
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
