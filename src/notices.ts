import { forTerminal } from './text/terminal.ts'

export interface Notice {
  /** Same key, same trouble: it is said once. */
  key: string
  message: string
  /** The command that mends it. */
  hint?: string
  /** Nothing is missing from answers for it. */
  harmless?: boolean
}

/**
 * How a degraded part speaks up: once per trouble, never by throwing, never silently.
 * A surface passes its own `say` (the CLI prints to stderr, the MCP server adds a line to its answer).
 */
export class Notices {
  readonly #said = new Map<string, Notice>()
  readonly #say: (notice: Notice) => void

  constructor(say: (notice: Notice) => void) {
    this.#say = say
  }

  once(notice: Notice): void {
    if (this.#said.has(notice.key)) return
    this.#said.set(notice.key, notice)
    this.#say(notice)
  }

  /** It was told in another way, such as a status line: remembered, not said. */
  alreadySaid(notice: Notice): void {
    this.#said.set(notice.key, notice)
  }

  /** What is degraded now, for surfaces whose readers come and go. */
  current(): Notice[] {
    return [...this.#said.values()]
  }

  /** The trouble is over: if it comes back it is said again. */
  recovered(key: string): void {
    this.#said.delete(key)
  }
}

export function sayOnStandardError({ message, hint }: Notice): void {
  process.stderr.write(forTerminal(`ralph: ${message}${hint ? ` (${hint})` : ''}\n`))
}
