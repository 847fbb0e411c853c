import type { Block, DocumentLine } from './block.ts'

/** How a declaration begins in the languages that people write most. */
const DECLARED =
  /^(?:export\s+|default\s+|declare\s+|public\s+|private\s+|protected\s+|internal\s+|static\s+|abstract\s+|final\s+|sealed\s+|async\s+|unsafe\s+|inline\s+|extern\s+(?:"[^"]*"\s+)?|pub(?:\([^)]*\))?\s+|@\w+\s+)*(?:function\*?|class|interface|type|enum|struct|trait|impl(?:<[^>]*>)?|module|mod|namespace|package|def|defmodule|fn|func(?:\s*\([^)]*\))?|fun|sub|proc|object|record|union|macro_rules!|const|let|var|val|describe|test|it|CREATE\s+TABLE|resource)\b[\s("']*([\p{L}_$][\p{L}\p{N}_$.:-]*)/iu
/** Of languages in which a type comes first: `static int parse_header(…)`. */
const C_FUNCTION = /^[A-Za-z_][\w\s*&<>,:]*?\b([A-Za-z_]\w*)\s*\([^;]*$/
const NOT_A_NAME = /^(?:if|for|while|switch|return|else|do|try|catch|using|import|from|require|include)$/
/** Ends what began above it. */
const CLOSING = /^[)\]}]|^(?:end|fi|done|esac)\b/

/** Source code at its top-level declarations: a blank line, and after it something that begins at the margin. */
export function sourceBlocks(lines: readonly DocumentLine[]): Block[] {
  const blocks: Block[] = []
  let current: DocumentLine[] = []
  let isAfterBlank = false
  const close = () => {
    while (current.at(-1)?.text.trim() === '') current.pop()
    if (current.length > 0) blocks.push(declaration(current))
    current = []
  }
  for (const line of lines) {
    const isBlank = line.text.trim() === ''
    if (!isBlank && isAfterBlank && /^\S/.test(line.text) && !CLOSING.test(line.text)) close()
    if (!isBlank || current.length > 0) current.push(line)
    isAfterBlank = isBlank
  }
  close()
  return blocks
}

function declaration(lines: readonly DocumentLine[]): Block {
  for (const { text } of lines) {
    const name = DECLARED.exec(text)?.[1] ?? C_FUNCTION.exec(text)?.[1]
    if (name !== undefined && !NOT_A_NAME.test(name)) return { lines, name }
  }
  return { lines }
}
