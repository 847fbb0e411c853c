import type { Person } from '../../identity/person.ts'
import type { Storage } from '../../storage/storage.ts'
import { Namer } from './naming.ts'
import { readSpoken } from './talks.ts'

const MOST_TAGS = 3

/** Tells what single conversations are about by words that they share with others: what nobody else says, nobody looks for. */
export class Tagger {
  readonly #storage: Storage
  readonly #person: Person
  #all: Promise<{ namer: Namer; places: Map<string, number> }> | undefined

  constructor(storage: Storage, person: Person) {
    this.#storage = storage
    this.#person = person
  }

  async tagsOf(conversationId: string): Promise<string[]> {
    this.#all ??= this.#read()
    const { namer, places } = await this.#all
    const at = places.get(conversationId)
    return at === undefined ? [] : namer.shared(at, MOST_TAGS)
  }

  async #read(): Promise<{ namer: Namer; places: Map<string, number> }> {
    const talks = await readSpoken(this.#storage, this.#person)
    return { namer: new Namer(talks), places: new Map(talks.map(({ id }, at) => [id, at])) }
  }
}
