import { pipeline } from 'node:stream/promises'
import { styleText } from 'node:util'
import { isAgentsShell } from '../config.ts'
import { isRalphError, messageOf, unexpectedFileError } from '../errors.ts'
import type { Notice } from '../notices.ts'
import { snakeKeys } from '../text/case.ts'
import { quotedLines } from '../text/quote.ts'
import { forTerminal, inOwnColours, inOwnLink, jsonForTerminal } from '../text/terminal.ts'
import { wrapLines } from '../text/wrap.ts'
import { terminalTakesLinks } from './terminal-links.ts'
import { typed } from './typed.ts'
import { columnsOf } from './width.ts'

type Style = Parameters<typeof styleText>[0]

/**
 * Data goes to stdout, talk to stderr; colours and moving lines only where a person looks at a terminal. Everything goes out
 * through here, so that no stored text reaches a terminal as anything but text.
 */
export class Output {
  readonly json: boolean
  readonly #forAgent = isAgentsShell()
  #progressShown = false
  /** True once something was degraded: then an empty answer may not mean that there is nothing. */
  degraded = false

  constructor(options: { json?: boolean | undefined }) {
    this.json = options.json ?? false
  }

  /**
   * The command's result: `value` for programs (keys become snake_case), `text` for people. `ours`: it quotes by itself what
   * comes from elsewhere, or is to be pasted as it is.
   */
  result(value: unknown, text: () => string, { ours = false } = {}): void {
    this.#clearProgress()
    if (this.json) process.stdout.write(jsonLine(snakeKeys(value), 2))
    else
      process.stdout.write(
        ours ? forTerminal(ensureNewline(text())) : this.#shown(typed(text()), process.stdout),
      )
  }

  /** Lines of JSON: nothing is added for people or programs. Returns how many. */
  async lines(lines: AsyncIterable<string>): Promise<number> {
    let count = 0
    const shown = async function* () {
      for await (const line of lines) {
        count++
        yield `${jsonForTerminal(line)}\n`
      }
    }
    await pipeline(shown, process.stdout, { end: false })
    return count
  }

  /** One JSON object per line while the command runs; nothing for people. */
  event(value: unknown): void {
    if (this.json) process.stdout.write(jsonLine(snakeKeys(value)))
  }

  /** Text for people, while the command runs. */
  say(text: string): void {
    process.stdout.write(this.#shown(typed(text), process.stdout))
  }

  talk(line: string): void {
    this.#clearProgress()
    process.stderr.write(this.#shown(typed(line), process.stderr))
  }

  notice = (notice: Notice): void => {
    if (!notice.harmless) this.degraded = true
    this.talk(
      `${this.talkStyle('yellow', 'note:')} ${notice.message}${notice.hint ? `\n  → ${notice.hint}` : ''}`,
    )
  }

  /** Overwrites one line on a terminal; silent elsewhere, where nobody watches it move. */
  progress(line: string): void {
    if (!process.stderr.isTTY) return
    this.#progressShown = true
    process.stderr.write(`\r\x1b[K${forTerminal(line).slice(0, (process.stderr.columns || 80) - 1)}`)
  }

  /** What went wrong and the next step; returns the exit code. `shown`: a person has read it already. */
  failure(thrown: unknown, { shown = false } = {}): 1 | 2 {
    const error = unexpectedFileError(thrown)
    const hint = isRalphError(error) ? error.hint : undefined
    const code = isRalphError(error) ? error.code : 'internal'
    if (this.json) {
      process.stdout.write(
        jsonLine({ error: { code, message: messageOf(error), hint: hint && typed(hint) } }),
      )
      // On a terminal both would be read one after the other.
      if (process.stdout.isTTY) shown = true
    }
    if (!shown) this.#tellFailure(error, hint)
    return code === 'usage' ? 2 : 1
  }

  #tellFailure(error: unknown, hint: string | undefined): void {
    this.talk(`${this.talkStyle('red', 'error:')} ${messageOf(error)}`)
    if (hint) this.talk(`  → ${hint}`)
    if (!isRalphError(error) && error instanceof Error && error.stack) {
      this.talk(error.stack.split('\n').slice(1).join('\n'))
      this.talk('  → This is a defect in ralph. Please report it with the lines above.')
    }
  }

  style(style: Style, text: string): string {
    return inOwnColours(text, (plain) => styleText(style, plain, { stream: process.stdout }))
  }

  /** Clickable, in a terminal that knows links; elsewhere the text alone. */
  link(text: string, target: string): string {
    const isShown = process.stdout.isTTY && !this.#forAgent && terminalTakesLinks()
    return isShown ? inOwnLink(text, target) : text
  }

  talkStyle(style: Style, text: string): string {
    return inOwnColours(text, (plain) => styleText(style, plain, { stream: process.stderr }))
  }

  /** An agent reads all of it as quoted: what is stored, and what our words name, may be anybody's. */
  #shown(text: string, stream: NodeJS.WriteStream): string {
    const shown = forTerminal(ensureNewline(this.#forAgent ? quotedLines(text) : text))
    const columns = columnsOf(stream)
    // In a pipe a line stays a line, and so does what is quoted.
    return columns === undefined || this.#forAgent ? shown : wrapLines(shown, columns)
  }

  #clearProgress(): void {
    if (!this.#progressShown) return
    this.#progressShown = false
    process.stderr.write('\r\x1b[K')
  }
}

function ensureNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

function jsonLine(value: unknown, indent?: number): string {
  return `${jsonForTerminal(JSON.stringify(value, null, indent))}\n`
}
