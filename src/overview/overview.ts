import { isRalphError, type RalphError } from '../errors.ts'
import type { DayOfWork, Draws } from '../feature-memory/feature-memory.ts'
import { OUTCOMES, type Outcome } from '../feature-memory/record.ts'
import type { Person } from '../identity/person.ts'
import { receiptsFolder } from '../receipts/read.ts'
import { ReceiptCounts, type ReceiptTotals } from '../receipts/totals.ts'
import type { StorageSource } from '../storage/storage.ts'
import { countStored, type StoredCounts } from '../storage/stored-counts.ts'
import { type BoardGlance, boardGlance } from './board-glance.ts'
import { type FeatureGlance, FeatureGlances, rateOf } from './feature-glance.ts'
import { type WaitingParts, type WaitingReport, whatWaits } from './waiting.ts'

export type { WaitingKind } from './waiting.ts'

/** Of the comparison of runs with memory and without. */
export interface HoldoutStanding extends Draws {
  /** 0 where it is off now. */
  share: number
  seed: string
}

/** What was done here, in a few numbers. */
export interface WorkReport {
  iterations: number
  outcomes: Record<Outcome, number>
  successRate?: number
  costUsd: number
  tokens: number
  tasks: { done: number; open: number }
  /** The most recently active first. */
  features: FeatureGlance[]
  /** The days on which something was done, the oldest first. */
  days: DayOfWork[]
  /** The share of iterations on tasks that goes without memory, where one does or did, and what was drawn so far. */
  holdout?: HoldoutStanding
  /** Why the board is left out. */
  boardTrouble?: string
}

interface OverviewParts extends WaitingParts {
  storage: StorageSource
  person: () => Promise<Person>
}

/** What a person wants to know first. */
export class Overview {
  readonly #parts: OverviewParts
  readonly #receipts: ReceiptCounts
  readonly #features: FeatureGlances

  /** @internal */
  constructor(parts: OverviewParts) {
    this.#parts = parts
    this.#features = new FeatureGlances(parts)
    this.#receipts = new ReceiptCounts(receiptsFolder(parts.config.paths))
  }

  /** Over all features: what was drawn so far, and what is drawn by. Absent where nothing is and nothing was. */
  async holdout(): Promise<HoldoutStanding | undefined> {
    const { features } = await this.#features.look()
    return this.#holdoutOf(features)
  }

  #holdoutOf(features: readonly FeatureGlance[]): HoldoutStanding | undefined {
    const { config, identity } = this.#parts
    const { holdout: share, holdoutSeed } = config.settings.loop
    const sum = (count: (feature: FeatureGlance) => number) =>
      features.reduce((total, feature) => total + count(feature), 0)
    const drawn = sum(({ totals }) => totals.draws.drawn)
    if (share === 0 && drawn === 0) return undefined
    const seed = holdoutSeed ?? identity.look().key
    return { share, seed, drawn, without: sum(({ totals }) => totals.draws.without) }
  }

  /** What waits for a person. */
  waiting(): Promise<WaitingReport> {
    return whatWaits(this.#parts)
  }

  /** What the board comes to, and what waits beside it. */
  async board(): Promise<BoardGlance> {
    const { board, identity, featureMemory } = this.#parts
    const waiting = () => whatWaits(this.#parts, { withGates: false })
    return boardGlance({ board, identity, recorded: await featureMemory.features(), waiting })
  }

  /** How much there is of what is stored. `project`: what it is filed under. Without a person, nothing of conversations. */
  async stored(project: string): Promise<StoredCounts & { trouble?: RalphError }> {
    const { storage, person } = this.#parts
    const who = await person().catch((error: unknown) => {
      if (isRalphError(error) && error.code === 'conflict') return error
      throw error
    })
    if (!isRalphError(who)) return countStored(await storage(), { project, person: who.id })
    const counts = await countStored(await storage(), { project })
    return { ...counts, conversations: 0, exchanges: 0, trouble: who }
  }

  /** What was done. With patience, what is known by then, while large journals are still being read for the first time. */
  async work({ patienceMs }: { patienceMs?: number } = {}): Promise<WorkReport> {
    const { features, days, boardTrouble } = await this.#features.look(patienceMs)
    const sum = (count: (feature: FeatureGlance) => number) =>
      features.reduce((total, feature) => total + count(feature), 0)
    const outcomes = Object.fromEntries(
      OUTCOMES.map((outcome) => [outcome, sum(({ totals }) => totals.outcomes[outcome])]),
    ) as Record<Outcome, number>
    const successRate = rateOf({ outcomes })
    const holdout = this.#holdoutOf(features)
    return {
      iterations: sum(({ totals }) => totals.iterations),
      outcomes,
      ...(successRate !== undefined && { successRate }),
      costUsd: sum(({ totals }) => totals.costUsd),
      tokens: sum(({ totals }) => totals.tokens),
      tasks: { done: sum(({ tasks }) => tasks.done), open: sum(({ tasks }) => tasks.open) },
      features,
      days,
      ...(holdout && { holdout }),
      ...(boardTrouble !== undefined && { boardTrouble }),
    }
  }

  /** What memory told, how much of it was used, and how the runs ended that were told it. */
  told(): Promise<ReceiptTotals> {
    return this.#receipts.read()
  }
}
