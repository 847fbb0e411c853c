import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { RalphError } from './errors.ts'
import { readOwnFile } from './files/own-files.ts'
import { requireOwnHome } from './files/own-home.ts'
import { projectRoot } from './files/project-root.ts'
import { userHomeFolder } from './files/user-home.ts'
import {
  AGENT_MARKS,
  DEFAULT_SETTINGS,
  environmentLayer,
  type Layer,
  settingsOfService,
  settingVariables,
  type Values,
  withoutVariables,
} from './settings.ts'
import { fileLayer, orLeftOut, type SettingsTrouble } from './settings-layers.ts'
import type { Settings, SettingsInput } from './settings-schema.ts'
import type { AgentName } from './transcripts/agents.ts'
import { claudeFolder, sessionPlaces } from './transcripts/session-places.ts'
import type { Demand } from './trust/demand.ts'
import type { ProjectVariable } from './trust/variables-of-project.ts'

export type { Settings, SettingsInput }
export { AGENT_MARKS }

/** Where everything lies, and how it is set. */
export interface Config {
  /** The project's root, absolute, with links resolved. What its memory is filed under is its id: see `identity/`. */
  project: string
  home: string
  paths: {
    database: string
    memory: string
    cache: string
    index: string
    receipts: string
    /** For what was shown in projects without memory. */
    userReceipts: string
    /** Says which project this is. */
    identity: string
    projectFile: string
    userFile: string
    userDatabase: string
    /** Of `userDatabase`. */
    userIndex: string
    /** Those of databases on servers. */
    userIndexes: string
    /** Can be made again: what services are like, and which of them hang. */
    userCache: string
    /** What of which project's settings a person has trusted. */
    trust: string
    /** Tells what we put into a project's cache from what others did. */
    seal: string
    /** Where on this machine which project lies. */
    places: string
    /** Says which home folder this is, to a database of a team. */
    homeIdentity: string
    models: string
    logs: string
  }
  /** The person's home folder, where other programs keep what is theirs. */
  userHome: string
  /** Where Claude Code keeps its settings and sessions. */
  claudeDir: string
  /** Where each agent's program keeps its sessions. */
  sessionPlaces: Readonly<Record<AgentName, string>>
  settings: Settings
  /**
   * What the project's file asks for that executes, sends or connects; `untrusted` of it has no effect, nor have `variables`
   * that files of the project set.
   */
  demands: { all: Demand[]; untrusted: Demand[]; variables: ProjectVariable[] }
  /** Which settings were left out because they cannot be used; always empty where that was not asked for. */
  troubles: readonly SettingsTrouble[]
  /** What the agent that started us says about itself: which run this is, and which feature it works on. */
  session: {
    run?: string | undefined
    feature?: string | undefined
    /** Our own loop started the agent: it composes the prompt and records the run itself. */
    inLoop: boolean
    /** It is a run that goes without memory: whatever of ours it meets tells it nothing. */
    memoryWithheld: boolean
    /** An agent started us, ours or another: whatever takes a person is refused. */
    inAgent: boolean
  }
}

export interface ConfigRequest {
  project?: string | undefined
  home?: string | undefined
  settings?: SettingsInput | undefined
  env?: Record<string, string | undefined>
  cwd?: string
  /** Goes on without settings that cannot be used, instead of ending there: for whoever tells what is wrong. */
  leaveOutBroken?: boolean
}

/** Most people set nothing: then neither the schema nor what judges settings is loaded. */
export async function resolveConfig(request: ConfigRequest = {}): Promise<Config> {
  const env = request.env ?? process.env
  const cwd = request.cwd ?? process.cwd()
  const project = projectRoot(request.project === undefined ? undefined : resolve(cwd, request.project), cwd)
  const home = ralphHome({ given: request.home, env, cwd })
  const userHome = userHomeFolder() ?? home
  if (!request.home && home !== join(userHome, '.ralph')) requireOwnHome(home, project)
  const paths = pathsOf(project, home)
  const troubles: SettingsTrouble[] = []
  const readable = <Value>(source: string, read: () => Value | Promise<Value>, otherwise: Value) =>
    orLeftOut(request.leaveOutBroken ? troubles : undefined, source, read, otherwise)
  const layerOf = (source: string, read: () => Layer) =>
    readable(source, () => checkedIfAsked(request, read()), { source, values: {} })
  const { userFile, projectFile } = paths
  const { effective, demands, untrusted } = await readable(
    projectFile,
    () => partProject(paths, () => trustOf(project, paths)),
    NOTHING_ASKED,
  )
  const set = settingVariables(env)
  const ignored =
    set.length > 0 ? (await import('./trust/variables-of-project.ts')).variablesIgnored(set, project) : []
  const own = withoutVariables(env, ignored)
  const environment = environmentLayer(own)
  const layers = [
    await layerOf(userFile, () => userLayer(paths)),
    { source: projectFile, values: effective },
    await layerOf(environment.source, () => environment),
    givenLayer(request.settings),
  ]
  return {
    project,
    home,
    paths,
    userHome,
    claudeDir: claudeFolder(env, userHome),
    sessionPlaces: sessionPlaces(env, userHome),
    settings: await merge(layers, own),
    demands: { all: demands, untrusted, variables: ignored },
    troubles,
    session: sessionOf(env),
  }
}

/** Else all of them are checked when they are put together. */
async function checkedIfAsked({ leaveOutBroken }: ConfigRequest, layer: Layer): Promise<Layer> {
  if (!leaveOutBroken || Object.keys(layer.values).length === 0) return layer
  return (await import('./settings-schema.ts')).checkedLayer(layer)
}

