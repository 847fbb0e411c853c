import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Board } from './board/board.ts'
import { boardVersion } from './board/board-version.ts'
import {
  type Config,
  type ConfigRequest,
  environmentIn,
  resolveConfig,
  type SettingsInput,
} from './config.ts'
import type { Configuration } from './configuration/configuration.ts'
import type { Conversations } from './conversation-memory/conversations.ts'
import { type Deferred, deferred, lazy, once } from './deferred.ts'
import type { Documents } from './documents/documents.ts'
import { Drivers, embedderPatienceMs } from './drivers.ts'
import type { Effect } from './effect/effect.ts'
import { type DescribedFeature, FeatureMemory } from './feature-memory/feature-memory.ts'
import { keepOutOfGit } from './files/keep-out-of-git.ts'
import { closeHome } from './files/private-folder.ts'
import { Seal } from './files/seal.ts'
import { sweepTemporaries } from './files/sweep-temporaries.ts'
import type { Health } from './health/health.ts'
import { ProjectIdentity } from './identity/identity.ts'
import type { People } from './identity/people.ts'
import { runPrices } from './language-model/prices.ts'
import type { Learnings } from './learnings/store.ts'
import type { AgentLoop } from './loop/agent-loop.ts'
import { type LongWork, type Notice, Notices, sayOnStandardError } from './notices.ts'
import type { Overview } from './overview/overview.ts'
import { deciderFor, isOfRun, requirePerson } from './person.ts'
import type { ProjectKnowledge } from './project-knowledge/project-knowledge.ts'
import { ReceiptLog } from './receipts/log.ts'
import type { MeaningParts, VectorLender } from './retrieval/parts.ts'
import type { StorageMarker } from './storage/marks.ts'
import type { DecisionWay } from './trust/decision.ts'
import { sayUntrusted } from './trust/untrusted.ts'

export interface OpenOptions extends ConfigRequest {
  /** How a person decides through what is opened here, and whose hand writes on the board. Default: the library. */
  via?: DecisionWay | undefined
  /** Hears, once each, what is degraded and how to mend it. Default: a line on stderr. */
  onNotice?: ((notice: Notice) => void) | undefined
  /** Hears how far long work has come that a call has to do first, such as building an index again. */
  onWork?: ((work: LongWork) => void) | undefined
}

/** Vectors that were made before, for the index of the project, for that of the user and for what is one person's own. */
export interface Lenders {
  project: VectorLender
  user: VectorLender
  personal: VectorLender
}

/** Everything a surface or a program needs. Parts are opened when they are first used. */
export interface Ralph {
  readonly config: Config
  readonly notices: Notices
  /** Which project this is, wherever it lies. */
  readonly identity: ProjectIdentity
  readonly featureMemory: FeatureMemory
  readonly learnings: Deferred<Learnings>
  readonly board: Deferred<Board>
  readonly loop: Deferred<AgentLoop>
  readonly knowledge: Deferred<ProjectKnowledge>
  readonly conversations: Deferred<Conversations>
  /** Who works with what is stored. */
  readonly people: Deferred<People>
  /** The person's own files and folders, found beside conversations. */
  readonly documents: Deferred<Documents>
  readonly receipts: ReceiptLog
  /** False before anything was ever stored of knowledge and conversations: nobody need open what is not there. */
  hasStored(): boolean
  /** Which part of what is shared through the database has changed. */
  readonly stored: Deferred<StorageMarker>
  /** Whether what memory stands on works, and what mends it. */
  readonly health: Deferred<Health>
  /** Every setting with where it comes from, and how to change one. */
  readonly configuration: Deferred<Configuration>
  /** What was done, what memory told, and what waits for a person. */
  readonly overview: Deferred<Overview>
  /** Whether memory makes a difference in this project. */
  readonly effect: Deferred<Effect>
  /** The service itself, for callers that hold on to it. */
  openKnowledge(): Promise<ProjectKnowledge>
  openConversations(): Promise<Conversations>
  close(): Promise<void>
}

/** Opens the memories of one project as its settings say. */
export async function openRalph(options: OpenOptions = {}): Promise<Ralph> {
  return (await assemble(options)).ralph
}

