import { documentsText } from '../health/documents.ts'
import { ragLine } from '../health/status.ts'
import type { countSilences } from '../hooks/silence.ts'
import { type FeatureLine, type Glance, STORED } from '../overview/glance.ts'
import { spendLine } from '../spend/spend-text.ts'
import { ago } from '../text/ago.ts'
import { plural } from '../text/plural.ts'
import { oneLine } from '../text/truncate.ts'
import { AGENT_NAMES, AGENTS } from '../transcripts/agents.ts'
import { version } from '../version.ts'
import type { StatusDetails } from './commands/status.ts'
import type { Output } from './output.ts'

type Silences = ReturnType<typeof countSilences>

/** Features that are told of by name. */
const MOST_FEATURES = 8
/** Things that wait which are told of one by one. */
const MOST_WAITING = 8

interface Beside {
  silences: Silences
  /** What makes a project here. */
  init: string
  details?: StatusDetails | undefined
}

export function statusText(out: Output, glance: Glance, { silences, init, details }: Beside): string {
  const sections = glance.hasMemory
    ? [
        ...waitingLines(out, glance),
        ...section(out, 'Work', workLines(glance)),
        ...section(out, 'Memory', memoryLines(glance)),
        ...section(out, 'Agents', agentLines(glance, silences)),
        ...section(out, 'Health', healthLines(out, glance)),
      ]
    : [
        `No memory here yet: ${glance.project} has no .ralph.`,
        `  → ${init} sets it up, and shows what it finds`,
        ...section(out, 'Of all your projects', ofAllProjects(glance)),
        ...troubleLines(out, glance),
      ]
  const head = glance.hasMemory ? [`${out.style('bold', glance.project)}`] : []
  return [
    ...head,
    ...sections,
    ...(details ? section(out, 'Details', detailLines(glance, details)) : []),
  ].join('\n')
}

function section(out: Output, title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', out.style('bold', title), ...lines.map((line) => `  ${line}`)]
}

function waitingLines(out: Output, { waiting }: Glance): string[] {
  if (waiting.items.length === 0) return []
  const shown = waiting.items.slice(0, MOST_WAITING)
  const lines = shown.flatMap(({ about, detail, command, feature }) => [
    `- ${about}${feature && feature !== about ? ` (${feature})` : ''}: ${detail}`,
    `  → ${command}`,
  ])
  const rest = waiting.items.length - shown.length
  return section(out, `Waiting for you: ${waiting.count}`, [
    ...lines,
    ...(rest > 0 ? [`- and ${rest} more`, '  → ralph dashboard'] : []),
  ])
}

const label = (name: string, text: string) => `${name.padEnd(15)}${text}`

function workLines({ hasBoard, tasks, features, currentFeature }: Glance): string[] {
  const now = currentFeature ? [label('Current', `${currentFeature.name} (${currentFeature.reason})`)] : []
  const { open, inProgress, blocked, done } = tasks
  const counts = [
    `${open} open`,
    `${inProgress} in progress`,
    ...(blocked ? [`${blocked} blocked`] : []),
    `${done} done`,
  ]
  const board = !hasBoard
    ? [label('Tasks', 'no board; ralph init --board makes one')]
    : open + inProgress + blocked + done === 0
      ? [label('Tasks', 'none yet; ralph task add "…" adds one')]
      : [label('Tasks', counts.join(', '))]
  const shown = features
    .slice(0, MOST_FEATURES)
    .map((feature, at) => label(at === 0 ? 'Features' : '', featureText(feature)))
  const rest = features.length - MOST_FEATURES
  return [
    ...now,
    ...board,
    ...shown,
    ...(rest > 0 ? [label('', `and ${rest} more: ralph feature list`)] : []),
  ]
}

function featureText({ name, displayName, tasks, iterations, last, unreadable }: FeatureLine): string {
  const all = tasks.open + tasks.inProgress + tasks.blocked + tasks.done
  const parts = [
    ...(all > 0 ? [`${tasks.done} of ${plural(all, 'task')} done`] : []),
    unreadable
      ? 'its journal cannot be read: see Health'
      : iterations > 0
        ? plural(iterations, 'iteration')
        : 'nothing recorded yet',
    ...(iterations > 0 && last !== undefined ? [`the last ${ago(new Date(last), new Date())}`] : []),
  ]
  return `${displayName ? `${displayName} (${name})` : name}: ${parts.join(', ')}`
}

function memoryLines(glance: Glance): string[] {
  const iterations = glance.features.reduce((sum, feature) => sum + feature.iterations, 0)
  const recorded = glance.features.filter((feature) => feature.iterations > 0).length
  return [
    label(
      'Iterations',
      iterations > 0
        ? `${iterations} in ${plural(recorded, 'feature')}`
        : 'none yet; hooks and ralph loop record them',
    ),
    ...storedLines(glance),
    label('Told', toldText(glance)),
    ...(glance.holdout ? [label('Hold-out', holdoutText(glance.holdout))] : []),
  ]
}

function storedLines({ conversations, knowledge, spend, waiting }: Glance): string[] {
  if (waiting.troubles.some(({ part }) => part === STORED))
    return ['Conversations', 'Knowledge'].map((name) => label(name, 'cannot be read: see Health'))
  const staged =
    knowledge.staged > 0 ? `; ${knowledge.staged} wait for a checkpoint: ralph knowledge checkpoint` : ''
  const here = knowledge.here > 0 ? `, ${knowledge.here} of this project` : ''
  return [
    label(
      'Conversations',
      conversations.conversations > 0
        ? `${conversations.conversations} with ${plural(conversations.exchanges, 'exchange')}`
        : 'none yet; ralph conversations import brings past ones',
    ),
    label(
      'Knowledge',
      knowledge.entries + knowledge.staged > 0
        ? `${plural(knowledge.entries, 'entry', 'entries')}${here}${staged}`
        : 'none yet; it comes from solved failures and from gates',
    ),
    ...(spend ? [label('Spent', spendLine(spend))] : []),
  ]
}

