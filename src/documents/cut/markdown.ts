import { type Block, type DocumentLine, paragraphs } from './block.ts'

const LONGEST_FRONT_MATTER = 100
const LONGEST_COMMENT = 100
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+|$)(.*)$/
/** Of code; its letter, and how many of them it takes to close it. */
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/
/** No line of a paragraph: what stands below it cannot make a heading of it. */
const NO_TITLE = /^ {0,3}(?:[>|]|[-*+] |\d{1,9}[.)] )|^ {4}|^\t/
const LONGEST_HEADING = 1_000

/**
 * Markdown by its lines: headings, code in its fence, and what stands between blank lines. Not by a parser of all of it: no part
 * of a line matters here, and what is read may be made to keep a parser busy.
 */
export function markdownBlocks(lines: readonly DocumentLine[]): Block[] {
  const facts = frontMatter(lines)
  const blocks: Block[] = facts.length > 2 ? [{ lines: facts.slice(1, -1) }] : []
  let begun = facts.length
  const endAt = (at: number) => {
    for (const paragraph of paragraphs(lines.slice(begun, at))) blocks.push({ lines: paragraph })
  }
  for (let at = facts.length; at < lines.length; ) {
    const block = fenceAt(lines, at) ?? commentAt(lines, at) ?? headingAt(lines, at)
    if (!block) {
      at++
      continue
    }
    endAt(at)
    if (block.block) blocks.push(block.block)
    at += block.length
    begun = at
  }
  endAt(lines.length)
  return blocks
}

/** So many lines, which are a block of their own, or nothing to be kept. */
interface Met {
  length: number
  block?: Block
}

function fenceAt(lines: readonly DocumentLine[], at: number): Met | undefined {
  const fence = FENCE.exec(lines[at]!.text)?.[1]
  if (fence === undefined) return undefined
  let end = at + 1
  while (end < lines.length && !closes(lines[end]!.text, fence)) end++
  const whole = lines.slice(at, end + 1)
  return { length: whole.length, block: { lines: whole } }
}

function closes(line: string, fence: string): boolean {
  const text = line.trim()
  return text.length >= fence.length && text === fence[0]!.repeat(text.length)
}

/** A comment that has its lines to itself is not for whoever reads. */
function commentAt(lines: readonly DocumentLine[], at: number): Met | undefined {
  if (!lines[at]!.text.trimStart().startsWith('<!--')) return undefined
  const below = lines.slice(at, at + LONGEST_COMMENT)
  const last = below.findIndex(({ text }) => text.includes('-->'))
  return last === -1 || !below[last]!.text.trimEnd().endsWith('-->') ? undefined : { length: last + 1 }
}

function headingAt(lines: readonly DocumentLine[], at: number): Met | undefined {
  const { text } = lines[at]!
  const [, marks, title] = HEADING.exec(text.slice(0, LONGEST_HEADING)) ?? []
  if (marks !== undefined) return heading(lines.slice(at, at + 1), marks.length, title!)
  const below = lines[at + 1]?.text
  const isUnderlined =
    below !== undefined && text.trim() !== '' && UNDERLINE.test(below.slice(0, LONGEST_HEADING))
  // Of a paragraph of several lines the last would be no title by itself.
  const isAlone = at === 0 || lines[at - 1]!.text.trim() === '' || HEADING.test(lines[at - 1]!.text)
  if (!isUnderlined || !isAlone || NO_TITLE.test(text)) return undefined
  return heading(lines.slice(at, at + 2), below.includes('=') ? 1 : 2, text)
}

function heading(lines: readonly DocumentLine[], level: number, title: string): Met {
  return { length: lines.length, block: { lines, level, name: plainHeading(title) } }
}

/** YAML between two lines of dashes at the very beginning. */
function frontMatter(lines: readonly DocumentLine[]): readonly DocumentLine[] {
  if (lines[0]?.text.trimEnd() !== '---') return []
  const end = lines.slice(1, LONGEST_FRONT_MATTER).findIndex(({ text }) => text.trimEnd() === '---')
  return end === -1 ? [] : lines.slice(0, end + 2)
}

/** As it is read, without the marks of links, code and emphasis. */
function plainHeading(text: string): string {
  return text
    .replace(/[ \t]#{1,6}[ \t]{0,9}$/, '')
    .replace(/\{#[^{}]{0,100}\}/g, '')
    .replace(/!?\[([^[\]]{0,200})\]\([^()]{0,300}\)/g, '$1')
    .replace(/<[^<>]{1,200}>/g, '')
    .replace(/[`*]+|(?<!\w)_+|_+(?!\w)/g, '')
    .trim()
}
