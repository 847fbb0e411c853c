import { RalphError } from '../../errors.ts'
import type { Person } from '../../identity/person.ts'
import type { Storage } from '../../storage/storage.ts'
import type { WorkRow } from '../../storage/tables.ts'

/** Something a worker could not do: it waits for its next try, or was given up. */
export interface FailedItem<Name extends string = string> {
  worker: Name
  itemId: string
  attempts: number
  problem: string
  givenUp: boolean
  nextTry: Date
}

export interface QueueCounts {
  /** Tried again by themselves. */
  retrying: number
  givenUp: number
  /** Given up, and taken off the list by a person. */
  cleared: number
  /** Of those that are tried again, the first. */
  nextTry?: Date
}

export interface QueuePage<Name extends string = string> {
  items: FailedItem<Name>[]
  /** Hand it in as `after` to go on. */
  next?: string
}

/** A list that nobody reads to its end in one go. */
const MOST_LISTED = 1_000

/** What a person's workers could not do, by the names under which they work. */
export class RetryQueue {
  readonly #storage: Storage
  readonly #person: Person

  constructor(storage: Storage, person: Person) {
    this.#storage = storage
    this.#person = person
  }

  async failures(worker: string): Promise<FailedItem[]> {
    const rows = await this.#listed([worker])
      .orderBy('given_up', 'desc')
      .orderBy('not_before')
      .limit(MOST_LISTED)
      .execute()
    return rows.map(toFailedItem)
  }

  /** Given up ones first, a page at a time. */
  async page(
    workers: readonly string[],
    { after, limit }: { after?: string | undefined; limit: number },
  ): Promise<QueuePage> {
    let query = this.#listed(workers)
    const from = placeOf(after)
    if (from) {
      query = query.where((row) =>
        row.or([
          row('given_up', '<', from.givenUp),
          row.and([
            row('given_up', '=', from.givenUp),
            row(row.refTuple('worker', 'item_id'), '>', row.tuple(from.worker, from.itemId)),
          ]),
        ]),
      )
    }
    const rows = await query
      .orderBy('given_up', 'desc')
      .orderBy('worker')
      .orderBy('item_id')
      .limit(limit + 1)
      .execute()
    const shown = rows.slice(0, limit)
    const last = shown.at(-1)
    return {
      items: shown.map(toFailedItem),
      ...(last &&
        rows.length > limit && { next: JSON.stringify([last.given_up, last.worker, last.item_id]) }),
    }
  }

  async counts(worker: string): Promise<QueueCounts> {
    const rows = await this.#storage.db
      .selectFrom('conversation_work')
      .where('person', '=', this.#person.id)
      .where('worker', '=', worker)
      .where('attempts', '>', 0)
      .select((row) => [
        'given_up',
        row.case().when('problem', 'is', null).then(1).else(0).end().as('cleared'),
        row.fn.countAll().as('items'),
        row.fn.min('not_before').as('next'),
      ])
      .groupBy(['given_up', 'cleared'])
      .execute()
    const counts: QueueCounts = { retrying: 0, givenUp: 0, cleared: 0 }
    for (const { given_up, cleared, items, next } of rows) {
      counts[given_up === 0 ? 'retrying' : cleared === 1 ? 'cleared' : 'givenUp'] += Number(items)
      if (given_up === 0) counts.nextTry = new Date(Number(next))
    }
    return counts
  }

  /** All items of a kind that have no vector for that reason, listed or not. */
  async countOf(worker: string, kind: string): Promise<number> {
    const { items } = await this.#storage.db
      .selectFrom('conversation_work')
      .where('person', '=', this.#person.id)
      .where('worker', '=', worker)
      .where('attempts', '>', 0)
      .where('item_id', 'like', `${kind}:%`)
      .select((row) => row.fn.countAll().as('items'))
      .executeTakeFirstOrThrow()
    return Number(items)
  }

  /** Brings everything back that was given up or is waiting, or one item of it. Returns how many. */
  async retry(worker: string, itemId?: string): Promise<number> {
    let query = this.#storage.db
      .updateTable('conversation_work')
      .set({ attempts: 0, given_up: 0, not_before: 0 })
      .where('person', '=', this.#person.id)
      .where('worker', '=', worker)
      .where('attempts', '>', 0)
    if (itemId !== undefined) query = query.where('item_id', '=', itemId)
    return (await query.returning('item_id').execute()).length
  }

  /** Takes what was given up off the list: nobody tries it until it is brought back. Returns how many. */
  async clear(worker: string): Promise<number> {
    const rows = await this.#storage.db
      .updateTable('conversation_work')
      .set({ problem: null })
      .where('person', '=', this.#person.id)
      .where('worker', '=', worker)
      .where('given_up', '=', 1)
      .where('problem', 'is not', null)
      .returning('item_id')
      .execute()
    return rows.length
  }

  #listed(workers: readonly string[]) {
    return this.#storage.db
      .selectFrom('conversation_work')
      .selectAll()
      .where('person', '=', this.#person.id)
      .where('worker', 'in', [...workers])
      .where('attempts', '>', 0)
      .where((row) => row.or([row('given_up', '=', 0), row('problem', 'is not', null)]))
  }
}

function placeOf(after: string | undefined) {
  if (after === undefined) return undefined
  try {
    const [givenUp, worker, itemId] = JSON.parse(after) as unknown[]
    if ((givenUp === 0 || givenUp === 1) && typeof worker === 'string' && typeof itemId === 'string') {
      return { givenUp, worker, itemId } as const
    }
  } catch {
    // Said below, like anything else that is no such place.
  }
  throw new RalphError('invalid_input', `${JSON.stringify(after)} is not where a page ended`)
}

function toFailedItem(row: WorkRow): FailedItem {
  return {
    worker: row.worker,
    itemId: row.item_id,
    attempts: row.attempts,
    problem: row.problem ?? 'unknown',
    givenUp: row.given_up === 1,
    nextTry: new Date(Number(row.not_before)),
  }
}
