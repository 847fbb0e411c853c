import { commandName } from '../../../installation.ts'
import { shortIdOf } from '../../../lookup/address.ts'
import type { SetupStep } from '../../../project-setup.ts'
import type { OfferResult } from '../../../setup/init-project.ts'
import type { RememberedThing } from '../../../setup/remembered.ts'
import type { Surroundings } from '../../../setup/surroundings.ts'
import { plural } from '../../../text/plural.ts'
import { oneLine } from '../../../text/truncate.ts'
import { agentLabel } from '../../../transcripts/agents.ts'
import type { Output } from '../../output.ts'
import { pairs } from '../../pairs.ts'
import { columnsOf } from '../../width.ts'

/** What each part is called, in a column. */
const labelled = (name: string) => name.padEnd(13)
const INDENT = ' '.repeat(17)

const MARKS: Record<OfferResult['outcome'], { mark: string; colour: 'green' | 'red' | 'dim' }> = {
  done: { mark: '✓', colour: 'green' },
  already: { mark: '✓', colour: 'dim' },
  declined: { mark: '-', colour: 'dim' },
  not_asked: { mark: '-', colour: 'dim' },
  nothing: { mark: '-', colour: 'dim' },
  failed: { mark: '✗', colour: 'red' },
}

/** What there is, before anything is asked. */
export function surroundingsText(out: Output, project: string, surroundings: Surroundings): string {
  const { git, agents, pastSessions } = surroundings
  const { sessions, agents: whose, oldest, newest } = pastSessions
  const days = [...new Set([day(oldest), day(newest)])].join(' to ')
  const found = [
    git === undefined ? 'no git (memory works without)' : 'git',
    agents.length === 0 ? 'no coding agent' : agents.map(({ label }) => label).join(', '),
    sessions === 0
      ? 'no past sessions'
      : `${plural(sessions, 'past session')} of ${whose.map(agentLabel).join(', ')} (${days})`,
  ]
  return `${out.style('bold', 'Ralph Memory')} in ${project}\n${out.style('dim', `  found: ${found.join(' · ')}`)}`
}

export interface InitOutcome {
  /** Where it has not been said yet. */
  found: string | undefined
  files: readonly SetupStep[]
  results: readonly OfferResult[]
  remembers: RememberedThing | undefined
  surroundings: Surroundings
}

export function initText(out: Output, outcome: InitOutcome): string {
  const { found, files, results, remembers, surroundings } = outcome
  return [
    ...(found === undefined ? [] : [found]),
    ...projectLines(out, files),
    ...results
      .filter(({ name, outcome: came }) => !isNoNews(name, came))
      .flatMap((result) => resultLines(out, result)),
    ...surroundings.agents
      .filter(({ scope }) => scope === 'user')
      .map(
        ({ client, label }) =>
          `  ${out.style('dim', `- ${labelled('mcp')}${label} has one file for all projects → ralph mcp config --client ${client} --write`)}`,
      ),
    '',
    ...(remembers ? rememberedLines(out, remembers) : nothingYet(results)),
    '',
    ...nextLines(outcome),
  ].join('\n')
}

/** What nobody asked for, and nothing was to be done for. */
function isNoNews(name: OfferResult['name'], came: OfferResult['outcome']): boolean {
  if (name === 'install') return came === 'already'
  return (name === 'trust' || name === 'instructions') && came === 'nothing'
}

function projectLines(out: Output, files: readonly SetupStep[]): string[] {
  const made = files.filter(({ action }) => action === 'created')
  if (made.length === 0) return [`  ${out.style('dim', '✓')} ${labelled('project')}.ralph/ is there already`]
  return [
    `  ${out.style('green', '✓')} ${labelled('project')}.ralph/ made`,
    ...made.map((file) => fileLine(out, file)),
  ]
}

function resultLines(out: Output, result: OfferResult): string[] {
  const { name, outcome, about, files, notes, problems } = result
  const { mark, colour } = MARKS[outcome]
  const said = {
    done: about,
    already: `already there, ${about}`,
    declined: `not now → ralph init --${name}`,
    not_asked: `${about} → ralph init --${name}`,
    nothing: about,
    failed: files.length > 0 ? about : 'not done',
  }[outcome]
  return [
    `  ${out.style(colour, mark)} ${labelled(name)}${colour === 'dim' ? out.style('dim', said) : said}`,
    ...files.map((file) => fileLine(out, file)),
    ...notes.map((note) => `${INDENT}→ ${note.replaceAll('\n', `\n${INDENT}  `)}`),
    ...problems.flatMap(({ message, hint }) => [
      `${INDENT}${out.style('red', message)}`,
      ...(hint ? [`${INDENT}→ ${hint}`] : []),
    ]),
  ]
}

