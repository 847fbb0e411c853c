import { RalphError } from '../../../errors.ts'
import type { AppendResult } from '../../../learnings/append.ts'
import type { CareResult } from '../../../learnings/care.ts'
import { type ShownLearning, STALE_MARK } from '../../../learnings/display.ts'
import { learningId } from '../../../learnings/learning.ts'
import { shellWord } from '../../../text/shell-word.ts'
import { shortId } from '../../../text/short-id.ts'
import type { Output } from '../../output.ts'

const INDENT = '            '

/** The result, unless nothing was done. */
export function done(feature: string, result: CareResult): CareResult {
  const { outcome, why } = result
  const hint = `ralph learnings list --feature ${shellWord(feature)}`
  if (outcome === 'not_found')
    throw new RalphError('not_found', `${why} in "${feature}"`, { hint: `See the ids with: ${hint}` })
  if (outcome === 'refused') throw new RalphError('conflict', why, { hint })
  return result
}

export function resultText(out: Output, { learning, why }: CareResult): string {
  if (!learning) return why
  return `${out.style('bold', shortId('learning', learningId(learning)))}  ${learning.text}\n  ${why}`
}

export function learningText(out: Output, feature: string, learning: ShownLearning): string {
  const facts = [
    learning.source,
    ...(learning.iteration === undefined ? [] : [`iteration ${learning.iteration}`]),
    ...(learning.taskId === undefined ? [] : [`task ${learning.taskId} only`]),
    learning.reviewed ? 'reviewed' : 'not reviewed',
    `seen ${learning.hitCount}×`,
  ]
  return [
    `${out.style('bold', shortId('learning', learning.id))}  ${learning.text}`,
    out.style('dim', `${INDENT}${facts.join(' · ')} · because: ${learning.reason}`),
    ...learning.remarks.map((remark) => out.style('yellow', `${INDENT}${remarkText(remark)}`)),
    ...(learning.conflictsWith.length > 0 ? [`${INDENT}→ ${settling(learning.id, feature)}`] : []),
  ].join('\n')
}

function remarkText(remark: string): string {
  return remark === STALE_MARK ? 'stale: nobody has seen or reviewed it for long' : remark
}

/** What decides between two that contradict each other. */
function settling(id: string, feature: string): string {
  return `ralph learnings review ${shortId('learning', id)} --keep-this --feature ${shellWord(feature)}   (or --keep-both)`
}

/** The reason for what is simply added: the outcome says it. */
const NOTHING_TO_SAY = 'new'

export function appendText(
  out: Output,
  feature: string,
  { outcome, learning, conflicts = [], why }: AppendResult,
): string {
  const id = learning ? `${shortId('learning', learningId(learning))}  ` : ''
  const head = `${out.style(outcome === 'conflict' ? 'yellow' : 'green', outcome)}${learning ? `  ${id}${learning.text}` : ''}`
  if (conflicts.length === 0 || !learning) return why === NOTHING_TO_SAY ? head : `${head}\n  ${why}`
  const against = conflicts.map(({ learning: other, how }) => `  contradicts "${other.text}": ${how}`)
  return [head, ...against, `  → ${settling(learningId(learning), feature)}`].join('\n')
}

/** The whole list would drown what happened. */
export function withoutList<Result extends { learnings: unknown }>({
  learnings: _,
  ...rest
}: Result): Omit<Result, 'learnings'> {
  return rest
}
