import type { Person } from '../../identity/person.ts'
import type { Storage } from '../../storage/storage.ts'
import { readOwnValue, writeOwnValue } from '../../storage/stored-values.ts'
import type { Retrieval } from './retriever.ts'

export interface LastRetrieval {
  at: Date
  conversations: number
  exchanges: number
  tookMs: number
}

type StoredRetrieval = Omit<LastRetrieval, 'at'> & { at: string }

const KEY = 'conversations.last_retrieval'
const NOTED_EVERY_MS = 2_000

/** For people who ask how it is going. Written once in a while: no answer waits for a disk because of it. */
export class RetrievalNote {
  readonly #storage: Storage
  readonly #person: Person
  readonly #clock: () => Date
  #last: LastRetrieval | undefined
  #noted: LastRetrieval | undefined
  #noting: NodeJS.Timeout | undefined

  constructor(storage: Storage, person: Person, clock: () => Date) {
    this.#storage = storage
    this.#person = person
    this.#clock = clock
  }

  remember({ conversations, tookMs }: Pick<Retrieval, 'conversations' | 'tookMs'>): void {
    this.#last = {
      at: this.#clock(),
      conversations: conversations.length,
      exchanges: conversations.reduce((sum, { exchanges }) => sum + exchanges.length, 0),
      tookMs: Math.round(tookMs),
    }
    this.#noting ??= setTimeout(() => {
      this.#noting = undefined
      this.#write()
    }, NOTED_EVERY_MS).unref()
  }

  /** Of this process or another one, whichever was later. */
  async read(): Promise<LastRetrieval | undefined> {
    const stored = (await readOwnValue(this.#storage.db, this.#person.id, KEY)) as StoredRetrieval | undefined
    const elsewhere = stored && { ...stored, at: new Date(stored.at) }
    const here = this.#last
    if (!here || !elsewhere) return here ?? elsewhere
    return here.at > elsewhere.at ? here : elsewhere
  }

  async close(): Promise<void> {
    clearTimeout(this.#noting)
    await this.#write()
  }

  async #write(): Promise<void> {
    const last = this.#last
    if (!last || last === this.#noted) return
    this.#noted = last
    // Only a remark in a status display: a busy database is no reason to disturb anybody.
    const write = writeOwnValue(this.#storage.db, this.#person.id, KEY, last, last.at.getTime())
    await write.catch(() => undefined)
  }
}
