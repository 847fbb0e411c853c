import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

/** One ledger of every paid call, in the place of sums per worker and of reservations on leases. */
// biome-ignore lint/suspicious/noExplicitAny: a migration precedes the types
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('spend')
    .addColumn('person', 'text', required)
    .addColumn('month', 'text', required)
    .addColumn('purpose', 'text', required)
    .addColumn('model', 'text', required)
    .addColumn('calls', 'bigint', required)
    .addColumn('input_tokens', 'bigint', required)
    .addColumn('output_tokens', 'bigint', required)
    .addColumn('usd', 'double precision', required)
    .addColumn('estimated_usd', 'double precision', required)
    .addColumn('unpriced_calls', 'bigint', required)
    .addPrimaryKeyConstraint('spend_key', ['person', 'month', 'purpose', 'model'])
    .execute()
  await keepTotals(db)
  for (const column of ['input_tokens', 'output_tokens', 'spend_usd', 'unpriced_calls'])
    await db.schema.alterTable('conversation_worker_totals').dropColumn(column).execute()
  await db.schema.alterTable('conversation_work').dropColumn('reserved_usd').execute()
}

const PURPOSES: { readonly [worker: string]: string } = { chat: 'chat', embedding: 'embedding' }

/** In which month it was spent, and with which model, nobody has written down. */
// biome-ignore lint/suspicious/noExplicitAny: see above
async function keepTotals(db: Kysely<any>): Promise<void> {
  const totals = await db.selectFrom('conversation_worker_totals').selectAll().execute()
  for (const { person, worker, input_tokens, output_tokens, spend_usd, unpriced_calls } of totals) {
    const [usd, unpriced] = [Number(spend_usd), Number(unpriced_calls)]
    if (usd === 0 && unpriced === 0) continue
    const sums = {
      input_tokens: Number(input_tokens),
      output_tokens: Number(output_tokens),
      usd,
      unpriced_calls: unpriced,
    }
    await db
      .insertInto('spend')
      .values({
        person,
        month: 'earlier',
        purpose: PURPOSES[worker] ?? 'summaries',
        model: `not noted (${worker})`,
        calls: unpriced,
        ...sums,
        estimated_usd: 0,
      })
      .execute()
  }
}

const required = (column: ColumnDefinitionBuilder) => column.notNull()
