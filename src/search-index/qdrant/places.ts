import { deterministicUuid } from '../../text/ids.ts'
import type { CollectionSpec } from '../search-index.ts'
import { hash32 } from '../terms.ts'
import type { CallOptions } from './connection.ts'
import type { Metadata } from './metadata.ts'

/** Where a collection of ours lives. */
export interface Whereabouts {
  name: string
  /** Qdrant's collection with the documents, and the point that describes ours. */
  collection: string
  /** Set when several of ours share Qdrant's collection. */
  tenant: string | undefined
}

export interface CollectionPlace extends Whereabouts {
  metadata: Metadata
}

/** New: by us, and with nothing in it. */
export interface CreatedPlace extends CollectionPlace {
  isNew: boolean
}

/** Two ways of laying out our collections in Qdrant's. */
export interface CollectionPlaces {
  /** Where it is if it is there; undefined when that would have to be asked. */
  guess(name: string): Whereabouts | undefined
  /** What an older version has laid out counts as not there. */
  find(name: string, options?: CallOptions): Promise<CollectionPlace | undefined>
  /** Those that can be read, of names that begin so. */
  all(prefix: string, options?: CallOptions): Promise<CollectionPlace[]>
  create(spec: CollectionSpec): Promise<CreatedPlace>
  /** Whatever version has made it. */
  drop(name: string): Promise<void>
  dropAll(): Promise<void>
}

/** Ids are unique in a collection of ours; in a shared one each tenant has its own. */
export function pointId({ tenant }: Whereabouts, id: string): string {
  return tenant === undefined ? id : deterministicUuid(tenant, id)
}

/** The dimension of a term. Tenants have dimensions of their own, so that how many have a word is theirs too. */
export function dimensionOf({ tenant }: Whereabouts, hash: number): number {
  return tenant === undefined ? hash : hash32(`${tenant}\n${hash}`)
}
