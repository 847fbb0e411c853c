import { throwIfAborted } from '../../errors.ts'
import type { Person } from '../../identity/person.ts'
import type {
  ConversationAccount,
  ExchangeAccount,
  Summariser,
  Summary,
} from '../../language-model/summariser.ts'
import { nextRevisions } from '../../storage/revisions.ts'
import type { Storage, StorageTransaction } from '../../storage/storage.ts'
import { redact } from '../../text/redact.ts'
import { sanitise } from '../../text/sanitise.ts'
import { tagsWith, writeAutomaticTags } from '../automatic-tags.ts'
import type { ItemKind } from '../documents.ts'
import type { History } from '../history.ts'
import type { Exchange, Message } from '../record.ts'
import type { ConversationSettings } from '../settings.ts'
import { outgrownAt } from '../summary-age.ts'
import { Tagger } from '../topics/tagging.ts'
import type { Claims } from './claims.ts'
import { type Due, dueConversations, dueExchanges } from './due.ts'
import type { Spend } from './spend.ts'
import type { Became, Round, RoundResult } from './worker.ts'

export interface SummaryOptions {
  storage: Storage
  person: Person
  history: History
  summariser: Summariser
  claims: Claims
  spend: Spend
  settings: () => Promise<ConversationSettings>
  clock: () => Date
  /** Something new to embed. */
  onSummary: () => void
  tagger?: Tagger
}

interface Item {
  id: string
  /** Of the version that was read: a summary of an older one is thrown away. */
  revision: number
  account: ExchangeAccount | ConversationAccount
  /** Exchanges the account covers. */
  covers: number
}

/** Summaries that cost nothing are made by the hundred, those of a model as many at a time as it gives at once. */
const MOST_AT_ONCE = 200
/** So many failures in a row are no chance. */
const IN_VAIN = 4
const CONVERSATION_START = 10
const CONVERSATION_END = 30

/** One round of the conversation or the exchange summariser. */
export async function summaryRound(
  kind: ItemKind,
  given: SummaryOptions,
  round: Round,
): Promise<RoundResult> {
  const { claims, spend, summariser, storage, person } = given
  const options = { ...given, tagger: new Tagger(storage, person) }
  await claims.releaseAbandoned(kind)
  await spend.settleAbandoned()
  const settings = await options.settings()
  const due = await dueSummaries(kind, options)
  round.progress({ total: await due.count(), done: 0 })
  const free = summariser.id === 'extractive'
  const all = { done: [] as string[], failed: [] as string[] }
  let inVain = 0
  while (!round.signal.aborted) {
    const now = await dueSummaries(kind, options)
    const ids = await claims.take(kind, await now.ids(Math.min(MOST_AT_ONCE, summariser.atOnce)))
    if (ids.length === 0) break
    const { done, failed } = await claims.holding(kind, ids, async () => {
      const items = await load(kind, ids, options)
      await letGo(kind, ids, items, options)
      return free
        ? inOne(kind, items, options, round)
        : severalAtOnce(kind, items, options, round, settings.embeddingMaxRetries)
    })
    all.done.push(...done)
    all.failed.push(...failed)
    round.progress({ done: all.done.length + all.failed.length })
    // When nothing works any more the service is in trouble, not the items.
    inVain = failed.length === ids.length ? inVain + failed.length : 0
    if (inVain >= IN_VAIN) return { ...all, troubled: true, nextDue: await claims.nextDue(kind) }
  }
  return { ...all, nextDue: await claims.nextDue(kind) }
}

export async function dueSummaries(
  kind: ItemKind,
  { storage, person, settings, clock }: Pick<SummaryOptions, 'storage' | 'person' | 'settings' | 'clock'>,
): Promise<Due> {
  const due = kind === 'exchange' ? dueExchanges : dueConversations
  return due(storage, person, await settings(), clock().getTime())
}

/** Deleted since it fell due: nobody's work any more. */
async function letGo(
  kind: ItemKind,
  ids: readonly string[],
  items: readonly Item[],
  { storage, claims }: SummaryOptions,
): Promise<void> {
  const gone = ids.filter((id) => !items.some((item) => item.id === id))
  if (gone.length > 0) await storage.transaction((db) => claims.done(db, kind, gone))
}

/** Nothing can be lost by waiting for all of them: they are quick, and made again for nothing. */
async function inOne(
  kind: ItemKind,
  items: readonly Item[],
  options: SummaryOptions,
  round: Round,
): Promise<Became> {
  const done: { item: Item; summary: Summary }[] = []
  for (const item of items) {
    if (round.signal.aborted) break
    done.push({ item, summary: await summarise(item, options.summariser, round.signal) })
  }
  await store(kind, done, options)
  await options.claims.release(
    kind,
    items.slice(done.length).map(({ id }) => id),
  )
  return { done: done.map(({ item }) => item.id), failed: [] }
}

