import { pipeline } from 'node:stream/promises'
import { styleText } from 'node:util'
import { isAgentsShell } from '../config.ts'
import { isRalphError, messageOf } from '../errors.ts'
import type { Notice } from '../notices.ts'
import { snakeKeys } from '../text/case.ts'
import { quotedLines } from '../text/quote.ts'
import { forTerminal, inOwnColours, jsonForTerminal } from '../text/terminal.ts'

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
    else process.stdout.write(ours ? forTerminal(ensureNewline(text())) : this.#shown(text()))
  }

  /** Lines of JSON: nothing is added for people or programs. */
  async lines(lines: AsyncIterable<string>): Promise<void> {
    const shown = async function* () {
      for await (const line of lines) yield jsonForTerminal(line)
    }
    await pipeline(shown, process.stdout, { end: false })
  }

  /** One JSON object per line while the command runs; nothing for people. */
  event(value: unknown): void {
    if (this.json) process.stdout.write(jsonLine(snakeKeys(value)))
  }

  /** Text for people, while the command runs. */
  say(text: string): void {
    process.stdout.write(this.#shown(text))
  }

  talk(line: string): void {
    this.#clearProgress()
    process.stderr.write(this.#shown(line))
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

  error(error: unknown): void {
    const hint = isRalphError(error) ? error.hint : undefined
    const code = isRalphError(error) ? error.code : 'internal'
    if (this.json) {
      const value = { error: { code, message: messageOf(error), hint } }
      process.stdout.write(jsonLine(value))
    }
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

  talkStyle(style: Style, text: string): string {
    return inOwnColours(text, (plain) => styleText(style, plain, { stream: process.stderr }))
  }

  /** An agent reads all of it as quoted: what is stored, and what our words name, may be anybody's. */
  #shown(text: string): string {
    return forTerminal(ensureNewline(this.#forAgent ? quotedLines(text) : text))
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
