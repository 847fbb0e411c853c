import type { Ralph } from '../../../src/index.ts'
import type { World } from './world.ts'

/** What whoever looks afterwards finds, by the ids under which it was written. */
export interface Found {
  /** Each as often as it stands there. */
  ids: readonly string[]
  /** What is not as it was written, or cannot be read, in words. */
  damaged?: readonly string[]
}

/** One way in which the product writes. */
export interface WritePath {
  name: string
  /** What one acknowledged write is: "an iteration in the journal". */
  what: string
  /** Once, before anybody writes. */
  prepare?(ralph: Ralph, world: World): Promise<void>
  /** Returns when the product has said that it is kept. */
  write(ralph: Ralph, id: string, tools: WriteTools): Promise<void>
  /** Whether whoever was killed may do the same again under the same id: the product promises to know it. */
  repeats?: boolean
  /** Whether it needs meaning: a service on this machine makes its vectors, always the same of the same words. */
  embeds?: boolean
  /** What a person would do before looking, e.g. let the workers finish. */
  settle?(ralph: Ralph, world: World): Promise<void>
  /** `acknowledged`: for what can only be told by its absence, such as what was forgotten. */
  find(ralph: Ralph, world: World, acknowledged: ReadonlySet<string>): Promise<Found>
  /**
   * What a search for it finds, with scores: it has to be in there, and the same has to come from an index that was built
   * again. Undefined for an id that is no such thing.
   */
  search?(ralph: Ralph, id: string): Promise<unknown>
}

export interface WriteTools {
  world: World
  /** Says that something else than the id itself is kept. */
  acknowledge(id: string): void
}

export const PATHS = [
  'record',
  'learnings',
  'board',
  'knowledge',
  'conversations',
  'workers',
  'receipts',
  'documents',
  'transfer',
] as const
export type PathName = (typeof PATHS)[number]

/** The how-manieth write of its process it is: `w3n17` is the 17th. The same when it is done again. */
export function numberOf(id: string): number {
  return Number(/n(\d+)$/.exec(id)?.[1])
}

/** Each in a file of its name, so that a writer loads no more than it needs. */
export async function pathOf(name: PathName): Promise<WritePath> {
  const { path } = (await import(`../paths/${name}.ts`)) as { path: WritePath }
  return path
}
