import type { Kysely } from 'kysely'
import * as knowledge from './0001-knowledge.ts'
import * as conversations from './0002-conversations.ts'
import * as feedback from './0003-feedback.ts'
import * as projectIds from './0004-project-ids.ts'
import * as whoDecided from './0005-who-decided.ts'
import * as people from './0006-people.ts'
import * as spend from './0007-spend.ts'
import * as documents from './0008-documents.ts'
import * as topics from './0009-topics.ts'

/**
 * A named, one-way step of the schema, run once per database in a transaction of its own. Written with Kysely's
 * schema builder in types both dialects know: `text`, `bigint`, `integer`, `double precision`.
 */
export interface Migration {
  name: string
  // A migration works on the schema as it was then, which the types of today do not describe.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  up(db: Kysely<any>): Promise<void>
}

/**
 * In order, append-only: a released migration is never edited, renamed, reordered or removed; what it got wrong is
 * put right by the next one. To add one: a file `NNNN-what-it-does.ts` exporting `up`, and a line at the end here.
 */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-knowledge', up: knowledge.up },
  { name: '0002-conversations', up: conversations.up },
  { name: '0003-feedback', up: feedback.up },
  { name: '0004-project-ids', up: projectIds.up },
  { name: '0005-who-decided', up: whoDecided.up },
  { name: '0006-people', up: people.up },
  { name: '0007-spend', up: spend.up },
  { name: '0008-documents', up: documents.up },
  { name: '0009-topics', up: topics.up },
]