/** For whoever moves memory from one driver to another: also the drivers themselves. */
export async function assemble(
  options: OpenOptions,
  lenders?: Lenders,
): Promise<{ ralph: Ralph; drivers: Drivers }> {
  const config = await resolveConfig(options)
  const notices = new Notices(options.onNotice ?? sayOnStandardError, options.onWork)
  sayUntrusted(config.demands, notices)
  const env = environmentIn(config, options.env)
  closeHome(config.home)
  const via = options.via ?? 'library'
  const parts = new Parts({ config, given: options.settings, notices, env, lenders, via })
  const ralph: Ralph = {
    config,
    notices,
    identity: parts.identity,
    hasStored: () => parts.drivers.hasStored(),
    stored: deferred(parts.stored),
    health: deferred(parts.health),
    configuration: deferred(parts.configuration),
    overview: deferred(parts.overview),
    effect: deferred(parts.effect),
    knowledge: deferred(parts.knowledge),
    conversations: deferred(parts.conversations),
    people: deferred(parts.drivers.people),
    documents: deferred(parts.documents),
    loop: deferred(parts.loop),
    board: deferred(parts.board),
    openKnowledge: parts.knowledge,
    openConversations: parts.conversations,
    learnings: parts.learnings,
    get receipts() {
      return parts.receipts()
    },
    get featureMemory() {
      return parts.featureMemory()
    },
    close: () => parts.close(),
  }
  return { ralph, drivers: parts.drivers }
}

interface PartsOptions {
  config: Config
  given: SettingsInput | undefined
  notices: Notices
  env: NodeJS.ProcessEnv
  lenders: Lenders | undefined
  via: DecisionWay
}

/** Each part knows what it stands on. */
class Parts {
  readonly drivers: Drivers
  readonly notices: Notices
  readonly identity: ProjectIdentity
  readonly #config: Config
  readonly #env: NodeJS.ProcessEnv
  readonly #lenders: Lenders | undefined
  readonly #via: DecisionWay
  readonly #meaning: MeaningParts
  readonly #given: SettingsInput | undefined

  constructor({ config, given, notices, env, lenders, via }: PartsOptions) {
    this.drivers = new Drivers(config, notices, env)
    this.notices = notices
    this.identity = new ProjectIdentity({ ...config, notices })
    this.#config = config
    this.#env = env
    this.#lenders = lenders
    this.#via = via
    this.#meaning = { embedder: this.drivers.embedder, notices, patienceMs: embedderPatienceMs(config, via) }
    this.#given = given
  }