function ofAllProjects(glance: Glance): string[] {
  const { conversations, knowledge } = glance
  return conversations.conversations + knowledge.entries + knowledge.staged > 0 ? storedLines(glance) : []
}

function toldText({ told }: Glance): string {
  if (told.receipts === 0) return `nothing in the last ${told.days} days`
  const used = told.judged > 0 ? `; ${told.used} of ${told.judged} left traces in what they did` : ''
  return `${plural(told.receipts, 'time')} in the last ${told.days} days: ${plural(told.told, 'piece')}, about ${told.tokens.toLocaleString('en')} tokens${used}`
}

function holdoutText({ share, seed, drawn, without }: NonNullable<Glance['holdout']>): string {
  const soFar = drawn === 0 ? 'none drawn yet' : `${without} of ${plural(drawn, 'iteration')} so far`
  return `${share} of the iterations on tasks go without memory: ${soFar}; ralph effect compares them (seed ${oneLine(seed, 80)})`
}

function agentLines({ agents }: Glance, silences: Silences): string[] {
  const { plugin, hooks, servers } = agents
  const installed = hooks.filter(({ events }) => events.length > 0)
  const faulty = installed.filter(
    ({ missing, outdated, problem }) => missing.length > 0 || outdated || problem,
  )
  const whose = AGENT_NAMES.filter((name) => installed.some(({ agent }) => agent === name))
  const where = whose.map((name) => {
    const scopes = installed.filter(({ agent }) => agent === name).map(({ scope }) => scope)
    return `${AGENTS[name].label} (${scopes.join(', ')})`
  })
  const set = servers.filter(({ problem }) => problem === undefined)
  const gone = set.filter(({ missing }) => missing.length > 0)
  return [
    label(
      'Hooks',
      plugin
        ? 'by the plugin of Claude Code'
        : installed.length === 0
          ? 'not installed → ralph hooks install'
          : `installed for ${where.join(', ')}${faulty.length > 0 ? ', out of date → ralph doctor --fix' : ''}`,
    ),
    ...silenceLines(silences),
    label(
      'MCP',
      plugin && set.length === 0
        ? 'by the plugin of Claude Code'
        : set.length === 0
          ? 'not set up → ralph mcp config --write'
          : `${set.map((one) => one.label).join(', ')}${gone.length > 0 ? ', leads nowhere → ralph doctor --fix' : ''}`,
    ),
  ]
}

/** Said only where it happened: in the session itself nobody was told. */
function silenceLines({ days, late, failed, unreached }: Silences): string[] {
  const all = late + failed + unreached
  if (all === 0) return []
  const whys = [
    ...(late > 0 ? [`${late} too late`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(unreached > 0 ? [`${unreached} found no MCP server`] : []),
  ]
  const hint =
    unreached > 0
      ? ' → ralph hooks status'
      : late > 0
        ? ' → RALPH_HOOK_DEADLINE_MS gives them more than 270 ms'
        : ' → ralph doctor'
  return [label('', `silent ${plural(all, 'time')} in the last ${days} days (${whys.join(', ')})${hint}`)]
}

function healthLines(out: Output, glance: Glance): string[] {
  const { by, why, hint } = glance.search
  const because = why ? `: ${why}` : ''
  const search = {
    meaning: `${out.style('green', '✓')} Search works by meaning and by words.`,
    words: `${out.style('yellow', '!')} Search by words only${because}`,
    nothing: `${out.style('red', '✗')} Search goes without its index, by words only and more slowly${because}. What is recorded is kept.`,
  }[by]
  return [search, ...(hint && by !== 'meaning' ? [`  → ${hint}`] : []), ...troubleLines(out, glance)]
}

function troubleLines(out: Output, { waiting }: Glance): string[] {
  return waiting.troubles.flatMap(({ part, message, hint }) => [
    `${out.style('red', '✗')} ${part}: ${message}`,
    ...(hint ? [`  → ${hint}`] : []),
  ])
}

function detailLines({ features }: Glance, details: StatusDetails): string[] {
  const { rag, storage, languageModel, documents, disk, identity, home } = details
  return [
    ragLine(rag),
    `Storage: ${storage.detail}${storage.hint ? ` → ${storage.hint}` : ''}`,
    ...(languageModel ? [modelLine(languageModel)] : []),
    ...(documents ? [documentsLine(documents)] : []),
    `On disk: journals ${size(disk.journals)}, index ${size(disk.index)}, user data ${size(disk.userData)}`,
    ...features
      .filter(({ bytes }) => bytes > 0)
      .map(({ name, bytes }) => `Journal of ${name}: ${size(bytes)}`),
    `User data: ${home}`,
    `Project id: ${identity.id ?? 'none yet'}${identity.elsewhere.map((path) => `, also in ${path}`).join('')}`,
    `ralph ${version}, Node ${process.version}`,
  ]
}

function modelLine({ ok, detail, hint }: { ok: boolean; detail: string; hint?: string }): string {
  return `Language model: ${ok ? detail : `off (${[detail, hint].filter(Boolean).join('. ')})`}`
}

function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1_000 ** power).toFixed(1)} ${units[power - 1]}`
}

function documentsLine(documents: NonNullable<StatusDetails['documents']>): string {
  const { missing } = documents
  const gone =
    missing.length > 0
      ? `; not there: ${missing.map((path) => oneLine(path, 200)).join(', ')} → ralph doctor`
      : ''
  return `Documents: ${documentsText(documents)}${gone}`
}
