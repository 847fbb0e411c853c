import { isOpen, type LedgerEntry } from '../../feature-memory/ledger/ledger.ts'
import { decisionText, type IterationRecord, type RecordedCheck } from '../../feature-memory/record.ts'
import type { Opened, OpenedFeature, OpenedIteration, OpenedTask } from '../../lookup/open.ts'
import { describeEnding } from '../../telling/ending-words.ts'
import { memoryRemark } from '../../telling/memory-words.ts'
import { plural } from '../../text/plural.ts'
import { shortId } from '../../text/short-id.ts'
import { agentLabel } from '../../transcripts/agents.ts'
import { decidedWords } from '../../trust/decision.ts'
import { outcomeBadge } from '../iteration-text.ts'
import { LIFE_WORDS } from '../life-words.ts'
import { fileText, type ShowPage } from './leads.ts'
import { factsLine, seconds, section, time } from './parts.ts'

/** The things of a feature, each with all that is known of it. */

export function iterationPage(page: ShowPage, opened: OpenedIteration): string[] {
  const { out } = page
  const { record, feature, errors, learnings } = opened
  const { decisions, filesTouched, checks, undone } = record
  return [
    `${outcomeBadge(out, record.outcome)}  ${out.style('bold', record.taskTitle)}`,
    factsLine(out, iterationFacts(feature, record)),
    ...section(out, '', [record.summary]),
    ...section(out, 'Ended', [`It ${describeEnding(record)}.`]),
    ...section(
      out,
      'Errors',
      errors.map(({ id, message, life, filePath, line }) =>
        [
          `${out.style(isOpen({ life }) ? 'red' : 'green', LIFE_WORDS[life])}  ${message}`,
          `  ${[...(filePath ? [fileText(page, filePath, line)] : []), shortId('error', id)].join(' · ')}`,
        ].join('\n'),
      ),
    ),
    ...section(out, 'Decided', decisions.map(decisionText)),
    ...section(out, 'Checks', checks.map(checkText)),
    ...section(
      out,
      'Files',
      filesTouched.map(({ path, action }) => `${action.padEnd(8)}  ${fileText(page, path)}`),
    ),
    ...section(out, 'Undone by the loop', undone ?? []),
    ...section(
      out,
      'Learnings',
      learnings.map(({ id, text }) => `${shortId('learning', id)}  ${text}`),
    ),
  ]
}

function iterationFacts(feature: string, record: IterationRecord): string[] {
  const { iterationNumber, kind, taskId, timestamp, agent, modelTier, tokensUsed, costUsd, durationMs } =
    record
  const without = memoryRemark(record)
  return [
    `${feature}, iteration ${iterationNumber}`,
    kind === 'task' ? `task ${taskId}` : kind,
    time(timestamp),
    ...(agent ? [modelTier ? `${agentLabel(agent)} (${modelTier})` : agentLabel(agent)] : []),
    ...(tokensUsed ? [`${tokensUsed.toLocaleString('en')} tokens`] : []),
    ...(costUsd ? [`$${costUsd.toFixed(2)}`] : []),
    ...(durationMs ? [seconds(durationMs)] : []),
    ...(without ? [without] : []),
  ]
}

function checkText({ command, result, skipped, directory }: RecordedCheck): string {
  const remarks = [
    ...(directory ? [`in ${directory}`] : []),
    ...(skipped ? [`${plural(skipped, 'test')} skipped`] : []),
  ]
  return `${result === 'passed' ? '✓' : '✗'} ${command}${remarks.length > 0 ? `  (${remarks.join(', ')})` : ''}`
}

