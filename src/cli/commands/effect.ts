import type { Command } from 'commander'
import type { EffectReport, MeasuredEffect } from '../../effect/report.ts'
import {
  basisSentence,
  drawsSentence,
  effectWords,
  intervalWords,
  lookedUpSentence,
  MEASURE_NAMES,
  valueWords,
  WAYS_TO_FIND_OUT,
} from '../../effect/words.ts'
import type { PieceCounts, PieceKind } from '../../receipts/pieces.ts'
import { plural } from '../../text/plural.ts'
import { parseTime, ralphCommand, withExamples } from '../command.ts'
import type { Output } from '../output.ts'
import { table } from '../table.ts'

interface EffectFlags {
  feature?: string
  since?: string
}

export function register(effect: Command): void {
  effect
    .option('--feature <name>', 'only of this feature')
    .option('--since <time>', 'only runs from this time on: 2026-02-07, 3d, "2 weeks"', parseTime('--since'))
  withExamples(
    effect,
    'ralph effect',
    'ralph effect --feature auth --since "3 months"',
    'ralph effect --json',
  )
  ralphCommand<EffectFlags>(effect, async ({ ralph, options, out }) => {
    const { feature, since } = options
    const report = await ralph.effect.report({ feature, since })
    out.result(report, () => effectText(out, report))
    if (report.runs.all === 0 && (feature !== undefined || since !== undefined))
      out.talk('No run on a task is like that. Without filters: ralph effect')
  })
}

function effectText(out: Output, report: EffectReport): string {
  const { runs, pieces, headline, holdout } = report
  const isCompared = runs.told + runs.withheld > 0
  const parts = [
    out.style('bold', headline),
    ...(isCompared ? [measuresTable(report), basisText(out, report)] : []),
    ...(holdout === 0 ? [waysToFindOut(isCompared)] : []),
    ...(pieces.length > 0 ? [piecesText(out, pieces)] : []),
    ...notDrawnText(out, report),
  ]
  return parts.join('\n\n')
}

function measuresTable({ measures }: EffectReport): string {
  return table(
    ['', 'with memory', 'without', 'difference', 'sure to lie', 'rests on', 'verdict'],
    measures.map((one) => [
      MEASURE_NAMES[one.measure],
      armWords(one, 'told'),
      armWords(one, 'withheld'),
      one.effect === undefined ? '-' : effectWords(one.comparedAs, one.effect),
      intervalWords(one) || '-',
      `${one.told.runs} + ${one.withheld.runs} runs, ${one.told.tasks} + ${one.withheld.tasks} tasks`,
      one.verdict,
    ]),
  )
}

function armWords({ measure, ...one }: MeasuredEffect, arm: 'told' | 'withheld'): string {
  const { value } = one[arm]
  return value === undefined ? '-' : valueWords(measure, value)
}

/** What the verdicts rest on, and what they still lack. */
function basisText(out: Output, { measures, runs, draws }: EffectReport): string {
  const lacking = measures.filter(({ verdict }) => verdict === 'too little data')
  return [
    ...whatIsLacking(lacking),
    out.style('dim', basisSentence(runs)),
    ...(runs.lookedUp > 0 ? [lookedUpSentence(runs)] : []),
    out.style(draws.differing.length > 0 ? 'yellow' : 'dim', drawsSentence(draws)),
  ].join('\n')
}

/** What several measures lack alike is said once. */
function whatIsLacking(measures: readonly MeasuredEffect[]): string[] {
  const alike = Map.groupBy(measures, ({ measure, sentence }) =>
    sentence.replace(MEASURE_NAMES[measure], '…'),
  )
  return [...alike].map(([sentence, some]) =>
    sentence.replace('…', listed(some.map(({ measure }) => MEASURE_NAMES[measure]))),
  )
}

function listed(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ')
}

function waysToFindOut(isCompared: boolean): string {
  const opening = isCompared ? 'No more runs are drawn. To go on: ' : 'To find out: '
  return [`${opening}ralph config set loop.holdout 0.1`, ...WAYS_TO_FIND_OUT.map((line) => `  ${line}`)].join(
    '\n',
  )
}

function piecesText(out: Output, pieces: readonly PieceKind[]): string {
  const isWithheld = pieces.some(({ withheld }) => withheld.pieces > 0)
  const rows = pieces.flatMap(({ kind, told, withheld }) => [
    ...(told.pieces > 0 ? [pieceRow(kind, 'told', told)] : []),
    ...(withheld.pieces > 0 ? [pieceRow(kind, 'withheld', withheld)] : []),
  ])
  const head = ['piece of memory', '', 'pieces', 'used', 'error back', 'failed again', 'file touched']
  const heading = `What was told${isWithheld ? ' and what was withheld' : ''}, as far back as receipts are kept`
  return `${out.style('bold', heading)}\n${table(head, rows)}`
}

function pieceRow(kind: string, how: string, counts: PieceCounts): (string | number)[] {
  const { pieces, judged, used, errors, commands, files } = counts
  const share = (some: number, of: number) => (of === 0 ? '-' : `${some} of ${of}`)
  return [
    ...[kind.replaceAll('_', ' '), how, pieces],
    share(used, judged),
    share(errors.cameBack, errors.judged),
    share(commands.failedAgain, commands.judged),
    share(files.touched, files.judged),
  ]
}

function notDrawnText(out: Output, { notDrawn }: EffectReport): string[] {
  const { given, notGiven, unknown, why } = notDrawn
  if (given.runs + notGiven.runs === 0) return []
  const rows = Object.entries(MEASURE_NAMES).map(([name, words]) => {
    const measure = name as MeasuredEffect['measure']
    const shown = [given, notGiven].map((arm) => arm[measure].value)
    return [words, ...shown.map((value) => (value === undefined ? '-' : valueWords(measure, value)))]
  })
  const older = unknown > 0 ? `, ${unknown} from before this was kept` : ''
  return [
    [
      out.style('bold', 'Not drawn: a description, no effect'),
      `${plural(given.runs, 'run')} with memory, ${notGiven.runs} without${older}`,
      table(['', 'with memory', 'without'], rows),
      out.style('dim', why),
    ].join('\n'),
  ]
}
