import type { Payload } from '../search-index/search-index.ts'
import type { DocumentWords } from '../search-index/terms.ts'

/** What an embedder made of a draft. */
export interface Embedded {
  vector: Float32Array
  /** What ranking wants to know beyond it. */
  detail?: Uint8Array
}

export function addIfEmbedded(
  to: Map<string, Embedded>,
  name: string,
  { vector, detail }: Partial<Embedded>,
): void {
  if (vector) to.set(name, { vector, ...(detail && { detail }) })
}

/** What of a document is worth a look by itself. */
export interface DraftParts {
  /** What it says in short, where the whole says more: as good as the whole. */
  inShort: readonly string[]
  /** Pieces of it, which count half. */
  pieces: readonly string[]
}

/** A document as a memory brings it: what it says, before anything is embedded. */
export interface Draft extends Omit<DocumentWords, 'text'> {
  /** A UUID. */
  id: string
  embedded: string
  /** Texts that are embedded by themselves, too, so that the whole is not all that counts. */
  parts?: DraftParts | undefined
  /** What says what went wrong, where it is about a failure: other failures are compared with it letter by letter. */
  failure?: string | undefined
  /** The words it is found by, with those beside and the names; usually also what is embedded. */
  searched: string
  /** SHA-256 of what is embedded. */
  textHash: string
  /** Of what it was made from, where that has one: a document of an earlier one is behind, also when it was made of the same text. */
  revision?: number
  /** `embeddedBy`: the embedder's identity, or "none". */
  payload: (embeddedBy: string) => Payload
  /** True when two drafts of this id with different texts are two documents; else the later one replaces the other. */
  ownText?: boolean
}

export function draftWords({ searched, beside, names }: Draft): DocumentWords {
  return { text: searched, beside, names }
}
