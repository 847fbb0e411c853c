import { isRalphError, RalphError, throwIfAborted } from '../../errors.ts'
import type { Person } from '../../identity/person.ts'
import { EXTRACTIVE, type Summariser, type Summary } from '../../language-model/summariser.ts'
import { nextRevisions } from '../../storage/revisions.ts'
import type { Storage, StorageTransaction } from '../../storage/storage.ts'
import { redact } from '../../text/redact.ts'
import { sanitise } from '../../text/sanitise.ts'
import { tagsWith, writeAutomaticTags } from '../automatic-tags.ts'
import type { ItemKind } from '../documents.ts'
import type { History } from '../history.ts'
import type { ConversationSettings } from '../settings.ts'
import { outgrownAt } from '../summary-age.ts'
import { Tagger } from '../topics/tagging.ts'
import type { Claims } from './claims.ts'
import { type Due, dueConversations, dueExchanges } from './due.ts'
import { loadItems, type SummaryItem } from './summary-items.ts'
import type { Became, Round, RoundResult } from './worker.ts'
import type { WorkerTotals } from './worker-totals.ts'

export interface SummaryOptions {
  storage: Storage
  person: Person
  history: History
  summariser: Summariser
  claims: Claims
  totals: WorkerTotals
  settings: () => Promise<ConversationSettings>
  clock: () => Date
  /** Something new to embed. */
  onSummary: () => void
  tagger?: Tagger
  /** The model has written none, and sentences of the text stand in its place. */
  onNone: (why: string) => void
}

/** Summaries that cost nothing are made by the hundred, those of a model as many at a time as it gives at once. */
const MOST_AT_ONCE = 200
/** So many failures in a row are no chance. */
const IN_VAIN = 4
/** What may have been paid for is tried twice more. */
const PAID_RETRIES = 2

/** What became of some, and what last went wrong with those that cost money or failed. */
interface Wave extends Became {
  /** The last reason, where all of them were in vain: they failed, or the model gave no summary. */
  inVain?: RalphError
  /** The limit is reached, or the account is empty: whatever comes next would be refused, too. */
  stopped?: RalphError
}

/** One round of the conversation or the exchange summariser. */
export async function summaryRound(
  kind: ItemKind,
  given: SummaryOptions,
  round: Round,
): Promise<RoundResult> {
  const { claims, summariser, storage, person } = given
  const options = { ...given, tagger: new Tagger(storage, person) }
  await claims.releaseAbandoned(kind)
  const settings = await options.settings()
  const due = await dueSummaries(kind, options)
  round.progress({ total: await due.count(), done: 0 })
  const free = summariser.id === EXTRACTIVE
  const all = { done: [] as string[], failed: [] as string[] }
  let inVain = round.afterTrouble ? IN_VAIN - 1 : 0
  let costly = false
  let last: RalphError | undefined
  while (!round.signal.aborted) {
    const now = await dueSummaries(kind, options)
    const most = inVain > 0 ? 1 : Math.min(MOST_AT_ONCE, summariser.atOnce)
    const ids = await claims.take(kind, await now.ids(most))
    if (ids.length === 0) break
    const wave = await claims.holding(kind, ids, async () => {
      const items = await loadItems(kind, ids, options)
      await letGo(kind, ids, items, options)
      return free
        ? inOne(kind, items, options, round)
        : severalAtOnce(kind, items, options, round, settings.embeddingMaxRetries)
    })
    all.done.push(...wave.done)
    all.failed.push(...wave.failed)
    round.progress({ done: all.done.length + all.failed.length })
    if (wave.stopped) return { ...all, troubled: true, trouble: wave.stopped }
    // When nothing works any more the service is in trouble, not the items.
    last = wave.inVain
    inVain = last ? inVain + ids.length : 0
    costly = last !== undefined && (costly || last.charged)
    if (inVain >= IN_VAIN) break
  }
  const trouble = inVain >= IN_VAIN || all.done.length === 0 ? last : undefined
  const nextDue = await claims.nextDue(kind)
  return { ...all, ...(trouble && { troubled: true, costly, trouble }), nextDue }
}

