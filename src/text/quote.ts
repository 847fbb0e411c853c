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
/** A backslash before the closing mark would seem to belong to it. */
const END = /[\s\\]+$/u

/** One line in quotation marks, at most `most` characters of it; empty when there is nothing to quote. `change` is ours. */
export function quoted(
  text: string,
  most: number,
  change: (line: string) => string = (line) => line,
): string {
  const line = shorten(change(dataLine(text)), most).replace(END, '')
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
  const visible = removeHidden(text.slice(0, MOST_READ)).text.replace(HEADING, '')
  const line = visible.replace(/\s+/gu, ' ').replace(END, '').trimStart()
  return harmless(line, true).replace(END, '')
}

/** The same for a text of several lines that something else frames: marks before each line, or JSON. */
export function dataLines(text: string): string {
  return removeHidden(text)
    .text.split('\n')
    .map((line) => harmless(shorten(line, MOST_READ).trimEnd(), false))
    .join('\n')
}

/** `# Title` and `### Instruction` begin nothing here. */
const HEADING = /(?<![\w#])#{1,6}(?=\s)/g

/** Quotation marks, and what looks like them. */
const DOUBLE_QUOTES = /["“”„‟«»＂″‶〃˝ʺˮ״❝❞〝〞〟⹂\u{1f676}-\u{1f678}]/gu
const BACKTICKS = /[`｀ˋ]/g
const FENCES = /[`｀ˋ]{3,}|~{3,}/g
const LESS = /[<＜﹤˂ᐸ❬❮](?!=)/g
/** Arrows, comparisons and `file > test` are no tags. */
const GREATER = /(?<![=-])(?<! (?=> ))[>＞﹥˃ᐳ❭❯](?!=)/g
const TEMPLATE_BAR = /(‹\/?)\s{0,3}[|｜￨]|[|｜￨]\s{0,3}(›)/g
const OTHER_OPENING = /[［【〔〖〚⟦❲⁅﹝]/g
const OTHER_CLOSING = /[］】〕〗〛⟧❳⁆﹞]/g
/**
 * `items[0]`, `rows[index]`, `app/[slug]/page.tsx`, `[1, 2]` and `string[]` are code; any other bracket may be a label, or
 * the text of a link.
 */
const BRACKETS = /(?<=[\w)\]$/.])\[\.{0,3}[a-z_$][\w$.]{0,40}\]|\[[^\p{L}[\]\n]{0,200}\]|[[\]]/gu
const LINK = /\](?=\()/g
const IMAGE = /!(?=[[(])/g
/** Nothing leaves this machine by way of its own. */
const ADDRESS =
  /\b([a-z][a-z0-9+.-]{1,20}):\/\/(?!(?:localhost|127\.0\.0\.1)(?::\d{1,5})?(?:[/\s'"),.;]|$))/gi
const WORLD_WIDE_WEB = /\b(www)\.(?=[a-z0-9])/gi
/** What holds its own content, or runs. */
const DATA_ADDRESS = /\b(?:(data):(?=\w{1,20}\/\w)|(javascript|vbscript):(?=\S))/gi
const RULED = /([-=#*~_])\1{2,100}\s{0,4}(\p{L}[\p{L} ]{1,80}?)\s{0,4}\1{3,}/gu
const LONG_RULE = /([-=#*~_])\1{5,}/g
const MARKS_UPON_MARKS = /(\p{M}{4})\p{M}+/gu
const ROLE = /(?<![\p{L}\p{N}_])((?:(\p{L}{2,14})[ _])?(\p{L}{2,14}))[ \t*_]{0,4}[:：﹕∶꞉](?=[\s*_]|$)/gu

const nameOf = (text: string) => fold(text).replace(/[\s_-]+/g, '')
/** Who speaks in the formats of several models, and the steps of agents that are driven by text. */
const ROLES = new Set(
  'system assistant human user developer tool function model ai bot claude chatgpt gpt gemini llama ipython instruction instructions response observation thought action actioninput finalanswer toolcall toolresult toolresponse functioncall systemprompt systemmessage'
    .split(' ')
    .map(nameOf),
)

/** `strict`: for one line between quotation marks. Prose of people keeps its quotation marks, code and addresses. */
function harmless(text: string, strict: boolean): string {
  const plain = (
    strict ? text.replace(DOUBLE_QUOTES, "'").replace(BACKTICKS, "'") : text.replace(FENCES, "'''")
  )
    .replace(MARKS_UPON_MARKS, '$1')
    .replace(LESS, '‹')
    .replace(GREATER, '›')
    .replace(TEMPLATE_BAR, '$1$2')
    .replace(OTHER_OPENING, '(')
    .replace(OTHER_CLOSING, ')')
  const unruled = plain.replace(BRACKETS, rounded).replace(RULED, '($2)').replace(LONG_RULE, '$1$1$1')
  const inert = unruled.replace(DATA_ADDRESS, '$1$2: ')
  const unlinked = strict ? inert.replace(WORLD_WIDE_WEB, '$1 .').replace(ADDRESS, '$1: //') : inert
  // Last: what went before put brackets where there were none.
  return unlinked.replace(ROLE, unspoken).replace(LINK, '] ').replace(IMAGE, '! ')
}

function rounded(bracket: string): string {
  return bracket === '[' ? '(' : bracket === ']' ? ')' : bracket
}

function unspoken(whole: string, both: string, before: string | undefined, word: string): string {
  if (ROLES.has(nameOf(word))) return `${both.slice(0, both.length - word.length)}(${word})`
  return before !== undefined && ROLES.has(nameOf(both)) ? `(${both})` : whole
}
