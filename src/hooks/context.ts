import { existsSync, lstatSync } from 'node:fs'
import { boardVersion } from '../board/board-version.ts'
import { type CurrentFeature, currentFeature } from '../board/current-feature.ts'
import type { Config } from '../config.ts'
import { withinTime } from '../deferred.ts'
import { isPlainlyHeldBack } from '../held-back.ts'
import type { ReceiptItem } from '../receipts/receipt.ts'
import { startBackground } from './background-start.ts'
import {
  type FeatureFacts,
  factsPath,
  journalFingerprint,
  readFacts,
  writeFacts,
} from './facts/feature-facts.ts'
import {
  type ProjectFacts,
  readProjectFacts,
  recordedFeatures,
  writeProjectFacts,
} from './facts/project-facts.ts'
import type { HookInput } from './input.ts'
import { keepWarm } from './keep-warm.ts'
import { claim, journalPath, sessionsDir } from './places.ts'
import { SessionNotes } from './session-notes.ts'

/** Something a hook wants the model to know. */
export interface Injection {
  /** Said once per session. */
  key: string
  /** What else the text tells, not to be told again. */
  tells?: readonly string[]
  text: string
  items: ReceiptItem[]
  /** Holds the tool call back and gives the text as the reason; it reaches the model before anything is done. */
  stops?: boolean
}

/** Who waits for an answer. */
export interface HookCaller {
  /** The process that started the hook. */
  parent: number
  /** Milliseconds until it no longer waits. */
  remainingMs(): number
}

/** What is left of the time must do for saying it. */
const TO_ANSWER_MS = 40
/** More of a journal takes longer to read than a hook has time: then its end must do. */
const READABLE_AT_ONCE = 600_000
const REFRESH_MS = 15_000

/** What the hooks of one session share. Nothing is read before it is asked for. */
export class HookContext {
  readonly config: Config
  readonly input: HookInput
  readonly notes: SessionNotes
  readonly caller: HookCaller
  #feature: CurrentFeature | undefined
  #waitingFor: string | undefined
  #withheld: boolean | undefined

  constructor(config: Config, input: HookInput, caller: HookCaller) {
    this.config = config
    this.input = input
    this.caller = caller
    this.notes = new SessionNotes(sessionsDir(config), input.sessionId, input.subAgent)
  }

  /** False in projects without memory: hooks installed for a user run everywhere, and leave no trace there. */
  get remembers(): boolean {
    return existsSync(this.config.paths.database)
  }

  /** The loop tells its agent what it needs in the prompt and records the run itself. */
  get inLoop(): boolean {
    return this.config.session.inLoop
  }

  /** A run of the loop that goes without memory: nothing is said to it, and nothing held back. */
  get memoryWithheld(): boolean {
    this.#withheld ??= isPlainlyHeldBack(this.config, this.caller)
    return this.#withheld
  }

  async feature(): Promise<CurrentFeature> {
    if (this.#feature) return this.#feature
    const project = readProjectFacts(this.config)
    let asked = false
    const found = this.#featureBy(project, () => {
      asked = true
      return project?.inProgress ?? []
    })
    this.#feature = found
    if (!asked || project || !this.remembers) return found
    const read = await this.#inTime(async () => (await fromBoard()).projectFactsFromBoard(this.config))
    if (!read) return found
    writeProjectFacts(this.config, read)
    this.#feature = this.#featureBy(read, () => read.inProgress)
    return this.#feature
  }

  #featureBy(project: ProjectFacts | undefined, inProgress: () => readonly string[]): CurrentFeature {
    return currentFeature({
      project: this.config.project,
      features: [...new Set([...recordedFeatures(this.config), ...(project?.features ?? [])])],
      session: this.config.session.feature,
      inProgress,
      touched: this.notes.touched(),
      filesOf: (feature) => readFacts(this.config, feature)?.files ?? [],
    })
  }

  /** What the journal tells of the feature. Where there is too much of it to read now: what is known, or its end. */
  async facts(): Promise<FeatureFacts | undefined> {
    const { name } = await this.feature()
    const known = readFacts(this.config, name)
    if (known?.journal === journalFingerprint(this.config, name)) return known
    const size = lstatSync(journalPath(this.config, name), { throwIfNoEntry: false })?.size ?? 0
    const { journalFacts, refreshFromJournal } = await import('./facts/work-out.ts')
    // Without it there is nothing to say, so it gets all the time there is.
    this.#waitingFor = name
    if (size > READABLE_AT_ONCE) this.#refreshLater(name)
    const read = () =>
      size > READABLE_AT_ONCE
        ? journalFacts(this.config, name, READABLE_AT_ONCE)
        : refreshFromJournal(this.config, name)
    const facts = known && size > READABLE_AT_ONCE ? known : await read()
    this.#waitingFor = undefined
    return facts
  }

  /** The same with what the board adds, as far as there is time to read that too. */
  async factsWithBoard(): Promise<FeatureFacts | undefined> {
    const facts = await this.facts()
    if (!facts || facts.board?.version === boardVersion(this.config.paths.database)) return facts
    const board = await this.#inTime(async () =>
      (await fromBoard()).factsFromBoard(this.config, facts.feature, facts.latest),
    )
    if (!board) return facts
    const whole = { ...facts, board }
    if (readFacts(this.config, facts.feature)?.journal === facts.journal) writeFacts(this.config, whole)
    return whole
  }

  /** For the watchdog: goes on in the background with what was not finished. */
  giveUp(): void {
    if (this.#waitingFor !== undefined) this.#refreshLater(this.#waitingFor)
  }

  /** For whoever had to load everything himself: the next one need not. */
  keepWarm(): void {
    keepWarm(this)
  }

  /** Undefined when it is not done by the time an answer must be given; it is then done in the background. */
  async #inTime<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    const feature = this.#feature!.name
    const remaining = Math.max(1, this.caller.remainingMs() - TO_ANSWER_MS)
    this.#waitingFor = feature
    const done = await withinTime(work(), remaining)
    this.#waitingFor = undefined
    if (done === undefined) this.#refreshLater(feature)
    return done
  }

  /** By one process at a time, however many hooks ask. */
  #refreshLater(feature: string): void {
    if (claim(factsPath(this.config, feature), REFRESH_MS)) startBackground(this.config, ['facts', feature])
  }
}

/** Reading YAML takes code that most hooks never need. */
function fromBoard() {
  return import('./facts/from-board.ts')
}
