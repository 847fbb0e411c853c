import { z } from 'zod'
import { asData, type IterationRecord } from '../index.ts'
import { type Packed, packed } from './pack.ts'

/** One iteration, short: what a model needs to decide whether it matters. */
export const IterationView = z.object({
  iteration: z.number(),
  task_id: z.number(),
  task: z.string(),
  outcome: z.string(),
  when: z.string().describe('Time in UTC, and how long ago'),
  relevance: z.string().optional().describe('How sure it is, and whether meaning, words or both matched'),
  score: z.number().optional(),
  summary: z.string(),
  errors: z.array(z.string()).optional(),
  decided: z.array(z.string()).optional(),
  files: z.array(z.string()).optional().describe('changed, not merely read'),
})
export type IterationView = z.infer<typeof IterationView>

/** What only a search knows. */
export interface Finding {
  record: IterationRecord
  age?: string
  relevance?: string
  score?: number
  matched?: readonly string[]
}

interface Detail {
  title: number
  summary: number
  errors: number
  error: number
  decisions: number
  files: number
}

/** From a bare hint to plenty. */
const DETAILS: readonly Detail[] = [
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

export function iterationViews(findings: readonly Finding[]): Packed<IterationView> {
  return packed(findings, { details: DETAILS, view: viewOf, text: viewText })
}

function viewOf({ record, age, relevance, score, matched }: Finding, detail: Detail): IterationView {
  const errors = record.errors.slice(0, detail.errors).map(({ message, filePath, line }) => {
    const place = filePath ? ` (${filePath}${line ? `:${line}` : ''})` : ''
    return cut(message, detail.error) + (message.includes(filePath ?? '\0') ? '' : place)
  })
  const decided = record.decisions
    .slice(0, detail.decisions)
    .map(({ description }) => cut(description, detail.error))
  const changed = record.filesTouched.filter(({ action }) => action !== 'read').map(({ path }) => path)
  return {
    iteration: record.iterationNumber,
    task_id: record.taskId,
    task: cut(record.taskTitle, detail.title),
    outcome: record.outcome,
    when: `${record.timestamp.slice(0, 16)}Z${age ? `, ${age.replace(/^from iteration \d+, /, '')}` : ''}`,
    ...(relevance && { relevance: `${relevance} (${matched?.join(', ')})` }),
    ...(score !== undefined && { score: Math.round(score * 100) / 100 }),
    summary: cut(record.summary, detail.summary),
    ...(errors.length > 0 && { errors }),
    ...(decided.length > 0 && { decided }),
    ...(changed.length > 0 && detail.files > 0 && { files: changed.slice(0, detail.files).map(asData) }),
  }
}

function viewText(view: IterationView): string {
  const facts = [
    `iteration ${view.iteration}`,
    view.when,
    `task ${view.task_id}`,
    ...(view.relevance ? [`${view.relevance} ${view.score}`] : []),
  ]
  return [
    `- [${view.outcome}] ${view.task} (${facts.join('; ')})`,
    `  ${view.summary}`,
    ...(view.errors ?? []).map((error) => `  error: ${error}`),
    ...(view.decided ?? []).map((decision) => `  decided: ${decision}`),
    ...(view.files ? [`  files: ${view.files.join(', ')}`] : []),
  ].join('\n')
}

/** Sanitised again, on one line, and cut at a character. */
export function cut(text: string, most: number): string {
  const line = asData(text)
  if (line.length <= most) return line
  return `${line
    .slice(0, most - 1)
    .toWellFormed()
    .trimEnd()}…`
}
