import type { StoredPart } from '../../storage/marks.ts'

/** What the page shows, by what can change of it apart from the rest; `project`: whether there is any. */
export type Part = 'project' | 'board' | 'receipts' | 'settings' | StoredPart | `journal:${string}`

/** Of each part a text that is another one when it has changed. */
export type Marks = ReadonlyMap<Part, string>
