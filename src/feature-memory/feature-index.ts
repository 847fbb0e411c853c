import { isRalphError } from '../errors.ts'
import type { ProjectKey } from '../identity/identity.ts'
import type { WithoutIndex } from '../retrieval/ask.ts'
import { type CatchUpOptions, type CatchUpProgress, catchUp, type Source } from '../retrieval/catch-up.ts'
import { Collection, type Fitted } from '../retrieval/collection.ts'
import { againOnceMended } from '../retrieval/mending.ts'
import type { RetrievalParts } from '../retrieval/parts.ts'
import { boardSource, type FeatureBoard } from './board-source.ts'
import { FormerCollections } from './former-collections.ts'
import type { Journal, JournalPosition, JournalRemoval } from './journal.ts'
import { JournalLooks } from './journal-looks.ts'
import { indexedTo, journalSource, latestIndexed, removeIndexed } from './journal-source.ts'
import { FEATURE_FILTER_TYPES, FEATURE_FILTERS } from './payload.ts'
import { collectionName, collectionOwner, longerCollectionName } from './record.ts'

/** Of what a run of an agent said and touched, in words. */
const TYPICAL_LENGTH = 150

export interface FeatureIndexOptions extends RetrievalParts {
  board?: FeatureBoard | undefined
  /** What the project's memory is filed under. */
  filedUnder: () => Promise<ProjectKey>
  journal: (feature: string) => Journal
}

export interface FeatureCatchUp extends Omit<CatchUpOptions, 'onProgress' | 'embedder'> {
  onProgress?: ((progress: CatchUpProgress & { feature: string }) => void) | undefined
}

export interface FeatureCaughtUp {
  /** The number of the latest iteration. */
  latest: number
  /** Whether there was anything to do. */
  changed: boolean
}

/** The collections of a project's features, kept level with their journals and the board. Names are checked by callers. */
export class FeatureIndex {
  readonly #options: FeatureIndexOptions
  /** Features that have nothing left under a former key. */
  readonly #taken = new Set<string>()
  /** What the index was last seen to call the collection of each owner. */
  readonly #names = new Map<string, string>()
  readonly #looks = new JournalLooks()

  constructor(options: FeatureIndexOptions) {
    this.#options = options
  }

  /** Its own, by what the index says. */
  async collection(feature: string, lender = this.#options.lender): Promise<Collection> {
    const { key } = await this.#options.filedUnder()
    const owner = collectionOwner(key, feature)
    const short = collectionName(key, feature)
    // Out of order: whoever asks it next says so.
    const of = await this.#ownerOf(short).catch(() => undefined)
    const isOthers = of !== undefined && of !== owner
    this.#names.set(owner, isOthers ? longerCollectionName(key, feature) : short)
    return this.likelyCollection(feature, lender)
  }

