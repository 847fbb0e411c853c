import { RalphError } from '../../errors.ts'
import type { CollectionSpec } from '../search-index.ts'
import type { CallOptions, QdrantConnection } from './connection.ts'
import {
  createCollection,
  createIndexes,
  describeCollection,
  documentCollection,
  indexesFor,
  MADE_WITHIN_MS,
  madeByOthers,
} from './making.ts'
import { type FoundMetadata, madeByNewer } from './metadata.ts'
import type { CollectionPlace, CollectionPlaces, CreatedPlace, Whereabouts } from './places.ts'
import { collectionNames, countPoints, pathOf, readDescriptions } from './reading.ts'

/** One of Qdrant's collections for each of ours, under the same name. */
export class OwnCollections implements CollectionPlaces {
  readonly #connection: QdrantConnection

  constructor(connection: QdrantConnection) {
    this.#connection = connection
  }

  guess(name: string): Whereabouts {
    return { name, collection: name, tenant: undefined }
  }

  async find(name: string, options?: CallOptions): Promise<CollectionPlace | undefined> {
    const place = this.guess(name)
    const metadata = await this.#metadata(name, options)
    if (metadata === 'newer') throw madeByNewer(name)
    if (metadata === 'foreign') throw foreign(name)
    return typeof metadata === 'object' ? { ...place, metadata } : undefined
  }

  async all(prefix: string, options?: CallOptions): Promise<CollectionPlace[]> {
    const names = (await collectionNames(this.#connection, options)).filter((name) => name.startsWith(prefix))
    const found = await Promise.all(
      names.map(async (name): Promise<CollectionPlace[]> => {
        // What others keep in the same Qdrant is none of our business, nor is what another version has made.
        const [metadata] = (await readDescriptions(this.#connection, name, [name], options)) ?? []
        return typeof metadata === 'object' ? [{ ...this.guess(name), metadata }] : []
      }),
    )
    return found.flat()
  }

  async create(spec: CollectionSpec): Promise<CreatedPlace> {
    const { name } = spec
    const connection = this.#connection
    const begun = performance.now()
    const isMade = await this.#make(spec)
    const theirs = isMade ? undefined : await madeByOthers(() => this.find(name))
    if (theirs) return { ...theirs, isNew: false }
    await createIndexes(connection, name, indexesFor(spec))
    // Whoever else wants it waits so long before finishing what we began.
    const isAlone = isMade && performance.now() - begun < MADE_WITHIN_MS
    return { ...this.guess(name), ...(await describeCollection(connection, name, spec, { isAlone })) }
  }

  /** False when somebody else has made it, who may be about it still; what an older version has made goes. */
  async #make({ name, dimensions }: CollectionSpec): Promise<boolean> {
    const body = documentCollection(dimensions)
    if (await createCollection(this.#connection, name, body)) return true
    if ((await this.#metadata(name)) !== 'older') return false
    await this.drop(name)
    return createCollection(this.#connection, name, body)
  }

  async drop(name: string): Promise<void> {
    if ((await this.#metadata(name)) === 'foreign') throw foreign(name)
    await this.#connection.find({ method: 'DELETE', path: pathOf(name) }, { kind: 'write' })
  }

  async dropAll(): Promise<void> {
    for (const name of await collectionNames(this.#connection)) {
      const metadata = await this.#metadata(name)
      if (metadata !== undefined && metadata !== 'foreign') await this.drop(name)
    }
  }

  /** Empty and without description: somebody is making it, or has died over it; anything else is not ours. */
  async #metadata(name: string, options?: CallOptions): Promise<FoundMetadata | 'foreign'> {
    const look = () => readDescriptions(this.#connection, name, [name], options)
    const found = await look()
    if (!found) return undefined
    if (found[0] !== undefined) return found[0]
    if ((await countPoints(this.#connection, name, options)) === 0) return undefined
    // Between the two looks somebody may have finished making it.
    return (await look())?.[0] ?? 'foreign'
  }
}

function foreign(name: string): RalphError {
  return new RalphError('conflict', `Qdrant's collection "${name}" was not made by ralph`, {
    hint: 'Rename or remove it (or the alias of that name), or give ralph a Qdrant of its own (index.url).',
  })
}
