import { existsSync, readdirSync, statSync } from 'node:fs'
import { type CurrentFeature, currentFeature } from '../board/current-feature.ts'
import { type Config, hookDeadlineMs } from '../config.ts'
import { unescapeFeature } from '../files/feature-name.ts'
import type { ReceiptItem } from '../receipts/receipt.ts'
import { startBackground } from './background-start.ts'
import {
  claimRefresh,
  type FeatureFacts,
  fingerprintOf,
  journalPath,
  readFacts,
  sessionsDir,
} from './feature-facts.ts'
import type { HookInput } from './input.ts'
import { SessionNotes } from './session-notes.ts'

/** Something a hook wants the model to know. */
export interface Injection {
  /** Said once per session. */
  key: string
  /** What else the text tells, not to be told again. */
  alsoShown?: string[]
  text: string
  items: ReceiptItem[]
}

/** What is left of the time must do for saying it. */
const TO_ANSWER_MS = 40
/** A journal beyond this takes longer to read than a hook has time. */
const READABLE_AT_ONCE = 3_000_000

/** What the hooks of one session share. Nothing is read before it is asked for. */
export class HookContext {
  readonly config: Config
  readonly input: HookInput
  readonly notes: SessionNotes
  #feature: CurrentFeature | undefined
  #workingOut = false

  constructor(config: Config, input: HookInput) {
    this.config = config
    this.input = input
    this.notes = new SessionNotes(sessionsDir(config), input.sessionId)
  }

  /** False in projects without memory: hooks installed for a user run everywhere, and leave no trace there. */
  get remembers(): boolean {
    return existsSync(this.config.paths.database)
  }

  /** The loop tells its agent what it needs in the prompt and records the run itself. */
  get inLoop(): boolean {
    return this.config.session.inLoop
  }

  get feature(): CurrentFeature {
    this.#feature ??= currentFeature({
      project: this.config.project,
      features: this.#features(),
      session: this.config.session.feature,
      touched: this.notes.touched(),
      filesOf: (feature) => readFacts(this.config, feature)?.files ?? [],
    })
    return this.#feature
  }

  /** What is known of the feature. Stale facts are made new: at once if `now`, else for the next time. */
  async facts(when: 'now' | 'soon'): Promise<FeatureFacts | undefined> {
    const { name } = this.feature
    const size = statSync(journalPath(this.config, name), { throwIfNoEntry: false })?.size
    const known = readFacts(this.config, name)
    if (known?.fingerprint === fingerprintOf(this.config, name)) return known
    if (size === undefined && !known && this.feature.by === 'default') return undefined
    if ((when === 'soon' && known) || (size ?? 0) > READABLE_AT_ONCE) {
      this.refreshLater()
      return known
    }
    this.#workingOut = true
    const remaining = Math.max(1, hookDeadlineMs() - performance.now() - TO_ANSWER_MS)
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, remaining, undefined).unref())
    const fresh = await Promise.race([this.#workOut(), late])
    this.#workingOut = false
    if (!fresh) this.refreshLater()
    return fresh ?? known
  }

  /** For the watchdog: goes on in the background with what was not finished. */
  giveUp(): void {
    if (this.#workingOut) this.refreshLater()
  }

  /** What cannot be done in time is done in the background, by one process at a time however many hooks ask. */
  refreshLater(): void {
    if (claimRefresh(this.config, this.feature.name))
      startBackground(this.config, ['facts', this.feature.name])
  }

  async #workOut(): Promise<FeatureFacts | undefined> {
    const { openAndWorkOutFacts } = await import('./work-out-facts.ts')
    return openAndWorkOutFacts(this.config, this.feature.name)
  }

  /** Features with a journal: enough here, since hooks have nothing to say about others. */
  #features(): string[] {
    try {
      return readdirSync(this.config.paths.memory)
        .filter((name) => name.endsWith('.jsonl'))
        .flatMap((name) => unescapeFeature(name.slice(0, -'.jsonl'.length)) ?? [])
    } catch {
      return [] // nothing recorded yet
    }
  }
}
