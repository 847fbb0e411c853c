import type { Finding } from '../feature-memory/finding.ts'
import type { IterationRecord, Outcome } from '../feature-memory/record.ts'
import { endingRemark } from '../telling/ending-words.ts'
import { memoryRemark } from '../telling/memory-words.ts'
import { plural } from '../text/plural.ts'
import { shortId } from '../text/short-id.ts'
import { oneLine } from '../text/truncate.ts'
import { differingAgents } from '../transcripts/agents.ts'
import type { Output } from './output.ts'

const BADGES: Record<Outcome, { mark: string; colour: 'green' | 'red' | 'yellow' }> = {
  success: { mark: '✓', colour: 'green' },
  failure: { mark: '✗', colour: 'red' },
  partial: { mark: '◐', colour: 'yellow' },
  timeout: { mark: '⧖', colour: 'red' },
  rate_limited: { mark: '⏸', colour: 'yellow' },
}
const MAX_ERRORS = 3
const MAX_DECISIONS = 3
const MAX_FILES = 5

export function outcomeBadge(out: Output, outcome: Outcome): string {
  const { mark, colour } = BADGES[outcome]
  return out.style(colour, `${mark} ${outcome}`)
}

/** Iterations below each other, each with its agent where they are not all the same one's. */
export function iterationsText(out: Output, records: readonly IterationRecord[]): string {
  const agents = differingAgents(records.map(({ agent }) => agent))
  return records.map((record, at) => iterationText(out, record, agents[at])).join('\n\n')
}

/** One iteration as a few lines a person can scan. */
export function iterationText(out: Output, record: IterationRecord, remark?: string): string {
  const { errors, decisions, filesTouched, undone } = record
  const ended = endingRemark(record)
  const without = memoryRemark(record)
  const head = `${outcomeBadge(out, record.outcome)}  ${out.style('bold', record.taskTitle)}`
  const facts = [
    shortId('iteration', `${record.feature}-${record.iterationNumber}`),
    record.kind === 'task' ? `task ${record.taskId}` : record.kind,
    record.timestamp.slice(0, 10),
    ...(remark ? [remark] : []),
    ...(ended ? [oneLine(ended, 120)] : []),
    ...(without ? [without] : []),
  ]
  const files = filesTouched.filter(({ action }) => action !== 'read')
  return [
    head,
    out.style('dim', `  ${facts.join(' · ')}`),
    `  ${oneLine(record.summary, 300)}`,
    ...errors
      .slice(0, MAX_ERRORS)
      .map((error) => `  ${out.style('red', 'error')}    ${oneLine(error.message, 160)}${place(error)}`),
    ...more(errors.length - MAX_ERRORS, 'error'),
    ...(undone ?? []).map((deed) => `  ${out.style('yellow', 'undone')}   ${oneLine(deed, 160)}`),
    ...decisions
      .slice(0, MAX_DECISIONS)
      .map(({ description }) => `  ${out.style('cyan', 'decided')}  ${oneLine(description, 160)}`),
    ...more(decisions.length - MAX_DECISIONS, 'decision'),
    ...(files.length > 0
      ? [
          `  ${out.style(
            'dim',
            `files    ${files
              .slice(0, MAX_FILES)
              .map(({ path }) => path)
              .join(', ')}${files.length > MAX_FILES ? `, and ${files.length - MAX_FILES} more` : ''}`,
          )}`,
        ]
      : []),
  ].join('\n')
}

/** Whatever a search has found, with why. */
export function findingsText(out: Output, findings: readonly Finding[]): string {
  const agents = differingAgents(
    findings.map((finding) => (finding.type === 'iteration' ? finding.record.agent : undefined)),
  )
  return findings.map((finding, at) => findingText(out, finding, agents[at])).join('\n\n')
}

function findingText(out: Output, finding: Finding, agent: string | undefined): string {
  const alike = finding.alike ? `, and ${finding.alike} alike` : ''
  const why = `${finding.relevance} ${finding.score.toFixed(2)} (${finding.matched.join(', ')})${alike}`
  switch (finding.type) {
    case 'iteration':
      return iterationText(
        out,
        finding.record,
        [...(agent ? [agent] : []), finding.age.replace(/^from iteration \d+, /, ''), why].join(' · '),
      )
    case 'learning': {
      const { id, text, reason, source, iteration, taskId } = finding.learning
      const facts = [
        shortId('learning', id),
        source,
        ...(iteration === undefined ? [] : [`from iteration ${iteration}`]),
        ...(taskId === undefined ? [] : [`task ${taskId}`]),
        why,
      ]
      return [
        `${out.style('cyan', '✎ learning')}  ${out.style('bold', oneLine(text, 300))}`,
        out.style('dim', `  ${facts.join(' · ')}`),
        `  because ${oneLine(reason, 200)}`,
      ].join('\n')
    }
    case 'feature':
      return [
        `${out.style('cyan', '◇ feature')}  ${out.style('dim', why)}`,
        `  ${oneLine(finding.text, 600)}`,
      ].join('\n')
  }
}

function place({ filePath, line }: { filePath?: string | undefined; line?: number | undefined }): string {
  return filePath ? `  ${filePath}${line ? `:${line}` : ''}` : ''
}

function more(count: number, what: string): string[] {
  return count > 0 ? [`  … and ${plural(count, `more ${what}`)}`] : []
}
