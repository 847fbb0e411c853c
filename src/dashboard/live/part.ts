import { STORED_PARTS } from '../../storage/marks.ts'

/** What the page shows, by what can change of it apart from the rest. */
const PARTS = ['board', 'receipts', 'settings', ...STORED_PARTS] as const
export type Part = (typeof PARTS)[number] | `journal:${string}`

/** Of each part a text that is another one when it has changed. */
export type Marks = ReadonlyMap<Part, string>