export async function dueSummaries(
  kind: ItemKind,
  { storage, person, settings, clock }: Pick<SummaryOptions, 'storage' | 'person' | 'settings' | 'clock'>,
): Promise<Due> {
  const due = kind === 'exchange' ? dueExchanges : dueConversations
  return due(storage, person, await settings(), clock().getTime())
}

/** Deleted or done since it fell due: nobody's work any more. */
async function letGo(
  kind: ItemKind,
  ids: readonly string[],
  items: readonly SummaryItem[],
  { storage, claims }: SummaryOptions,
): Promise<void> {
  const gone = ids.filter((id) => !items.some((item) => item.id === id))
  if (gone.length > 0) await storage.transaction((db) => claims.done(db, kind, gone))
}

/** Nothing can be lost by waiting for all of them: they are quick, and made again for nothing. */
async function inOne(
  kind: ItemKind,
  items: readonly SummaryItem[],
  options: SummaryOptions,
  round: Round,
): Promise<Wave> {
  const done: { item: SummaryItem; summary: Summary }[] = []
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
  items: readonly SummaryItem[],
  options: SummaryOptions,
  round: Round,
  maxRetries: number,
): Promise<Wave> {
  const { claims, totals, summariser, storage } = options
  const became = { done: [] as string[], failed: [] as string[] }
  const vain: RalphError[] = []
  let stopped: RalphError | undefined
  const work = async (item: SummaryItem): Promise<void> => {
    round.progress({ currentItem: item.id })
    try {
      throwIfAborted(round.signal)
      const summary = await summarise(item, summariser, round.signal)
      await store(kind, [{ item, summary }], options)
      became.done.push(item.id)
      if (summary.insteadOf === undefined) return
      options.onNone(summary.insteadOf)
      vain.push(noSummary(summariser, summary.insteadOf))
    } catch (error) {
      if (round.signal.aborted) return claims.release(kind, [item.id])
      if (isRalphError(error) && error.code === 'limit_reached') {
        stopped = error
        return claims.release(kind, [item.id])
      }
      became.failed.push(item.id)
      if (isRalphError(error)) vain.push(error)
      const givenUp = await claims.fail(kind, [item.id], error, retriesAfter(error, maxRetries))
      if (givenUp > 0) await storage.transaction((db) => totals.count(db, kind, { failed: givenUp }))
    }
  }
  const results = await Promise.allSettled(items.map(work))
  for (const result of results) if (result.status === 'rejected') throw result.reason
  const last = vain.length === items.length ? (vain.find(({ charged }) => charged) ?? vain[0]) : undefined
  return { ...became, ...(last && { inVain: last }), ...(stopped && { stopped }) }
}

/**
 * A service that is down, or does not know us, is no fault of the item: it waits until that is mended. What may have
 * been paid for is not paid for again and again.
 */
function retriesAfter(error: unknown, most: number): number {
  if (!isRalphError(error)) return most
  if (error.charged) return Math.min(most, PAID_RETRIES)
  return error.code === 'invalid_input' ? most : Number.POSITIVE_INFINITY
}

function noSummary({ id }: Summariser, why: string): RalphError {
  return new RalphError('unavailable', `${id} gives no summaries (${why}) and is asked again later`, {
    hint: 'Set language_model.reasoning_effort lower, or language_model.model to another one.',
    charged: true,
  })
}

function summarise({ account }: SummaryItem, summariser: Summariser, signal: AbortSignal): Promise<Summary> {
  return 'exchanges' in account
    ? summariser.conversation(account, signal)
    : summariser.exchange(account, signal)
}

async function store(
  kind: ItemKind,
  done: readonly { item: SummaryItem; summary: Summary }[],
  { storage, claims, totals, onSummary, tagger }: SummaryOptions,
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
      if (!held.has(item.id)) continue
      await write(db, kind, item, summary, last - done.length + at + 1)
      if (tags) await writeAutomaticTags(db, item.id, tags[at]!)
    }
    await totals.count(db, kind, { completed: held.size })
  })
  onSummary()
}

async function write(
  db: StorageTransaction,
  kind: ItemKind,
  item: SummaryItem,
  { text, by: model }: Summary,
  revision: number,
): Promise<void> {
  const summary = sanitise(redact(text))
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