/** Each is stored as soon as it is there: it was paid for. */
async function severalAtOnce(
  kind: ItemKind,
  items: readonly Item[],
  options: SummaryOptions,
  round: Round,
  maxRetries: number,
): Promise<Became> {
  const { claims, spend, summariser, storage } = options
  const became = { done: [] as string[], failed: [] as string[] }
  const work = async (item: Item): Promise<void> => {
    round.progress({ currentItem: item.id })
    try {
      throwIfAborted(round.signal)
      await spend.reserve(kind, item.id, claims.owner, summariser.worstCost(item.account))
    } catch (error) {
      await claims.release(kind, [item.id])
      throw error
    }
    try {
      const summary = await summarise(item, summariser, round.signal)
      await store(kind, [{ item, summary }], options)
      became.done.push(item.id)
    } catch (error) {
      if (round.signal.aborted) return claims.release(kind, [item.id])
      became.failed.push(item.id)
      const givenUp = await claims.fail(kind, [item.id], error, maxRetries)
      if (givenUp > 0) await storage.transaction((db) => spend.count(db, kind, { failed: givenUp }))
    }
  }
  const results = await Promise.allSettled(items.map(work))
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return became
}

function summarise({ account }: Item, summariser: Summariser, signal: AbortSignal): Promise<Summary> {
  return 'exchanges' in account
    ? summariser.conversation(account, signal)
    : summariser.exchange(account, signal)
}

async function store(
  kind: ItemKind,
  done: readonly { item: Item; summary: Summary }[],
  { storage, claims, spend, summariser, onSummary, tagger }: SummaryOptions,
): Promise<void> {
  if (done.length === 0) return
  const tags = kind === 'conversation' ? await tagsWith(done, tagger) : undefined
  await storage.transaction(async (db) => {
    const held = await claims.done(
      db,
      kind,
      done.map(({ item }) => item.id),
    )
    const last = await nextRevisions(db, done.length)
    for (const [at, { item, summary }] of done.entries()) {
      // Paid is paid, whoever's result is kept.
      await spend.count(db, kind, { completed: held.has(item.id) ? 1 : 0, usage: summary.usage })
      if (!held.has(item.id)) continue
      await write(db, kind, item, sanitise(redact(summary.text)), summariser.id, last - done.length + at + 1)
      if (tags) await writeAutomaticTags(db, item.id, tags[at]!)
    }
  })
  onSummary()
}

async function write(
  db: StorageTransaction,
  kind: ItemKind,
  item: Item,
  summary: string,
  model: string,
  revision: number,
): Promise<void> {
  if (kind === 'exchange') {
    const changed = await db
      .updateTable('exchanges')
      .set({ summarised: 1, summary_due: 0, revision })
      .where('id', '=', item.id)
      .where('revision', '=', item.revision)
      .returning('id')
      .execute()
    // It has been written anew meanwhile: this summary is of words that are gone.
    if (changed.length === 0) return
    const row = { exchange_id: item.id, summary, model }
    await db
      .insertInto('exchange_summaries')
      .values(row)
      .onConflict((conflict) => conflict.column('exchange_id').doUpdateSet(row))
      .execute()
    return
  }
  await db
    .updateTable('conversations')
    .set({ summary, summary_model: model, revision, summarised_exchanges: item.covers })
    .where('id', '=', item.id)
    .execute()
  // Exchanges may have come in since: when they are many, it stays due.
  await db
    .updateTable('conversations')
    .set({ summary_due: 0 })
    .where('id', '=', item.id)
    .where('exchange_count', '<', outgrownAt(item.covers))
    .execute()
}

async function load(
  kind: ItemKind,
  ids: readonly string[],
  { storage, history }: SummaryOptions,
): Promise<Item[]> {
  if (kind === 'exchange') {
    const rows = await storage.db
      .selectFrom('exchanges')
      .selectAll()
      .where('id', 'in', [...ids])
      .execute()
    const steps = await history.steps(ids)
    return rows.map((row) => ({
      id: row.id,
      revision: Number(row.revision),
      covers: 1,
      account: {
        asked: row.user_message,
        answered: row.assistant_message,
        actions: actionsOf(steps.get(row.id) ?? []),
        finished: row.status === 'completed',
      },
    }))
  }
  const rows = await storage.db
    .selectFrom('conversations')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute()
  const items: Item[] = []
  for (const row of rows) {
    const exchanges = await endsOf(history, row.id, row.exchange_count)
    items.push({
      id: row.id,
      revision: Number(row.revision),
      covers: row.exchange_count,
      account: { title: row.title ?? undefined, exchanges: exchanges.map(toAccount) },
    })
  }
  return items
}

/** How it began and how it ended; of an endless conversation the middle is left out. */
async function endsOf(history: History, id: string, count: number): Promise<Exchange[]> {
  const first = await history.exchangesOf(id, { limit: CONVERSATION_START })
  const from = Math.max(CONVERSATION_START, count - CONVERSATION_END)
  return [...first, ...(await history.exchangesOf(id, { from, limit: CONVERSATION_END }))]
}

function toAccount({ userMessage, assistantMessage, status }: Exchange): ExchangeAccount {
  return { asked: userMessage, answered: assistantMessage, actions: [], finished: status === 'completed' }
}

/** "Edit src/server.ts", "Bash npm test (failed)". */
function actionsOf(steps: readonly Message[]): string[] {
  const actions: string[] = []
  for (const { role, content, toolName } of steps) {
    if (role === 'tool_call')
      actions.push(`${toolName ?? 'tool'} ${content.split('\n', 1)[0]!.slice(0, 120)}`.trim())
    else if (role === 'tool_result' && content.startsWith('(failed)') && actions.length > 0) {
      actions[actions.length - 1] += ' (failed)'
    }
  }
  return actions
}
