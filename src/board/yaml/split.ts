/** Where the entries of a block list lie in the text, found without parsing it. */
export interface ListSection {
  rootKey: string
  /** Columns before each entry's dash. */
  indent: number
  spans: { start: number; end: number; line: number }[]
  /** Where a further entry goes. */
  appendAt: number
  /** The text before and after the list, which must be YAML of its own. */
  surroundings: string
}

/**
 * Cuts a file into its entries by indentation alone. That is safe in block style: everything that belongs to an
 * entry is indented deeper than its dash, also inside strings. Whatever looks different gives undefined, and the
 * caller parses the whole file instead.
 */
export function splitEntries(text: string, rootKey: string): ListSection | undefined {
  const scan = new Scanner(rootKey)
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0
  for (let line = 1; start < text.length; line++) {
    const feed = text.indexOf('\n', start)
    const end = feed === -1 ? text.length : feed + 1
    if (!scan.line(text, start, end, line)) return undefined
    start = end
  }
  return scan.finish(text)
}

type Phase = 'before' | 'inside' | 'after'

class Scanner {
  readonly #rootKey: string
  readonly #spans: ListSection['spans'] = []
  #phase: Phase = 'before'
  #indent = -1
  #sectionStart = 0
  #sectionEnd = 0
  #appendAt = 0
  #sawContent = false

  constructor(rootKey: string) {
    this.#rootKey = rootKey
  }

  /** False when the line does not fit a plain block list. */
  line(text: string, start: number, end: number, number: number): boolean {
    const indent = leadingSpaces(text, start, end)
    const first = text[start + indent] ?? '\n'
    const blank = first === '\n' || (first === '\r' && start + indent + 2 >= end)
    if (blank) return true
    if (first === '#') {
      // A comment in the list's own column stays with the list; one further left speaks about the file.
      if (this.#phase === 'inside' && indent >= Math.max(this.#indent, 1)) this.#appendAt = end
      return true
    }
    if (this.#phase === 'inside') return this.#inside(text, start, end, number, indent)
    if (indent > 0) return this.#sawContent // the value of some other key
    return this.#topLevel(text, start, end, number)
  }

  #topLevel(text: string, start: number, end: number, number: number): boolean {
    const content = text.slice(start, end).trimEnd()
    if (isDash(text, start)) {
      if (this.#phase !== 'before' || this.#sawContent) return false
      this.#enter(start)
      return this.#inside(text, start, end, number, 0)
    }
    if (content === '---' && !this.#sawContent && this.#phase === 'before') return true
    const key = /^([A-Za-z_][\w-]*):(?=\s|$)/.exec(content)?.[1]
    if (key === undefined) return false
    this.#sawContent = true
    if (key !== this.#rootKey) return true
    if (this.#phase !== 'before' || !/^[^:]*:\s*(#.*)?$/.test(content)) return false
    this.#sectionStart = start
    this.#enter(end)
    return true
  }

  #enter(appendAt: number): void {
    this.#phase = 'inside'
    this.#appendAt = appendAt
  }

  #inside(text: string, start: number, end: number, number: number, indent: number): boolean {
    const dash = isDash(text, start + indent)
    if (this.#indent === -1 && dash) {
      this.#indent = indent
      if (this.#spans.length === 0 && this.#sectionStart === 0 && !this.#sawContent)
        this.#sectionStart = start
    }
    if (indent === this.#indent && dash) {
      this.#spans.push({ start, end, line: number })
    } else if (this.#indent === -1 ? indent > 0 : indent > 0 && indent <= this.#indent) {
      return false
    } else if (indent === 0) {
      this.#phase = 'after'
      this.#sectionEnd = start
      return this.#topLevel(text, start, end, number)
    }
    this.#appendAt = end
    return true
  }

  finish(text: string): ListSection | undefined {
    if (this.#phase === 'before') return undefined
    if (this.#phase === 'inside') this.#sectionEnd = text.length
    const spans = this.#spans
    spans.forEach((span, index) => {
      span.end = spans[index + 1]?.start ?? this.#sectionEnd
    })
    return {
      rootKey: this.#rootKey,
      indent: this.#indent === -1 ? 2 : this.#indent,
      spans,
      appendAt: this.#appendAt,
      surroundings: text.slice(0, this.#sectionStart) + text.slice(this.#sectionEnd),
    }
  }
}

function leadingSpaces(text: string, start: number, end: number): number {
  let position = start
  while (position < end && text.charCodeAt(position) === 32) position++
  return position - start
}

function isDash(text: string, position: number): boolean {
  if (text[position] !== '-') return false
  const next = text[position + 1]
  return next === ' ' || next === '\n' || next === '\r' || next === '\t' || next === undefined
}
