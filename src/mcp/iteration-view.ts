import { z } from 'zod'
import type { IterationRecord } from '../feature-memory/record.ts'
import { endingRemark } from '../telling/ending-words.ts'
import { type Packed, packed } from '../text/pack.ts'
import { dataLine, nameOrQuoted, quoted } from '../text/quote.ts'
import { shorten } from '../text/truncate.ts'

/** One iteration, short: what a model needs to decide whether it matters. */
export const IterationView = z.object({
  iteration: z.number(),
  task_id: z.number(),
  task: z.string(),
  outcome: z.string(),
  kind: z.string().optional().describe('review or session; absent for a run on a task'),
  ended: z.string().optional().describe('How it was ended, when not by itself: no failure of the work'),
  when: z.string().describe('Time in UTC, and how long ago'),
  relevance: z.string().optional().describe('How sure it is, and whether meaning, words or both matched'),
  score: z.number().optional(),
  summary: z.string(),
  alike: z.number().optional().describe('So many more say nearly the same'),
  errors: z.array(z.string()).optional(),
  decided: z.array(z.string()).optional(),
  files: z.array(z.string()).optional().describe('changed, not merely read'),
})
export type IterationView = z.infer<typeof IterationView>

/** An iteration, and what only a search knows of it. */
export interface ShownIteration {
  record: IterationRecord
  age?: string
  relevance?: string
  score?: number
  matched?: readonly string[]
  alike?: number | undefined
}

export interface Detail {
  title: number
  summary: number
  errors: number
  error: number
  decisions: number
  files: number
}

/** From a bare hint to plenty. */
export const DETAILS: readonly Detail[] = [
  { title: 40, summary: 60, errors: 0, error: 0, decisions: 0, files: 0 },
  { title: 50, summary: 90, errors: 1, error: 60, decisions: 0, files: 0 },
  { title: 60, summary: 130, errors: 1, error: 90, decisions: 0, files: 1 },
  { title: 60, summary: 170, errors: 1, error: 120, decisions: 1, files: 2 },
  { title: 70, summary: 240, errors: 2, error: 130, decisions: 1, files: 3 },
  { title: 80, summary: 320, errors: 3, error: 160, decisions: 1, files: 4 },
  { title: 80, summary: 450, errors: 3, error: 200, decisions: 2, files: 6 },
  { title: 100, summary: 700, errors: 4, error: 240, decisions: 3, files: 8 },
  { title: 120, summary: 1_200, errors: 5, error: 300, decisions: 4, files: 10 },
]

const MOST_QUOTED = 3_000

export function iterationViews(findings: readonly ShownIteration[]): Packed<IterationView> {
  return packed(findings.map(cleanFinding), { details: DETAILS, view: viewOf, text: viewText })
}

/** A finding with its texts made safe once, however often they are cut to size afterwards. */
interface CleanFinding {
  fixed: Omit<IterationView, 'task' | 'summary' | 'errors' | 'decided' | 'files'>
  task: string
  summary: string
  errors: { message: string; place: string }[]
  decisions: string[]
  files: string[]
}

export function cleanFinding(finding: ShownIteration): CleanFinding {
  const { record, age, relevance, score, matched, alike } = finding
  const most = DETAILS.at(-1)!
  const ended = endingRemark(record)
  const changed = record.filesTouched.filter(({ action }) => action !== 'read')
  return {
    fixed: {
      iteration: record.iterationNumber,
      task_id: record.taskId,
      outcome: record.outcome,
      ...(record.kind !== 'task' && { kind: record.kind }),
      ...(ended && { ended }),
      when: `${record.timestamp.slice(0, 16)}Z${age ? `, ${age.replace(/^from iteration \d+, /, '')}` : ''}`,
      ...(alike && { alike }),
      ...(relevance && { relevance: `${relevance} (${matched?.join(', ')})` }),
      ...(score !== undefined && { score: Math.round(score * 100) / 100 }),
    },
    task: dataLine(record.taskTitle),
    summary: dataLine(record.summary),
    errors: record.errors.slice(0, most.errors).map(({ message, filePath, line }) => ({
      message: dataLine(message),
      place:
        filePath && !message.includes(filePath) ? ` (${dataLine(filePath)}${line ? `:${line}` : ''})` : '',
    })),
    decisions: record.decisions.slice(0, most.decisions).map(({ description }) => dataLine(description)),
    files: changed.slice(0, most.files).map(({ path }) => dataLine(path)),
  }
}

export function viewOf(finding: CleanFinding, detail: Detail): IterationView {
  const { iteration, task_id, ...fixed } = finding.fixed
  const errors = finding.errors
    .slice(0, detail.errors)
    .map(({ message, place }) => shorten(message, detail.error) + place)
  const decided = finding.decisions.slice(0, detail.decisions).map((line) => shorten(line, detail.error))
  const files = finding.files.slice(0, detail.files)
  return {
    iteration,
    task_id,
    task: shorten(finding.task, detail.title),
    ...fixed,
    summary: shorten(finding.summary, detail.summary),
    ...(errors.length > 0 && { errors }),
    ...(decided.length > 0 && { decided }),
    ...(files.length > 0 && { files }),
  }
}

export function viewText(view: IterationView): string {
  const facts = [
    `iteration ${view.iteration}`,
    view.when,
    view.kind ?? `task ${view.task_id}`,
    ...(view.ended ? [view.ended] : []),
    ...(view.alike ? [`and ${view.alike} alike`] : []),
    ...(view.relevance ? [`${view.relevance} ${view.score}`] : []),
  ]
  return [
    `- [${view.outcome}] ${cited(view.task)} (${facts.join('; ')})`,
    `  ${cited(view.summary)}`,
    ...(view.errors ?? []).map((error) => `  error: ${cited(error)}`),
    ...(view.decided ?? []).map((decision) => `  decided: ${cited(decision)}`),
    ...(view.files
      ? [`  files: ${view.files.map((path) => nameOrQuoted(path, MOST_QUOTED)).join(', ')}`]
      : []),
  ].join('\n')
}

/** What was cut to size, between marks that it cannot contain. */
export function cited(text: string): string {
  return quoted(text, MOST_QUOTED)
}

/** One line of data, cut at a character. */
export function cut(text: string, most: number): string {
  return shorten(dataLine(text), most)
}
