import type { SilentServices } from './silent-services.ts'

/**
 * A server that answers may still let somebody wait for its work: one model is stuck, is being loaded, or is busy for
 * long. The two are remembered apart, so that nobody is kept from another model of the same server.
 */
export class ServiceWork {
  readonly #silent: SilentServices
  readonly #server: { name: string; url: string }
  readonly #work: { name: string; url: string }

  constructor(silent: SilentServices, { name, url, model }: { name: string; url: string; model: string }) {
    this.#silent = silent
    this.#server = { name, url }
    this.#work = { name, url: `${url}#${encodeURIComponent(model)}` }
  }

  /** Whether the server, or this work of it, is left alone at present. */
  get isLeftAlone(): boolean {
    return [this.#server, this.#work].some(({ url }) => this.#silent.leftAloneMs(url) > 0)
  }

  /** Asks the server something that it answers at once, unless it is left alone. */
  look<Result>(ask: () => Promise<Result>): Promise<Result> {
    return this.#silent.ask(this.#server, ask)
  }

  /** As `look`, in any case. */
  lookAnyway<Result>(ask: () => Promise<Result>): Promise<Result> {
    return this.#silent.heard(this.#server.url, ask)
  }

  /** Has the server do the work, unless one of them is left alone. */
  do<Result>(work: () => Promise<Result>): Promise<Result> {
    const isServerSilent = this.#silent.leftAloneMs(this.#server.url) > 0
    return this.#silent.ask(isServerSilent ? this.#server : this.#work, work)
  }

  /** As `do`, in any case. */
  doAnyway<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#silent.heard(this.#work.url, work)
  }

  /** Whoever was told to leave it alone may ask again. */
  resume(): void {
    this.#silent.answered(this.#work.url)
  }
}
