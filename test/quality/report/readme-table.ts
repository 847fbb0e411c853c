import { between, markdownTable } from '../../../scripts/measured/measured-page.ts'
import { isMeasured, type MeasuredSet, type Results, SYSTEMS, type System } from '../results.ts'
import { figure } from './tables.ts'

const MARKS = [
  '<!-- figures of docs/quality.json, written by npm run quality -- --write -->',
  '<!-- end of the figures -->',
] as const

/** Of each set: what the README calls it, and which of its measures it names. */
const ROWS: readonly { set: string; what: string; measures: readonly string[] }[] = [
  {
    set: 'locomo-1',
    what: 'LoCoMo, evidence turns found @5/10/25/50',
    measures: ['R@5', 'R@10', 'R@25', 'R@50'],
  },
  { set: 'failures-clippy', what: 'compiler error → right lint, MRR', measures: ['MRR'] },
  {
    set: 'commands-nl2bash',
    what: 'how-to in other words (nl2bash), MRR / hit@5',
    measures: ['MRR', 'hit@5'],
  },
  { set: 'sessions-entire', what: 'pull request → agent session, MRR', measures: ['MRR'] },
  {
    set: 'notes',
    what: '72 notes asked for in other words / by name: the right one first',
    measures: ['paraphrase R@1', 'identifier R@1'],
  },
  {
    set: 'projects',
    what: '50 notes of each of four projects, asked for with no word in common: first / among five',
    measures: ['paraphrase R@1', 'paraphrase hit@5'],
  },
  {
    set: 'polarity-sick',
    what: 'near-duplicates against contradictions (SICK), F1 / contradictions merged',
    measures: ['F1 of duplicates', 'contradictions merged'],
  },
]

/** The README with its figures replaced by these. */
export function readmeWith(readme: string, results: Results): string {
  return between(readme, MARKS, readmeTable(results))
}

function readmeTable({ sets }: Results): string {
  const measured = sets.filter(isMeasured)
  const rows = ROWS.flatMap(({ set: name, what, measures }) => {
    const set = measured.find((one) => one.name === name)
    return set ? [[what, ...SYSTEMS.map((system) => figuresOf(set, measures, system))]] : []
  })
  return markdownTable(
    ['what (reporting half)', 'plain words (BM25)', 'MiniLM alone', 'Ralph Memory'],
    [...rows, ...abstentionRow(measured)],
  )
}

function figuresOf({ measures }: MeasuredSet, names: readonly string[], system: System): string {
  return names
    .map((name) => {
      const measure = measures.find((one) => one.name === name)
      return figure(measure?.figures.reporting[system], measure?.fewer ? { unit: ' %' } : {})
    })
    .join(names.length > 2 ? '/' : ' / ')
}

/** From the best to the worst of all sets. */
function abstentionRow(sets: readonly MeasuredSet[]): string[][] {
  const rates = sets.flatMap(({ abstention }) => abstention?.reporting ?? [])
  const range = (values: (number | undefined)[]) => {
    const known = values.filter((value) => value !== undefined).sort((a, b) => a - b)
    return [known[0], known.at(-1)].map((value) => (100 * (value ?? 0)).toFixed(0)).join('–')
  }
  if (rates.length === 0) return []
  const answered = range(rates.map(({ unrelatedAnswered }) => unrelatedAnswered?.value))
  const shown = range(rates.map(({ rightShown }) => rightShown?.value))
  return [
    ['questions about something else answered / right answers shown', '', '', `${answered} % / ${shown} %`],
  ]
}