export function learningPage(page: ShowPage, opened: Extract<Opened, { kind: 'learning' }>): string[] {
  const { out } = page
  const { learning, feature, files } = opened
  const { decided, edited, error } = learning
  return [
    out.style('bold', learning.text),
    factsLine(out, [
      `learning of ${feature}`,
      learning.source,
      ...(learning.iteration === undefined ? [] : [shortId('iteration', `${feature}-${learning.iteration}`)]),
      ...(learning.taskId === undefined ? [] : [`only for task ${learning.taskId}`]),
      learning.reviewed ? 'reviewed' : 'not reviewed',
      `seen ${plural(learning.hitCount, 'time')}`,
      ...(learning.created ? [time(learning.created)] : []),
    ]),
    ...section(out, 'Because', [learning.reason]),
    ...section(out, 'Note', learning.remarks),
    ...section(
      out,
      'Files',
      files.map((path) => fileText(page, path)),
    ),
    ...section(out, 'Error', error === undefined ? [] : [shortId('error', error)]),
    ...section(out, 'Who', [
      ...(decided ? [`decided by ${decidedWords(decided)}`] : []),
      ...(edited ? [`edited by ${decidedWords(edited)}; before that ${edited.formerly}`] : []),
    ]),
  ]
}

export function errorPage(page: ShowPage, opened: Extract<Opened, { kind: 'error' }>): string[] {
  const { out } = page
  const { error, feature } = opened
  const { life, message, filePath, line, type, times, sightings, check } = error
  return [
    `${out.style(isOpen(error) ? 'red' : 'green', LIFE_WORDS[life])}  ${out.style('bold', message.split('\n')[0]!)}`,
    factsLine(out, [
      `error of ${feature}`,
      ...(type && type !== 'unknown' ? [type] : []),
      `seen in ${plural(times, 'iteration')}`,
      check ? `reported by ${check.command}` : 'reported by no check',
    ]),
    ...section(out, '', message.includes('\n') ? [message] : []),
    ...section(out, 'Where', filePath ? [fileText(page, filePath, line)] : []),
    ...section(
      out,
      'Seen in',
      sightings.map(
        (run) =>
          `${shortId('iteration', `${feature}-${run.iteration}`)}  ${time(run.timestamp)}  ${run.taskTitle}`,
      ),
    ),
    ...section(
      out,
      'Solved',
      error.solutions.map((one) => solutionText(page, feature, one)),
    ),
  ]
}

function solutionText(
  page: ShowPage,
  feature: string,
  { iteration, check, by, cameBackIn }: LedgerEntry['solutions'][number],
): string {
  const back = cameBackIn ? `, but it was back in iteration ${cameBackIn}` : ''
  const shown = `${shortId('iteration', `${feature}-${iteration}`)}: ${check} no longer reported it${back}`
  if (!by) return `${shown}; nothing shows whose work it was`
  return [
    shown,
    `  by ${shortId('iteration', `${feature}-${by.iteration}`)}: ${by.files.map((path) => fileText(page, path)).join(', ')}`,
    ...(by.summary === '' ? [] : [`  ${by.summary}`]),
    ...by.decisions.map((decision) => `  - ${decision}`),
  ].join('\n')
}

export async function featurePage({ out }: ShowPage, opened: OpenedFeature): Promise<string[]> {
  const { name, feature, currentState, iterations, tasks, learnings } = opened
  const { featureDescription } = await import('../commands/feature.ts')
  return [
    feature ? featureDescription(out, { ...feature, learnings: [] }, currentState) : out.style('bold', name),
    factsLine(out, [
      'feature',
      plural(iterations, 'recorded iteration'),
      plural(tasks.length, 'task'),
      plural(learnings.length, 'learning'),
    ]),
    ...section(
      out,
      'Tasks',
      tasks.map(({ id, status, title }) => `${shortId('task', id)}  ${status}  ${title}`),
    ),
    ...section(
      out,
      'Learnings',
      learnings.map(({ id, text }) => `${shortId('learning', id)}  ${text}`),
    ),
  ]
}

export async function taskPage({ out }: ShowPage, { task, iterations }: OpenedTask): Promise<string[]> {
  const { taskText } = await import('../commands/task.ts')
  return [
    taskText(out, task),
    ...section(
      out,
      'Iterations',
      iterations.map(
        ({ iterationNumber, outcome, timestamp }) =>
          `${shortId('iteration', `${task.feature}-${iterationNumber}`)}  ${time(timestamp)}  ${outcome}`,
      ),
    ),
  ]
}
