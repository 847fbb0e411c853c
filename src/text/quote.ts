import { lazy } from '../deferred.ts'
import { fold } from './fold.ts'
import { removeHidden } from './hidden-characters.ts'
import { shorten } from './truncate.ts'

/**
 * How stored text is shown to a model: as quoted data in a frame that it cannot close. Whatever it says, in whatever
 * language, it stays on its line, between quotation marks that it cannot contain, and nothing in it can be a tag, a role, a
 * fence, a tool call, an image, a link or a label of ours. Where it comes from stands outside the marks, written by us.
 */

/** More of one text, or of one line of prose, is never shown, so no more is looked at. */
const MOST_READ = 12_000
const MOST_PASSES = 8
/** A backslash before the closing mark would seem to belong to it. */
const END = /[\s\\]+$/u
/** Of `<=` a cut may leave what could begin a tag. */
const CUT_COMPARISON = /<(?=…$)/

/** One line in quotation marks, at most `most` characters of it; empty when there is nothing to quote. `change` is ours. */
export function quoted(
  text: string,
  most: number,
  change: (line: string) => string = (line) => line,
): string {
  const line = shorten(change(dataLine(text)), most)
    .replace(END, '')
    .replace(CUT_COMPARISON, '‹')
  return line === '' ? '' : `"${line}"`
}

/** A path, an id, a name: as it is when it is one plain word, in quotation marks when it could be read as more. */
export function nameOrQuoted(text: string, most = 200): string {
  return PLAIN_NAME.test(text) && text.length <= most ? text : quoted(text, most)
}

const PLAIN_NAME = /^[A-Za-z0-9_.@~][A-Za-z0-9_.@~+/-]{0,199}$/

/**
 * Prose of the board and files keep their lines. Each is marked, so that no line of it can pass for a heading, a frame or an
 * entry of ours.
 */
export function quotedLines(text: string): string {
  return dataLines(text)
    .trim()
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')
    .replace(/^>$/, '')
}

/** With the closing mark that a cut has taken from the last line. */
export function closed(cutText: string): string {
  const last = cutText.slice(cutText.lastIndexOf('\n') + 1)
  const isOpen = !last.startsWith('>') && last.split('"').length % 2 === 0
  return isOpen ? `${cutText}"` : cutText
}

/** What stands between the marks: one line. Doing it twice changes nothing more. */
export function dataLine(text: string): string {
  let line = removeHidden(text.slice(0, MOST_READ)).text
  // One rule may leave what another takes: `___a___# b` becomes `(a)# b`, which is a heading. Each pass takes something, so
  // few are needed; the bound is for what nobody thought of.
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const plainer = harmlessLine(line)
    if (plainer === line) break
    line = plainer
  }
  return line
}

function harmlessLine(text: string): string {
  const line = text.replace(HEADING, '').replace(/\s+/gu, ' ').replace(END, '').trimStart()
  return harmless(line, 'line').replace(END, '')
}

/** The same for a text of several lines that something else frames: marks before each line, or JSON. */
export function dataLines(text: string): string {
  return removeHidden(text)
    .text.split('\n')
    .map((line) => harmless(shorten(line, MOST_READ).trimEnd(), 'prose'))
    .join('\n')
}