function fileLine(out: Output, { path, action }: SetupStep): string {
  const mark = { created: '+', changed: '~', removed: '-', kept: ' ' }[action]
  return `${INDENT}${action === 'kept' ? ' ' : out.style('green', mark)} ${path}`
}

function rememberedLines(out: Output, remembered: RememberedThing): string[] {
  const when = remembered.when.slice(0, 10)
  if (remembered.kind === 'iteration') {
    const { feature, iteration, task, outcome, summary } = remembered
    return [
      `${out.style('bold', 'It remembers already')}: the latest run on "${feature}" (iteration ${iteration}, ${when}, ${outcome})`,
      `  ${task}`,
      `  ${summary}`,
    ]
  }
  return [
    `${out.style('bold', 'It remembers already')}${when ? `: on ${when} you asked` : ': you asked'}`,
    `  ${remembered.asked}`,
    'and were told',
    `  ${remembered.answered}`,
  ]
}

/** The truth, and what makes it another. */
function nothingYet(results: readonly OfferResult[]): string[] {
  const outcomeOf = (name: OfferResult['name']) => results.find((result) => result.name === name)?.outcome
  const waits = ['not_asked', 'declined', 'failed'].includes(outcomeOf('import') ?? '')
  if (waits) return [`Nothing is remembered yet. Past sessions wait: ralph init --import`]
  const recorded = ['done', 'already'].includes(outcomeOf('hooks') ?? '')
  return [
    recorded
      ? 'Nothing is remembered yet: the first session in this project will be.'
      : `Nothing is remembered yet. It begins with a session (ralph init --hooks) or a run (ralph loop).`,
  ]
}

type Step = readonly [command: string, why: string]

function nextLines({ remembers, surroundings, files, results }: InitOutcome): string[] {
  const shared = sharedNames([...files, ...results.flatMap((result) => result.files)])
  const ralph = commandName()
  const found: Step[] = remembers
    ? [
        [`${ralph} show ${idOfThing(remembers)}`, 'opens it in full'],
        [`${ralph} search ${JSON.stringify(questionOf(remembers))}`, 'finds it again'],
      ]
    : []
  const commit: Step[] =
    surroundings.git !== undefined && shared.length > 0
      ? [[`git add ${shared.join(' ')}`, 'so that others have it too']]
      : []
  const steps: Step[] = [
    ...found,
    [`${ralph} status`, 'what memory holds'],
    ...commit,
    [`${ralph} uninstall`, 'takes all of this out again'],
  ]
  return ['Next', pairs(steps, columnsOf(process.stdout))]
}

/** What is worth committing: not git's own rules, nor the settings of this working copy. */
function sharedNames(files: readonly SetupStep[]): string[] {
  // Memory tools and hooks may stand in one file: where hooks make it this machine's, it is.
  const own = new Set(files.filter((file) => file.private).map(({ path }) => path))
  const written = files.filter(({ path, action }) => !own.has(path) && /^(?:created|changed)$/.test(action))
  const names = written.map(({ path }) => (path.startsWith('.ralph/') ? '.ralph' : path))
  return [...new Set(names)].filter((name) => !/^(?:\.git\/|\/|\.\.)|settings\.local\.json$/.test(name))
}

function idOfThing(remembered: RememberedThing): string {
  return remembered.kind === 'exchange'
    ? shortIdOf({ kind: 'exchange', exchangeId: remembered.id, conversationId: remembered.conversationId })
    : shortIdOf({ kind: 'iteration', feature: remembered.feature, iterationNumber: remembered.iteration })
}

/** A few words of it, as somebody might ask. */
function questionOf(remembered: RememberedThing): string {
  const text = remembered.kind === 'iteration' ? remembered.task : remembered.asked
  // Nothing that a shell would read as more than words.
  return oneLine(text.replace(/["\\$`!]/g, ' '), 60).replace(/…$/, '')
}

function day(date: Date | undefined): string {
  return date?.toISOString().slice(0, 10) ?? ''
}
