import type { Payload } from '../search-index/search-index.ts'

/** A document as a memory brings it: what it says, before anything is embedded. */
export interface Draft {
  /** A UUID. */
  id: string
  embedded: string
  /** The words it is found by; usually also what is embedded. */
  searched: string
  /** SHA-256 of what is embedded. */
  textHash: string
  /** `embeddedBy`: the embedder's identity, or "none". */
  payload: (embeddedBy: string) => Payload
  /** True when two drafts of this id with different texts are two documents; else the later one replaces the other. */
  ownText?: boolean
}