  /**
   * The same without asking: names are beginnings of hashes, and almost never is one of them another feature's. Whoever has
   * searched it asks afterwards.
   */
  async likelyCollection(feature: string, lender = this.#options.lender): Promise<Collection> {
    const { key } = await this.#options.filedUnder()
    const of = collectionOwner(key, feature)
    const name = this.#names.get(of) ?? collectionName(key, feature)
    return new Collection(
      { ...this.#options, lender },
      { name, of, filterable: FEATURE_FILTERS, types: FEATURE_FILTER_TYPES, typicalLength: TYPICAL_LENGTH },
    )
  }

  async catchUp(feature: string, options: FeatureCatchUp = {}): Promise<FeatureCaughtUp> {
    const { onProgress } = options
    const project = await this.#options.filedUnder()
    const former = await againOnceMended(() => this.#former(feature, project))
    const collection = await this.collection(feature, former)
    const { cursors, changed } = await catchUp(collection, this.#sources(feature, project), {
      ...options,
      onProgress: onProgress && ((progress) => onProgress({ feature, ...progress })),
    })
    if (former) await this.#dropFormer(feature, former, collection)
    return { latest: latestIndexed(cursors), changed }
  }

  /** All that there is to find, from where it is kept. */
  withoutIndex(feature: string): WithoutIndex {
    return {
      message: 'memory is searched without its index',
      read: async (look) => {
        for (const source of this.#sources(feature, await this.#options.filedUnder()))
          await source.read(
            undefined,
            ({ drafts }) => look(drafts),
            async () => 0,
          )
      },
    }
  }

  /** How far the journal is in the index. */
  async readTo(feature: string): Promise<JournalPosition | undefined> {
    return indexedTo(await this.collection(feature))
  }

  async isLevel(feature: string): Promise<boolean> {
    const { bytes } = await this.#options.journal(feature).size()
    return bytes === ((await this.readTo(feature))?.offset ?? 0)
  }

  /** Takes out what was removed from the journal. */
  async remove(feature: string, removal: JournalRemoval): Promise<void> {
    const project = await this.#options.filedUnder()
    const collection = await this.collection(feature)
    const isMoving = await this.#former(feature, project)
    const parts = { project: project.key, journal: this.#options.journal(feature) }
    if (isMoving || !(await removeIndexed(collection, parts, removal))) await this.catchUp(feature)
  }

  async rebuild(feature: string, options: FeatureCatchUp): Promise<FeatureCaughtUp> {
    try {
      await this.drop(feature)
      return await this.catchUp(feature, options)
    } catch (error) {
      if (!isRalphError(error) || error.code !== 'damaged') throw error
      // Nothing in a damaged index can be trusted; the other features catch up when they are next asked.
      await this.#options.index.reset()
      return this.catchUp(feature, options)
    }
  }

  async drop(feature: string): Promise<void> {
    const former = await this.#find(feature, formerKeys(await this.#options.filedUnder()))
    await former?.drop()
    await (await this.collection(feature)).drop()
  }

  async namesOf(features: readonly string[]): Promise<Set<string>> {
    const { key } = await this.#options.filedUnder()
    const names = [collectionName, longerCollectionName]
    return new Set(features.flatMap((feature) => names.map((name) => name(key, feature))))
  }

  /** Collections of this project other than those. Others may share the index: only our own prefix is ours to judge. */
  async others(expected: ReadonlySet<string>): Promise<string[]> {
    const { key } = await this.#options.filedUnder()
    const ours = collectionName(key, '').slice(0, 9)
    const all = await this.#options.index.collections({ prefix: ours })
    const others: string[] = []
    for (const { name } of all) {
      const of = expected.has(name) ? undefined : ((await this.#ownerOf(name)) ?? collectionOwner(key))
      if (of?.startsWith(collectionOwner(key))) others.push(name)
    }
    return others
  }

  /** As the collection says itself; those from a time when they did not are nobody's in particular. */
  async #ownerOf(name: string): Promise<string | undefined> {
    return (await new Collection(this.#options, { name, filterable: [] }).state()).of
  }

  /** What is still filed under a former key. On a server the path may be that of others, too: it is looked at only once. */
  async #former(feature: string, project: ProjectKey): Promise<FormerCollections | undefined> {
    if (this.#taken.has(feature)) return undefined
    const { state, emptied } = await (await this.collection(feature)).fit(undefined)
    const isFilled = emptied === undefined && !isWordsOnly(state)
    const keys = formerKeys(project).filter((former) => !isFilled || former !== project.path)
    const found = await this.#find(feature, keys)
    if (!found) this.#taken.add(feature)
    return found
  }

  #find(feature: string, keys: readonly string[]): Promise<FormerCollections | undefined> {
    return FormerCollections.find(
      this.#options.index,
      keys.map((key) => collectionName(key, feature)),
    )
  }

  async #dropFormer(feature: string, former: FormerCollections, collection: Collection): Promise<void> {
    // Vectors that could not be taken over while the embedder is down are kept until it is back.
    if (isWordsOnly(await collection.state())) return
    await former.drop()
    this.#taken.add(feature)
    this.#options.notices.once({
      key: 'index.filed',
      message: "this project's search index is filed under its id now, with all that it held",
      harmless: true,
    })
  }

  #sources(feature: string, { key: project }: ProjectKey): Source[] {
    const { notices, board, journal } = this.#options
    const iterations = journalSource({
      ...{ project, feature, notices },
      journal: journal(feature),
      looks: this.#looks,
    })
    return board ? [iterations, boardSource({ project, feature, notices, board })] : [iterations]
  }
}

function formerKeys({ key, formerly }: ProjectKey): string[] {
  return formerly.filter((former) => former !== key)
}

function isWordsOnly({ sources }: Fitted['state']): boolean {
  return Object.values(sources).some(({ words_only }) => words_only)
}
