import type { Person } from '../../identity/person.ts'
import type { Queries, StorageTransaction } from '../../storage/storage.ts'
import { readOwnValue, writeOwnValue } from '../../storage/stored-values.ts'
import type { TopicRow } from '../../storage/tables.ts'

/** A topic as it is kept, with the ids of its conversations. */
export interface KeptTopic extends Omit<TopicRow, 'person'> {
  members: Map<string, number>
}

/** Up to where everything has been looked at, so that nobody looks again for nothing. */
export interface Seen {
  revision: number
  /** Of the index. */
  mark: string
  /** Of the conversations that have one. */
  summaries: string
}

const SEEN = 'topics.seen'
const ROWS_AT_ONCE = 500

export async function readSeen(db: Queries, { id }: Person): Promise<Seen | undefined> {
  return (await readOwnValue(db, id, SEEN)) as Seen | undefined
}

export async function readKept(db: Queries, { id }: Person): Promise<KeptTopic[]> {
  const rows = await db
    .selectFrom('conversation_topics')
    .selectAll()
    .where('person', '=', id)
    .orderBy('made_at')
    .orderBy('id')
    .execute()
  const topics = new Map(
    rows.map(({ person: _, ...row }) => [
      row.id,
      { ...row, made_at: Number(row.made_at), members: new Map<string, number>() },
    ]),
  )
  const members = await db
    .selectFrom('conversation_topic_members')
    .innerJoin('conversations', 'conversations.id', 'conversation_topic_members.conversation_id')
    .select(['conversation_id', 'topic_id', 'fit'])
    .where('conversations.person', '=', id)
    .execute()
  for (const { conversation_id, topic_id, fit } of members)
    topics.get(topic_id)?.members.set(conversation_id, fit)
  return [...topics.values()]
}

/** Writes what is different from before, and nothing else. */
export async function writeKept(
  db: StorageTransaction,
  person: Person,
  {
    before,
    now,
    seen,
    at,
  }: { before: readonly KeptTopic[]; now: readonly KeptTopic[]; seen: Seen; at: number },
): Promise<void> {
  const former = new Map(before.map((topic) => [topic.id, topic]))
  const gone = before.filter(({ id }) => !now.some((topic) => topic.id === id)).map(({ id }) => id)
  if (gone.length > 0)
    await db
      .deleteFrom('conversation_topics')
      .where('person', '=', person.id)
      .where('id', 'in', gone)
      .execute()
  const placed = new Map(
    before.flatMap(({ id, members }) => [...members].map(([member, fit]) => [member, { id, fit }])),
  )
  const rows = now.flatMap(({ id, members }) =>
    [...members]
      .filter(([member, fit]) => placed.get(member)?.id !== id || placed.get(member)?.fit !== fit)
      .map(([member, fit]) => ({ conversation_id: member, topic_id: id, fit })),
  )
  const staying = new Set(now.flatMap(({ members }) => [...members.keys()]))
  const leaving = [...placed.keys()].filter((member) => !staying.has(member))
  for (const page of pages(leaving))
    await db.deleteFrom('conversation_topic_members').where('conversation_id', 'in', page).execute()
  for (const { members: _, ...topic } of now) {
    const known = former.get(topic.id)
    if (known && known.name === topic.name && known.named_from === topic.named_from) continue
    const row = { ...topic, person: person.id }
    await db
      .insertInto('conversation_topics')
      .values(row)
      .onConflict((conflict) => conflict.columns(['person', 'id']).doUpdateSet(row))
      .execute()
  }
  for (const page of pages(rows)) {
    await db
      .insertInto('conversation_topic_members')
      .values(page)
      .onConflict((conflict) =>
        conflict
          .column('conversation_id')
          .doUpdateSet((row) => ({ topic_id: row.ref('excluded.topic_id'), fit: row.ref('excluded.fit') })),
      )
      .execute()
  }
  await writeOwnValue(db, person.id, SEEN, seen, at)
}

export async function renameTopic(
  db: Queries,
  person: Person,
  id: string,
  named: Pick<TopicRow, 'name' | 'named_by' | 'named_from'>,
): Promise<void> {
  await db
    .updateTable('conversation_topics')
    .set(named)
    .where('person', '=', person.id)
    .where('id', '=', id)
    .execute()
}

function pages<Row>(rows: readonly Row[]): Row[][] {
  const count = Math.ceil(rows.length / ROWS_AT_ONCE)
  return Array.from({ length: count }, (_, page) =>
    rows.slice(page * ROWS_AT_ONCE, (page + 1) * ROWS_AT_ONCE),
  )
}
