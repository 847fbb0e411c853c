import { addIfEmbedded, type Embedded } from '../retrieval/draft.ts'
import type { VectorLender } from '../retrieval/parts.ts'
import type { CollectionInfo, SearchIndex } from '../search-index/search-index.ts'

const PAGE = 500

/** What a feature's documents were filed under before: their vectors are taken over, and then they go. */
export class FormerCollections implements VectorLender {
  readonly #index: SearchIndex
  readonly #found: readonly CollectionInfo[]
  #vectors: { embedderId: string; byText: Map<string, Embedded> } | undefined

  private constructor(index: SearchIndex, found: readonly CollectionInfo[]) {
    this.#index = index
    this.#found = found
  }

  static async find(index: SearchIndex, names: readonly string[]): Promise<FormerCollections | undefined> {
    const found = names.length === 0 ? [] : await index.collections(names)
    return found.length === 0 ? undefined : new FormerCollections(index, found)
  }

  /** By their texts: the ids were made from the former key. */
  async lend(
    _: string,
    embedderId: string,
    documents: readonly { id: string; textHash: string }[],
  ): Promise<ReadonlyMap<string, Embedded>> {
    if (this.#vectors?.embedderId !== embedderId)
      this.#vectors = { embedderId, byText: await this.#read(embedderId) }
    const { byText } = this.#vectors
    return new Map(
      documents.flatMap(({ id, textHash }) => {
        const embedded = byText.get(textHash)
        return embedded ? [[id, embedded] as const] : []
      }),
    )
  }

  async drop(): Promise<void> {
    for (const { name } of this.#found) await this.#index.drop(name)
  }

  async #read(wanted: string): Promise<Map<string, Embedded>> {
    const byText = new Map<string, Embedded>()
    for (const { name, embedderId } of this.#found) {
      for (let after: string | undefined; embedderId === wanted; ) {
        const page = await this.#index.read(name, { after, limit: PAGE, vectors: true })
        if (page.length === 0) break
        for (const stored of page) addIfEmbedded(byText, stored.textHash, stored)
        after = page.at(-1)!.id
      }
    }
    return byText
  }
}
