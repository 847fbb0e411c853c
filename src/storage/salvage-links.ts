import type { DatabaseSync } from 'node:sqlite'
import { plural } from '../text/plural.ts'

/** Makes what is left of a database fit together again: what belongs to something that is lost, and what is counted. */
export function mendLinks(database: DatabaseSync): string[] {
  const made = Number(database.prepare(LOST_CONVERSATIONS).run().changes)
  let gone = 0
  // What is taken out may leave others that belong to it.
  for (let violations = violationsIn(database); violations.length > 0; violations = violationsIn(database)) {
    for (const { table, rowid } of violations)
      gone += Number(database.prepare(`delete from "${table}" where rowid = ?`).run(rowid).changes)
  }
  database.exec(COUNTED)
  return [
    ...(made > 0
      ? [`${plural(made, 'conversation')} whose title was lost ${made === 1 ? 'is' : 'are'} there without it`]
      : []),
    ...(gone > 0 ? [`left out ${plural(gone, 'row')} that belonged to something lost`] : []),
  ]
}

/** Exchanges say nothing of whom they belong to: to whoever has most of them. */
const LOST_CONVERSATIONS = `
  insert into conversations (id, source, started_at, updated_at, exchange_count, summary_due, summarised_exchanges,
    in_use_until, revision, person)
  select conversation_id, 'api', min(started_at), max(coalesce(completed_at, started_at)), 0, 1, 0, 0, max(revision),
    coalesce((select person from conversations group by person order by count(*) desc limit 1),
      (select id from people order by made_at limit 1), '')
  from exchanges where conversation_id not in (select id from conversations) group by conversation_id`

const COUNTED = `
  update conversations set exchange_count =
    (select count(*) from exchanges where exchanges.conversation_id = conversations.id);
  update exchanges set summarised = 0, summary_due = 1
    where summarised = 1 and id not in (select exchange_id from exchange_summaries);
  insert into counters (name, value) select 'conversations.revision', max(revision) from
    (select revision from exchanges union all select revision from conversations) having max(revision) > 0
    on conflict (name) do update set value = max(value, excluded.value);`

function violationsIn(database: DatabaseSync): { table: string; rowid: number }[] {
  return database.prepare('pragma foreign_key_check').all() as unknown as { table: string; rowid: number }[]
}
