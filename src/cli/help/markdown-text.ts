import { fits, layOut } from '../../text/columns.ts'
import { wrap } from '../../text/wrap.ts'
import type { HelpLook } from './look.ts'
import { HELP_TOPICS } from './topics.ts'

/** A page of the documentation as text: headings, paragraphs, lists, tables and code, at the width of the terminal. */
export function markdownText(markdown: string, look: HelpLook): string {
  const shown = blocksOf(markdown).map((block) => blockText(block, look))
  return `${shown.filter((text) => text !== '').join('\n\n')}\n`
}

type Block = { kind: 'code' | 'table' | 'list' | 'heading' | 'text'; lines: string[] }

function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  for (const line of markdown.split('\n')) {
    if (open?.kind === 'code') {
      if (isFence(line)) open = undefined
      else open.lines.push(line)
      continue
    }
    const kind = kindOf(line, open)
    if (kind !== undefined && open?.kind === kind && kind !== 'heading') {
      open.lines.push(line)
      continue
    }
    open = kind && { kind, lines: kind === 'code' ? [] : [line] }
    if (open) blocks.push(open)
  }
  return blocks
}

function isFence(line: string): boolean {
  return line.trimStart().startsWith('```')
}

function kindOf(line: string, open: Block | undefined): Block['kind'] | undefined {
  if (line.trim() === '') return undefined
  if (isFence(line)) return 'code'
  if (line.startsWith('#')) return 'heading'
  if (line.startsWith('|')) return 'table'
  // Whatever follows an entry without a gap goes on with it.
  return /^\s*(?:[-*]|\d+\.) /.test(line) || open?.kind === 'list' ? 'list' : 'text'
}

function blockText({ kind, lines }: Block, look: HelpLook): string {
  if (kind === 'code') return lines.map((line) => `    ${line}`.trimEnd()).join('\n')
  if (kind === 'heading') return look.bold(inline(lines[0]!.replace(/^#+ /, ''), look))
  if (kind === 'table') return tableText(lines, look)
  if (kind === 'list')
    return entriesOf(lines)
      .map((entry) => entryText(entry, look))
      .join('\n')
  return wrap(inline(lines.join(' '), look), look.width)
}

function entriesOf(lines: readonly string[]): string[] {
  const entries: string[] = []
  for (const line of lines) {
    if (/^\s*(?:[-*]|\d+\.) /.test(line)) entries.push(line)
    else entries.push(`${entries.pop()} ${line.trim()}`)
  }
  return entries
}

function entryText(entry: string, look: HelpLook): string {
  const [, space, mark, text] = /^(\s*)(\S+) (.*)$/.exec(entry)!
  const start = `${space}${mark === '*' ? '-' : mark} `
  return (
    start +
    wrap(inline(text!, look), look.width - start.length).replaceAll('\n', `\n${' '.repeat(start.length)}`)
  )
}

function tableText(lines: readonly string[], look: HelpLook): string {
  const rows = lines
    .filter((line) => !/^\|[\s:|-]+\|?$/.test(line))
    .map((line) => cellsOf(line).map((cell) => inline(cell, look)))
  const [head = [], ...rest] = rows
  if (fits(rows, look.width)) return layOut([head.map((cell) => look.bold(cell)), ...rest], look.width)
  return rest.map((row) => stacked(head, row, look)).join('\n')
}

/** A row that is too wide for columns, one cell below the other. */
function stacked(head: readonly string[], [name = '', ...cells]: readonly string[], look: HelpLook): string {
  const lines = cells.flatMap((cell, at) => (cell === '' ? [] : [`  ${head[at + 1]}: ${cell}`]))
  return [look.bold(name), ...lines.map((line) => wrap(line, look.width, '    '))].join('\n')
}

function cellsOf(line: string): string[] {
  const inside = line.replace(/^\|/, '').replace(/\|\s*$/, '')
  return inside.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}

function inline(text: string, { bold }: HelpLook): string {
  return text
    .replace(/!\[[^[\]]*\]\([^()]*\)|<[^<>`]+>/g, '')
    .replace(/\[([^[\]]+)\]\(([^()\s]+)\)/g, (_, words: string, target: string) => linkText(words, target))
    .replace(/\*\*([^*]+)\*\*/g, (_, words: string) => bold(words))
}

/** A page of ours by its command, an address as it is, and a place on the same page by its words alone. */
function linkText(words: string, target: string): string {
  const page = /^([\w-]+)\.md/.exec(target)?.[1]
  if (page !== undefined && Object.hasOwn(HELP_TOPICS, page)) return `${words} (ralph help ${page})`
  return /^https?:/.test(target) && words !== target ? `${words} (${target})` : words
}
