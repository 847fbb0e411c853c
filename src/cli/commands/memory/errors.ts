import type { Command } from 'commander'
import {
  ERROR_LIVES,
  type ErrorLife,
  type LedgerEntry,
  type LedgerRun,
  type Solution,
} from '../../../feature-memory/ledger/ledger.ts'
import { shortId } from '../../../text/short-id.ts'
import { oneLine } from '../../../text/truncate.ts'
import { parseOneOf, ralphCommand, withExamples } from '../../command.ts'
import { AT_HAND, featureOrAtHand } from '../../current-feature.ts'
import { LIFE_WORDS } from '../../life-words.ts'
import type { Output } from '../../output.ts'
import { explainEmpty } from './explain-empty.ts'

const BADGES: Record<ErrorLife, { mark: string; colour: 'green' | 'red' | 'yellow' }> = {
  came_back: { mark: '↻', colour: 'red' },
  open: { mark: '✗', colour: 'red' },
  not_seen_since: { mark: '·', colour: 'yellow' },
  solved: { mark: '✓', colour: 'green' },
}
/** What is in the way first. */
const ORDER = Object.keys(BADGES) as ErrorLife[]
const NONE: Record<ErrorLife, string> = {
  came_back: 'No error came back.',
  open: 'No error is open.',
  not_seen_since: 'Of no error is it unknown what became of it.',
  solved: 'No error is shown to be solved.',
}
const MOST_FILES = 5

export function registerErrors(memory: Command): void {
  const errors = memory
    .command('errors')
    .description('the errors iterations met: open, solved, come back, or not seen since')
    .option('--feature <name>', `the feature ${AT_HAND}`)
    .option('--life <life>', `only these: ${ERROR_LIVES.join(', ')}`, parseOneOf('--life', ERROR_LIVES))
  withExamples(
    errors,
    'ralph memory errors --feature auth',
    'ralph memory errors --feature auth --life solved --json',
  )
  ralphCommand<{ feature?: string; life?: ErrorLife }>(errors, async ({ ralph, options, out }) => {
    const { life } = options
    const feature = await featureOrAtHand(ralph, options.feature, out)
    const entries = await ralph.featureMemory.errors(feature, life)
    const sorted = entries.toSorted((a, b) => ORDER.indexOf(a.life) - ORDER.indexOf(b.life))
    out.result({ errors: sorted }, () => sorted.map((entry) => errorText(out, entry)).join('\n\n'))
    if (sorted.length > 0) return
    await explainEmpty(out, ralph, feature, life === undefined ? 'No errors met so far.' : NONE[life])
  })
}

/** The life of one error as a few lines a person can scan. */
function errorText(out: Output, entry: LedgerEntry): string {
  const { mark, colour } = BADGES[entry.life]
  return [
    `${out.style(colour, `${mark} ${LIFE_WORDS[entry.life]}`)}  ${out.style('bold', oneLine(entry.message, 200))}`,
    out.style('dim', `  ${facts(entry).join(' · ')}`),
    ...entry.solutions.slice(-2).flatMap((solution) => solutionLines(out, solution)),
  ].join('\n')
}

function facts({ id, type, filePath, line, sightings, times, check }: LedgerEntry): string[] {
  const place = filePath && `${filePath}${line ? `:${line}` : ''}`
  const [first, last] = [sightings[0]!, sightings.at(-1)!]
  const seen =
    times === 1
      ? `seen in iteration ${runWords(last)}`
      : `seen in ${times} iterations, from ${first.iteration} to ${runWords(last)}`
  return [
    ...(place ? [place] : []),
    ...(type && type !== 'unknown' ? [type] : []),
    seen,
    check ? `reported by ${oneLine(check.command, 80)}` : 'reported by no check',
    shortId('error', id),
  ]
}

function solutionLines(out: Output, { iteration, check, by, cameBackIn }: Solution): string[] {
  const mark = out.style(cameBackIn ? 'yellow' : 'green', cameBackIn ? 'held' : 'gone')
  const until = cameBackIn ? `, back in iteration ${cameBackIn}` : ''
  const proof = `  ${mark}  ${oneLine(check, 80)} no longer reported it in iteration ${iteration}${until}`
  if (!by) return [`${proof}; nothing shows whose work it was`]
  const more = by.files.length - MOST_FILES
  const files = `${by.files.slice(0, MOST_FILES).join(', ')}${more > 0 ? `, and ${more} more` : ''}`
  const whose = by.iteration === iteration ? 'it' : `iteration ${by.iteration}`
  const said = by.summary === '' ? [] : [`        ${oneLine(by.summary, 200)}`]
  return [`${proof}; ${whose} changed ${files}`, ...said]
}

function runWords({ iteration, taskId, taskTitle }: LedgerRun): string {
  return taskId > 0 ? `${iteration} (task ${taskId} "${oneLine(taskTitle, 60)}")` : `${iteration}`
}