  readonly board = once(async () => {
    const { openBoard } = await import('./board/board.ts')
    const { database: dir, cache: cacheDir, seal } = this.#config.paths
    return openBoard({
      ...{ dir, cacheDir, seal: new Seal(seal) },
      // What a reviewer or an agent may do through our own tools is settled there.
      isAgent: async () => this.#via !== 'review' && isOfRun(this.#config),
    })
  })
  readonly receipts = lazy(
    () => new ReceiptLog({ folder: this.#config.paths.receipts, notices: this.notices }),
  )

  readonly learnings = deferred(
    once(async () => {
      const { Learnings } = await import('./learnings/store.ts')
      const { projectFileHasher } = await import('./learnings/anchors.ts')
      const { VouchedLearnings } = await import('./learnings/vouched.ts')
      return new Learnings({
        store: (await this.board()).learnings,
        hashFile: projectFileHasher(this.#config.project),
        now: () => new Date().toISOString(),
        decide: deciderFor(this.#config, this.#via),
        vouched: new VouchedLearnings(this.#config),
      })
    }),
  )

  readonly featureMemory = lazy(
    () =>
      new FeatureMemory({
        project: this.#config.project,
        filedUnder: () => this.identity.key(),
        ...{ memoryDir: this.#config.paths.memory, cacheDir: this.#config.paths.cache },
        seal: new Seal(this.#config.paths.seal),
        index: this.drivers.projectIndex(),
        ...this.#meaning,
        lender: this.#lenders?.project,
        board: {
          version: async () => boardVersion(this.#config.paths.database),
          features: async () => (await (await this.board()).features()).map(({ name }) => name),
          describe: (name) => this.#describe(name),
        },
        forgetTraces: async (forgotten) =>
          (await import('./forget-traces.ts')).forgetTraces(this.#config, forgotten),
        prices: runPrices(this.#config.settings.languageModel.prices),
        searchDefaults: this.#config.settings.search,
      }),
  )

  readonly knowledge = once(async () => {
    const { ProjectKnowledge } = await import('./project-knowledge/project-knowledge.ts')
    const [storage, project] = [await this.drivers.storage(), await this.identity.key()]
    const decide = deciderFor(this.#config, this.#via)
    const parts = { ...this.#userParts(), storage, project, decide }
    return ProjectKnowledge.open(parts, () => this.featureMemory().searchable())
  })

  readonly conversations = once(async () => (await this.#personal()).conversations())
  readonly documents = once(async () => (await this.#personal()).documents())

  readonly stored = once(
    async () => new (await import('./storage/marks.ts')).StorageMarker(await this.drivers.storage()),
  )

  readonly health = once(async () => {
    const { wireHealth } = await import('./health-wiring.ts')
    const [config, drivers, identity] = [this.#config, this.drivers, this.identity]
    const [featureMemory, board] = [this.featureMemory(), deferred(this.board)]
    const documents = async () => (await this.documents()).overview()
    return wireHealth({ config, drivers, identity, featureMemory, board, documents })
  })

  readonly configuration = once(async () => {
    const { Configuration } = await import('./configuration/configuration.ts')
    const [config, env, given] = [this.#config, this.#env, this.#given]
    return new Configuration({ config, env, given, requirePerson: (deed) => requirePerson(config, deed) })
  })

  readonly overview = once(async () => {
    const { Overview } = await import('./overview/overview.ts')
    const [config, { storage, person }] = [this.#config, this.drivers]
    const [board, knowledge] = [deferred(this.board), deferred(this.knowledge)]
    const [{ identity, learnings }, featureMemory] = [this, this.featureMemory()]
    return new Overview({ config, identity, board, learnings, featureMemory, knowledge, storage, person })
  })

  readonly effect = once(async () => {
    const { Effect } = await import('./effect/effect.ts')
    return new Effect({ config: this.#config, featureMemory: this.featureMemory() })
  })

  readonly loop = once(async () => {
    const { wireLoop } = await import('./loop-wiring.ts')
    const [{ notices, learnings }, config, env] = [this, this.#config, this.#env]
    const [board, featureMemory, receipts] = [await this.board(), this.featureMemory(), this.receipts()]
    const [knowledge, health] = [deferred(this.knowledge), deferred(this.health)]
    return wireLoop({ config, env, notices, board, featureMemory, learnings, knowledge, receipts, health })
  })

  async close(): Promise<void> {
    await this.drivers.close()
    const { home, paths } = this.#config
    closeHome(home)
    const ours = [dirname(paths.database), paths.database, paths.memory, paths.cache, home, paths.models]
    for (const folder of ours) sweepTemporaries(folder)
    keepOutOfGit(paths.cache, '*')
    keepOutOfGit(paths.memory, '*.lock')
    // What `ralph init` tells git of the whole of `.ralph` says it already.
    if (!existsSync(join(dirname(paths.database), '.gitignore'))) keepOutOfGit(paths.database, '*.lock')
  }

  async #describe(name: string): Promise<DescribedFeature | undefined> {
    const board = await this.board()
    const feature = await board.findFeature(name)
    if (!feature) return undefined
    const paths = (files: readonly { path: string }[] = []) => files.map(({ path }) => path)
    const learnings = (await this.learnings.known(name)).map((one) => ({ ...one, files: paths(one.files) }))
    return { ...feature, currentState: await board.currentState(name), learnings }
  }

  readonly #personal = once(async () => {
    const [config, drivers] = [this.#config, this.drivers]
    const parts = { ...this.#meaning, index: drivers.personalIndex(), lender: this.#lenders?.personal }
    return (await import('./personal-wiring.ts')).wirePersonal({ config, drivers, parts })
  })

  #userParts() {
    return { ...this.#meaning, index: this.drivers.userIndex(), lender: this.#lenders?.user }
  }
}
