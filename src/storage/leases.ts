import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import { isRunning } from '../files/running.ts'
import type { Storage } from './storage.ts'
import type { EpochMs, Tables } from './tables.ts'

/** Tables whose rows are worked on by one process at a time. */
export const LEASED_TABLES = ['knowledge_staging', 'conversation_work'] as const
export type LeasedTable = (typeof LEASED_TABLES)[number]

/** Longer than a heartbeat may be late; what a crashed process held is free after this at the latest. */
const LEASE_MS = 60_000
const RENEW_MS = 15_000
/** Clocks of different machines differ a little; a lease that ends later than this was taken by a wrong one. */
const FURTHEST_MS = 2 * LEASE_MS

/** The columns of a row that nobody holds. */
export const FREE = { lease_owner: null, lease_until: 0 } as const

export function isHeld(table: LeasedTable, now: EpochMs): Expression<SqlBool> {
  const until = sql.ref<EpochMs>(`${table}.lease_until`)
  const is = expressionBuilder<Tables>()
  return is.and([is(until, '>', now), is(until, '<=', now + FURTHEST_MS)])
}

function isFree(table: LeasedTable, now: EpochMs): Expression<SqlBool> {
  return expressionBuilder<Tables>().not(isHeld(table, now))
}

/**
 * Leases on rows: two processes never work on the same one, and a crash frees what it held. Whoever stores a result
 * asks again in the same transaction whether the row is still its own.
 */
export class Leases {
  /** Says on which machine and in which process, so that others there see whether it still lives. */
  readonly owner = `${hostname()}/${process.pid}/${randomBytes(4).toString('hex')}`
  readonly #storage: Storage
  readonly #table: LeasedTable
  readonly #clock: () => EpochMs

  constructor(storage: Storage, table: LeasedTable, clock: () => EpochMs) {
    this.#storage = storage
    this.#table = table
    this.#clock = clock
  }

  /** The columns of a row that this owner takes, or keeps. */
  taken(): { lease_owner: string; lease_until: EpochMs } {
    return { lease_owner: this.owner, lease_until: this.#clock() + LEASE_MS }
  }

  isFree(): Expression<SqlBool> {
    return isFree(this.#table, this.#clock())
  }

  isMine(): Expression<SqlBool> {
    const is = expressionBuilder<Tables>()
    return is(sql.ref<string>(`${this.#table}.lease_owner`), '=', this.owner)
  }

  /** Keeps the leases while `work` runs, however long it takes; `which` narrows them down. */
  async holding<Result>(work: () => Promise<Result>, which?: Expression<SqlBool>): Promise<Result> {
    const renew = setInterval(() => {
      // A renewal that fails only shortens the lease; the work itself reports what is wrong with the storage.
      this.renew(which).catch(() => undefined)
    }, RENEW_MS)
    try {
      return await work()
    } finally {
      clearInterval(renew)
    }
  }

  async renew(which?: Expression<SqlBool>): Promise<void> {
    await this.#set(this.taken(), which)
  }

  /** Gives back what this owner holds; `which` narrows it down. */
  async release(which?: Expression<SqlBool>): Promise<void> {
    await this.#set(FREE, which)
  }

  /** Whoever is dead on this machine does not need its leases any more. */
  async releaseDead(): Promise<void> {
    for (const owner of await this.#deadOwners())
      await this.#storage.db.updateTable(this.#table).set(FREE).where('lease_owner', '=', owner).execute()
  }

  /** How many rows are held by those. */
  async countDead(): Promise<number> {
    const owners = await this.#deadOwners()
    if (owners.length === 0) return 0
    const { rows } = await this.#storage.db
      .selectFrom(this.#table)
      .select(({ fn }) => fn.countAll().as('rows'))
      .where('lease_owner', 'in', owners)
      .executeTakeFirstOrThrow()
    return Number(rows)
  }

  async #deadOwners(): Promise<string[]> {
    const rows = await this.#storage.db
      .selectFrom(this.#table)
      .select('lease_owner')
      .distinct()
      .where('lease_owner', 'is not', null)
      .execute()
    return rows.flatMap(({ lease_owner: owner }) => (owner === null || isOwnerAlive(owner) ? [] : [owner]))
  }

  #set(columns: typeof FREE | ReturnType<Leases['taken']>, which?: Expression<SqlBool>): Promise<unknown> {
    const mine = this.#storage.db.updateTable(this.#table).set(columns).where(this.isMine())
    return (which ? mine.where(which) : mine).execute()
  }
}

/** Of another machine nothing is known: its leases run out by themselves. */
export function isOwnerAlive(owner: string): boolean {
  const [host, pid] = owner.split('/')
  return host !== hostname() || !Number(pid) || isRunning(Number(pid))
}