interface HomeRequest {
  given?: string | undefined
  env?: NodeJS.ProcessEnv
  cwd?: string
  userFolder?: () => string | undefined
}

/** Where the user's data lies: as given, as RALPH_HOME says, else in the user's own folder. */
export function ralphHome({
  given,
  env = process.env,
  cwd = process.cwd(),
  userFolder = userHomeFolder,
}: HomeRequest = {}): string {
  const named = given || env['RALPH_HOME']
  if (named) return resolve(cwd, named)
  const folder = userFolder()
  if (folder !== undefined) return join(folder, '.ralph')
  throw new RalphError(
    'not_found',
    'this user has no home folder: HOME is not set, and the system names none',
    {
      hint: 'Set HOME, or RALPH_HOME to a folder for what memory keeps.',
    },
  )
}

/** What the project's file asks for at this moment that executes, sends or connects. */
export async function projectDemands({ paths }: Config): Promise<Demand[]> {
  return (await partProject(paths, async () => () => false)).demands
}

/** What the project's file sets at this moment: all of it, and what of it has an effect. */
export function projectLayer({ project, paths }: Config): Promise<PartedProject> {
  return partProject(paths, () => trustOf(project, paths))
}

/** What the user's file sets at this moment. */
export function userLayer({ userFile }: Config['paths']): Layer {
  return fileLayer(userFile, readFileSync)
}

/** What whoever opened memory sets: the flags of a command, or a program. */
export function givenLayer(settings: SettingsInput | undefined): Layer {
  return { source: 'the given settings', values: (settings ?? {}) as Values }
}

type IsTrusted = (demand: Demand) => boolean

interface PartedProject {
  asked: Values
  effective: Values
  demands: Demand[]
  untrusted: Demand[]
}

const NOTHING_ASKED: PartedProject = { asked: {}, effective: {}, demands: [], untrusted: [] }

async function partProject(
  { projectFile }: Config['paths'],
  trust: () => Promise<IsTrusted>,
): Promise<PartedProject> {
  const layer = fileLayer(projectFile, readOwnFile)
  const asked = layer.values
  if (Object.keys(asked).length === 0) return NOTHING_ASKED
  const { checkedLayer } = await import('./settings-schema.ts')
  const { partSettings } = await import('./trust/settings-demands.ts')
  return { asked, ...partSettings(checkedLayer(layer).values, await trust()) }
}

async function trustOf(project: string, { trust }: Config['paths']): Promise<IsTrusted> {
  const { TrustStore } = await import('./trust/trust-store.ts')
  return new TrustStore({ file: trust, project }).isTrusted
}

/** What a program started by us inherits. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env }
}

/** The same, or the given one, without what files of the project set in it. */
export const environmentIn = ({ demands }: Config, env = inheritedEnvironment()): NodeJS.ProcessEnv =>
  withoutVariables(env, demands.variables)

/** Where programs are looked for; on Windows the variable may be spelled in other letters. */
export function searchPath(): string | undefined {
  return process.env['PATH']
}

export function isAgentsShell(env: NodeJS.ProcessEnv = process.env): boolean {
  return AGENT_MARKS.some((variable) => Boolean(env[variable]))
}

/** Set by the loop for the agent it starts; Claude Code hands its own session id to servers and hooks. */
function sessionOf(env: NodeJS.ProcessEnv): Config['session'] {
  return {
    run: env['RALPH_LOOP_RUN'] || env['CLAUDE_CODE_SESSION_ID'] || undefined,
    feature: env['RALPH_FEATURE'] || undefined,
    inLoop: Boolean(env['RALPH_LOOP_RUN']),
    memoryWithheld: Boolean(env['RALPH_LOOP_RUN']) && env['RALPH_LOOP_MEMORY'] === 'withheld',
    inAgent: isAgentsShell(env),
  }
}

const HOOK_DEADLINE_MS = 270

/** How long, from its start, a hook may keep an agent waiting. Read before any settings file: the clock is running. */
export function hookDeadlineMs(env: NodeJS.ProcessEnv = process.env): number {
  return Number(env['RALPH_HOOK_DEADLINE_MS']) || HOOK_DEADLINE_MS
}

/** A plain folder layout, so that people find their way without documentation. */
function pathsOf(project: string, home: string): Config['paths'] {
  const ralph = join(project, '.ralph')
  return {
    database: join(ralph, 'db'),
    memory: join(ralph, 'db', 'memory'),
    cache: join(ralph, 'cache'),
    index: join(ralph, 'cache', 'index.db'),
    receipts: join(ralph, 'receipts'),
    userReceipts: join(home, 'receipts'),
    identity: join(ralph, 'project.json'),
    projectFile: join(ralph, 'rag_config.json'),
    userFile: join(home, 'config.json'),
    userDatabase: join(home, 'ralph.db'),
    userIndex: join(home, 'index.db'),
    userIndexes: join(home, 'indexes'),
    userCache: join(home, 'cache'),
    trust: join(home, 'trust.json'),
    seal: join(home, 'seal.key'),
    places: join(home, 'projects.json'),
    homeIdentity: join(home, 'home.json'),
    models: join(home, 'models'),
    logs: join(home, 'logs'),
  }
}

async function merge(layers: readonly Layer[], env: NodeJS.ProcessEnv): Promise<Settings> {
  const given = layers.filter(({ values }) => Object.keys(values).length > 0)
  if (given.length === 0) return structuredClone(DEFAULT_SETTINGS)
  const settings = (await import('./settings-schema.ts')).mergeLayers(given)
  const { embedder, languageModel } = settings
  return {
    ...settings,
    embedder: { ...embedder, ...settingsOfService(embedder, env) },
    languageModel: { ...languageModel, ...settingsOfService(languageModel, env) },
  }
}