/** `# Title` and `### Instruction` begin nothing here, nor does a longer row, of which a shorter one could be left. */
const HEADING = /(?<![\w#])#+(?=\s)/g

interface Rule {
  /** One of these stands in every match that is plain ASCII: most texts hold none, and that is seen much faster. */
  signs: readonly string[]
  /** Matches other characters too, that look the same. */
  lookalikes?: boolean
  /** Only in one line between quotation marks, or only in prose of people, which keeps its quotation marks, code and addresses. */
  of?: 'line' | 'prose'
  pattern: () => RegExp
  /** As `String.replace` takes it. */
  by: string | ((match: string, ...groups: string[]) => string)
}

const RULES_OF_MARKS = ['---', '===', '###', '***', '~~~', '___']

/** In this order: what goes before puts brackets where there were none. Made when first met, as some take long to make. */
const RULES: readonly Rule[] = [
  // Quotation marks, and what looks like them.
  {
    signs: ['"'],
    lookalikes: true,
    of: 'line',
    pattern: lazy(() => /["“”„‟«»＂″‶〃˝ʺˮ״❝❞〝〞〟⹂\u{1f676}-\u{1f678}]/gu),
    by: "'",
  },
  { signs: ['`'], lookalikes: true, of: 'line', pattern: lazy(() => /[`｀ˋ]/g), by: "'" },
  {
    signs: ['```', '~~~'],
    lookalikes: true,
    of: 'prose',
    pattern: lazy(() => /[`｀ˋ]{3,}|~{3,}/g),
    by: "'''",
  },
  // Marks upon marks.
  { signs: [], lookalikes: true, pattern: lazy(() => /(\p{M}{4})\p{M}+/gu), by: '$1' },
  { signs: ['<'], lookalikes: true, pattern: lazy(() => /[<＜﹤˂ᐸ❬❮](?!=)/g), by: '‹' },
  // Arrows, comparisons and `file > test` are no tags.
  {
    signs: ['>'],
    lookalikes: true,
    pattern: lazy(() => /(?<![=-])(?<! (?=> ))[>＞﹥˃ᐳ❭❯](?!=)/g),
    by: '›',
  },
  // The bars of templates.
  {
    signs: ['|'],
    lookalikes: true,
    pattern: lazy(() => /(‹\/?)\s{0,3}[|｜￨]|[|｜￨]\s{0,3}(›)/g),
    by: '$1$2',
  },
  { signs: [], lookalikes: true, pattern: lazy(() => /[［【〔〖〚⟦❲⁅﹝]/g), by: '(' },
  { signs: [], lookalikes: true, pattern: lazy(() => /[］】〕〗〛⟧❳⁆﹞]/g), by: ')' },
  // `items[0]`, `rows[index]`, `app/[slug]/page.tsx`, `[1, 2]` and `string[]` are code; any other bracket may be a label, or
  // the text of a link.
  {
    signs: ['[', ']'],
    pattern: lazy(() => /(?<=[\w)\]$/.])\[\.{0,3}[a-z_$][\w$.]{0,40}\]|\[[^\p{L}[\]\n]{0,200}\]|[[\]]/gu),
    by: rounded,
  },
  {
    signs: RULES_OF_MARKS,
    pattern: lazy(() => /([-=#*~_])\1{2,100}\s{0,4}(\p{L}[\p{L} ]{1,80}?)\s{0,4}\1{3,}/gu),
    by: '($2)',
  },
  { signs: RULES_OF_MARKS, pattern: lazy(() => /([-=#*~_])\1{5,}/g), by: '$1$1$1' },
  // Addresses that hold their own content, or run.
  {
    signs: [':'],
    pattern: lazy(() => /\b(?:(data):(?=\w{1,20}\/\w)|(javascript|vbscript):(?=\S))/gi),
    by: '$1$2: ',
  },
  // Nothing leaves this machine by way of its own.
  { signs: ['w.', 'W.'], of: 'line', pattern: lazy(() => /\b(www)\.(?=[a-z0-9])/gi), by: '$1 .' },
  {
    signs: ['://'],
    of: 'line',
    pattern: lazy(
      () => /\b([a-z][a-z0-9+.-]{1,20}):\/\/(?!(?:localhost|127\.0\.0\.1)(?::\d{1,5})?(?:[/\s'"),.;]|$))/gi,
    ),
    by: '$1: //',
  },
  // Who speaks.
  {
    signs: [':'],
    lookalikes: true,
    pattern: lazy(
      () => /(?<![\p{L}\p{N}_])((?:(\p{L}{2,14})[ _])?(\p{L}{2,14}))[ \t*_]{0,4}[:：﹕∶꞉](?=[\s*_]|$)/gu,
    ),
    by: unspoken,
  },
  // Links and images.
  { signs: [']('], pattern: lazy(() => /\](?=\()/g), by: '] ' },
  { signs: ['![', '!('], pattern: lazy(() => /!(?=[[(])/g), by: '! ' },
]

const NOT_ASCII = /[^\x00-\x7f]/

function harmless(text: string, of: 'line' | 'prose'): string {
  const foreign = NOT_ASCII.test(text)
  let plain = text
  for (const { signs, lookalikes, of: only = of, pattern, by } of RULES) {
    if (only !== of) continue
    if ((foreign && lookalikes) || signs.some((sign) => plain.includes(sign)))
      plain = plain.replace(pattern(), by as string)
  }
  return plain
}

const nameOf = (text: string) => fold(text).replace(/[\s_-]+/g, '')
/** Who speaks in the formats of several models, and the steps of agents that are driven by text. */
const ROLES = lazy(
  () =>
    new Set(
      'system assistant human user developer tool function model ai bot claude chatgpt gpt gemini llama ipython instruction instructions response observation thought action actioninput finalanswer toolcall toolresult toolresponse functioncall systemprompt systemmessage'
        .split(' ')
        .map(nameOf),
    ),
)

function rounded(bracket: string): string {
  return bracket === '[' ? '(' : bracket === ']' ? ')' : bracket
}

function unspoken(whole: string, both: string, before: string | undefined, word: string): string {
  if (ROLES().has(nameOf(word))) return `${both.slice(0, both.length - word.length)}(${word})`
  return before !== undefined && ROLES().has(nameOf(both)) ? `(${both})` : whole
}
