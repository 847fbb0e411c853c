/** A word of a shell command. `plain` is false when the shell would make something else of it (variables, globs…). */
export interface Word {
  text: string
  plain: boolean
}

/** One program call: what a shell runs between two operators. */
export interface SimpleCommand {
  words: Word[]
  /** Files written by `>` and `>>`. */
  redirects: { append: boolean; target: Word }[]
  /** The operator before it: `||` means that it perhaps did not run. */
  after: '' | '&&' | '||' | ';' | '|' | '&'
  /** Depth of parentheses: a `cd` in there changes nothing outside. */
  depth: number
}

const SPACE = /[ \t\r]/
/** Characters that make the shell replace a bare word. */
const EXPANDING = /[*?[\]{}~$`!]/
/** From here on it depends on conditions what runs, and how often. */
const KEYWORDS = new Set(['if', 'for', 'while', 'until', 'case', 'select', 'function', '{', 'then', 'do'])
/** Runs the command that follows it. */
const WRAPPERS = new Set(['sudo', 'command', 'time', 'env', 'nohup', 'builtin', 'exec'])

/**
 * Reads the plain part of a shell command line, up to the first compound statement. Not a shell: it knows quotes,
 * operators, redirections, here-documents and comments, and says of each word whether it can be taken literally.
 */
export function parseShell(command: string): SimpleCommand[] {
  return new ShellReader(command).read()
}

/** The program and its arguments, without assignments and wrappers before it. */
export function programOf({ words }: SimpleCommand): { name: string; args: Word[] } {
  const start = words.findIndex(({ text }) => !/^\w+=/.test(text) && !WRAPPERS.has(text))
  const [program, ...args] = start === -1 ? [] : words.slice(start)
  return { name: program?.text.replace(/^.*[\\/]/, '') ?? '', args }
}

class ShellReader {
  readonly #source: string
  #at = 0
  #depth = 0
  #commands: SimpleCommand[] = []
  #current: SimpleCommand
  #hereDocuments: string[] = []

  constructor(source: string) {
    this.#source = source
    this.#current = this.#fresh('')
  }

  read(): SimpleCommand[] {
    while (this.#at < this.#source.length) {
      if (!this.#operator() && !this.#redirect() && !this.#skipped()) this.#word()
      const first = this.#current.words[0]
      if (this.#current.words.length === 1 && first?.plain && KEYWORDS.has(first.text)) return this.#commands
    }
    this.#finish('')
    return this.#commands
  }

  #fresh(after: SimpleCommand['after']): SimpleCommand {
    return { words: [], redirects: [], after, depth: this.#depth }
  }

  #finish(next: SimpleCommand['after']): void {
    const { words, redirects } = this.#current
    if (words.length > 0 || redirects.length > 0) {
      this.#commands.push(this.#current)
      this.#current = this.#fresh(next)
    } else {
      this.#current = this.#fresh(this.#current.after || next)
    }
  }

  #operator(): boolean {
    const operator = /^(?:&&|\|\||\|&|[;|\n]|&(?!>)|[()])/.exec(
      this.#source.slice(this.#at, this.#at + 2),
    )?.[0]
    if (operator === undefined) return false
    this.#at += operator.length
    if (operator === '(') this.#depth++
    if (operator === ')') this.#depth = Math.max(0, this.#depth - 1)
    const word =
      operator === '\n' || operator === '(' || operator === ')' ? ';' : operator === '|&' ? '|' : operator
    this.#finish(word as SimpleCommand['after'])
    if (operator === '\n') this.#skipHereDocuments()
    return true
  }

  #redirect(): boolean {
    const match = /^(?:\d*|&)(>>|>\||>|<<<|<<-?|<)(&[\d-]+)?/.exec(
      this.#source.slice(this.#at, this.#at + 16),
    )
    if (!match || (match[0].startsWith('&') && !match[1]!.startsWith('>'))) return false
    this.#at += match[0].length
    if (match[2] !== undefined) return true
    while (SPACE.test(this.#peek())) this.#at++
    // Process substitution, or nothing to redirect to.
    if (this.#peek() === '(' || this.#peek() === '' || this.#peek() === '&') return true
    const target = this.#readWord()
    if (match[1] === '<<' || match[1] === '<<-') this.#hereDocuments.push(target.text)
    else if (match[1]!.startsWith('>')) this.#current.redirects.push({ append: match[1] === '>>', target })
    return true
  }

  /** Spaces, continued lines, comments. */
  #skipped(): boolean {
    if (SPACE.test(this.#peek())) this.#at++
    else if (this.#source.startsWith('\\\n', this.#at)) this.#at += 2
    else if (this.#peek() === '#') this.#at = this.#end('\n', this.#at)
    else return false
    return true
  }

  #word(): void {
    this.#current.words.push(this.#readWord())
  }

  #readWord(): Word {
    let text = ''
    let plain = true
    const start = this.#at
    while (this.#at < this.#source.length && !/[\s;&|<>()]/.test(this.#peek())) {
      const character = this.#peek()
      if (character === "'") {
        text += this.#until("'")
      } else if (character === '"') {
        const quoted = this.#doubleQuoted()
        text += quoted.text
        plain &&= quoted.plain
      } else if (/^\\[\w.@-]/.test(this.#source.slice(this.#at, this.#at + 2))) {
        // Nobody escapes a letter: it is a path of Windows.
        text += this.#source.slice(this.#at, this.#at + 2)
        this.#at += 2
      } else if (character === '\\') {
        text += this.#source[this.#at + 1] ?? ''
        this.#at += 2
      } else if (character === '`' || this.#source.startsWith('$(', this.#at)) {
        plain = false
        this.#skipSubstitution()
      } else {
        if (EXPANDING.test(character)) plain = false
        text += character
        this.#at++
      }
    }
    // A character nothing above takes must not stop the reading.
    if (this.#at === start) this.#at++
    return { text, plain }
  }

  #doubleQuoted(): Word {
    let text = ''
    let plain = true
    this.#at++
    while (this.#at < this.#source.length && this.#peek() !== '"') {
      // Before anything else a backslash stands for itself.
      if (/^\\[$`"\\\n]/.test(this.#source.slice(this.#at, this.#at + 2))) {
        text += this.#source[this.#at + 1] ?? ''
        this.#at += 2
      } else if (this.#source.startsWith('$(', this.#at) || this.#peek() === '`') {
        plain = false
        this.#skipSubstitution()
      } else {
        if (this.#peek() === '$') plain = false
        text += this.#source[this.#at++]
      }
    }
    this.#at++
    return { text, plain }
  }

  #skipSubstitution(): void {
    if (this.#peek() === '`') {
      this.#until('`')
      return
    }
    // The usual way to pass a long message: what is in it may hold any quote or parenthesis.
    const document = /^\$\(cat <<-?\s*['"]?(\w+)['"]?\n[\s\S]*?\n\s*\1\s*\)/.exec(
      this.#source.slice(this.#at),
    )
    if (document) {
      this.#at += document[0].length
      return
    }
    let open = 0
    for (this.#at++; this.#at < this.#source.length; this.#at++) {
      if (this.#peek() === '(') open++
      if (this.#peek() === ')' && --open === 0) break
    }
    this.#at++
  }

  /** The text up to the next `mark`, both left behind. */
  #until(mark: string): string {
    const start = this.#at + 1
    const end = this.#end(mark, start)
    this.#at = end + 1
    return this.#source.slice(start, end)
  }

  #skipHereDocuments(): void {
    for (const end of this.#hereDocuments) {
      while (this.#at < this.#source.length) {
        const lineEnd = this.#end('\n', this.#at)
        const line = this.#source.slice(this.#at, lineEnd)
        this.#at = lineEnd + 1
        if (line.trim() === end) break
      }
    }
    this.#hereDocuments = []
  }

  #end(mark: string, from: number): number {
    const found = this.#source.indexOf(mark, from)
    return found === -1 ? this.#source.length : found
  }

  #peek(): string {
    return this.#source[this.#at] ?? ''
  }
}
