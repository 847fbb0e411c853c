import { forTerminal } from './text/terminal.ts'

export interface Notice {
  /** Same key, same trouble: it is said once. */
  key: string
  message: string
  /** The command that mends it. */
  hint?: string
  /** Nothing is missing from answers for it. */
  harmless?: boolean
  /** What lies behind it: where several parts go on in the same way for the same cause, one of them says so. */
  cause?: string
}

/** Something that takes its time and that nobody has asked for by name, such as an index that is built again. */
export interface LongWork {
  /** Same key, same work. */
  key: string
  what: string
  done: number
  /** Where it is known. */
  total?: number
  ended?: true
}

/**
 * How a degraded part speaks up: once per trouble, never by throwing, never silently.
 * A surface passes its own `say` (the CLI prints to stderr, the MCP server adds a line to its answer).
 */
export class Notices {
  readonly #said = new Map<string, Notice>()
  readonly #say: (notice: Notice) => void
  readonly #show: (work: LongWork) => void

  /** @internal */
  constructor(say: (notice: Notice) => void, show: (work: LongWork) => void = () => undefined) {
    this.#say = say
    this.#show = show
  }

  /** How far something has come. */
  underWay(work: LongWork): void {
    this.#show(work)
  }

  once(notice: Notice): void {
    if (this.#said.has(notice.key)) return
    const isNews = !this.current().some(({ cause }) => cause !== undefined && cause === notice.cause)
    this.#said.set(notice.key, notice)
    if (isNews) this.#say(notice)
  }

  /** It was told in another way, such as a status line: remembered, not said. */
  alreadySaid(notice: Notice): void {
    this.#said.set(notice.key, notice)
  }

  /** What is degraded now, each cause once, for surfaces whose readers come and go. */
  current(): Notice[] {
    const all = [...this.#said.values()]
    return all.filter(
      ({ cause }, at) => cause === undefined || all.findIndex((other) => other.cause === cause) === at,
    )
  }

  /** The trouble is over: if it comes back it is said again. */
  recovered(key: string): void {
    this.#said.delete(key)
  }
}

export function sayOnStandardError({ message, hint }: Notice): void {
  process.stderr.write(forTerminal(`ralph: ${message}${hint ? ` (${hint})` : ''}\n`))
}
