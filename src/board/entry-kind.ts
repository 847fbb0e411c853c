import type { z } from '../text/schema.ts'

/** What the board needs to know about one kind of entry: where it is kept, how it is spelt, what is valid. */
export interface EntryKind<T> {
  file: string
  rootKey: string
  noun: string
  /** The field that names an entry, the same on disk and in memory. */
  identity: 'id' | 'name'
  /** Each field's spelling on disk, in the order in which fields are usually written. */
  fields: { [Field in keyof T]-?: string }
  /** How an item of a list field is written, where that is more than its value. */
  encode?: { [Field in keyof T]?: (item: never) => unknown }
  /** Fields that programs are run with: what people put there has to work, secrets too. */
  settings?: readonly (keyof T)[]
  /** Plain data from the file → the typed entry. */
  schema: z.ZodMiniType<T>
}
