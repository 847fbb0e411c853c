import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Long enough for a browser to start. */
const TICKET_MS = 120_000

/** What opens the page: a token in the address, which a browser exchanges for a cookie. */
export class Keys {
  /** For the person who started us; good as long as we run, for any number of browsers. */
  readonly token = newKey()
  /** What the browser keeps instead: whoever sees the one has not got the other. */
  readonly cookie = createHmac('sha256', this.token).update('cookie').digest('base64url')
  readonly #tickets = new Map<string, number>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /**
   * A token for one use within two minutes. Other users, and agents, can see what a program was called with, as a browser is
   * with its address: by then this one is worth nothing.
   */
  ticket(): string {
    const ticket = newKey()
    this.#tickets.set(digest(ticket), this.#now() + TICKET_MS)
    return ticket
  }

  /** Whether this token opens the page; a ticket does not do so again. */
  opens(given: string): boolean {
    if (isSame(given, this.token)) return true
    const key = digest(given)
    const until = this.#tickets.get(key)
    this.#tickets.delete(key)
    return until !== undefined && this.#now() < until
  }

  isCookie(given: string): boolean {
    return isSame(given, this.cookie)
  }
}

/** 256 bits. */
function newKey(): string {
  return randomBytes(32).toString('base64url')
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** Takes as long for a wrong one, wherever it begins to differ. */
function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(Buffer.from(digest(given)), Buffer.from(digest(wanted)))
}
