import { type Block, type DocumentLine, paragraphs } from './block.ts'

/** A line of these below a title, as in reStructuredText and in texts of old. The earlier ones are the outer levels. */
const UNDERLINES = '=-~^"\'`#*+.:_'
const ASCIIDOC = /^(={1,6})\s+(\S.*)$/
const ORG = /^(\*{1,6})\s+(\S.*)$/

/** Text without marks of its own: paragraphs between blank lines, under what looks like a title. */
export function textBlocks(lines: readonly DocumentLine[]): Block[] {
  const isOrg = lines.some(({ text }) => /^#\+\w+:/.test(text))
  return paragraphs(lines).flatMap((paragraph) => withTitles(paragraph, isOrg))
}

function withTitles(paragraph: readonly DocumentLine[], isOrg: boolean): Block[] {
  const blocks: Block[] = []
  let begun = 0
  const endAt = (at: number) => {
    if (at > begun) blocks.push({ lines: paragraph.slice(begun, at) })
  }
  for (let at = 0; at < paragraph.length; ) {
    const title = titleAt(paragraph, at, isOrg)
    if (!title) {
      at++
      continue
    }
    endAt(at)
    blocks.push({ lines: paragraph.slice(at, at + title.length), level: title.level, name: title.name })
    at += title.length
    begun = at
  }
  endAt(paragraph.length)
  return blocks
}

function titleAt(
  lines: readonly DocumentLine[],
  at: number,
  isOrg: boolean,
): { name: string; level: number; length: number } | undefined {
  const [first, second, third] = lines.slice(at, at + 3).map(({ text }) => text.trimEnd())
  const marked = ASCIIDOC.exec(first!) ?? (isOrg ? ORG.exec(first!) : undefined)
  if (marked) return { name: marked[2]!, level: marked[1]!.length, length: 1 }
  // A line above as well as below: the outermost of all.
  if (third !== undefined && isRule(first!) && third === first && isTitleOver(second!, third))
    return { name: second!.trim(), level: 1, length: 3 }
  if (second !== undefined && isRule(second) && isTitleOver(first!, second))
    return { name: first!.trim(), level: 2 + UNDERLINES.indexOf(second[0]!), length: 2 }
  return undefined
}

function isRule(line: string): boolean {
  return line.length >= 3 && UNDERLINES.includes(line[0]!) && line === line[0]!.repeat(line.length)
}

/** About as long as its line, and words. */
function isTitleOver(title: string, rule: string): boolean {
  return /[\p{L}\p{N}]/u.test(title) && title.length <= rule.length + 2 && title.length <= 120
}
