import type { Command } from 'commander'
import { readReceipts, receiptsFolder } from '../../receipts/read.ts'
import { type ReceiptReport, SURFACES, type Surface } from '../../receipts/receipt.ts'
import { ReceiptCounts, type ReceiptTotals } from '../../receipts/totals.ts'
import { oneLine } from '../../text/truncate.ts'
import { parseOneOf, parseWholeNumber, ralphCommand, withExamples } from '../command.ts'
import type { Output } from '../output.ts'
import { table } from '../table.ts'

interface ReceiptFlags {
  limit: number
  feature?: string
  run?: string
  surface?: Surface
  after?: string
  totals?: boolean
}

export function register(receipts: Command): void {
  receipts
    .option('--limit <number>', 'how many, newest first', parseWholeNumber('--limit', 1), 20)
    .option('--feature <name>', 'only of this feature')
    .option('--run <id>', 'only of this session or iteration')
    .option('--surface <name>', `only from: ${SURFACES.join(', ')}`, parseOneOf('--surface', SURFACES))
    .option('--after <id>', 'only those before this receipt, to read on')
    .option('--totals', 'what was told and used of each kind, and how the runs ended')
  withExamples(
    receipts,
    'ralph receipts --feature auth --limit 5',
    'ralph receipts --surface hook --json',
    'ralph receipts --totals --feature auth',
  )
  ralphCommand<ReceiptFlags>(receipts, async ({ ralph, options, out }) => {
    const { limit, feature, run, surface, after } = options
    const folder = receiptsFolder(ralph.config.paths)
    if (options.totals) {
      const totals = await new ReceiptCounts(folder).read({ feature, run, surface })
      out.result(totals, () => totalsText(totals))
      if (totals.receipts === 0) out.talk(NONE)
      return
    }
    const page = await readReceipts(folder, { limit, feature, run, surface, after })
    out.result(page, () => page.receipts.map((receipt) => receiptText(out, receipt)).join('\n\n'))
    if (page.receipts.length === 0) out.talk(NONE)
    if (page.next) out.talk(`There are more: ralph receipts --after ${page.next}`)
    if (page.damagedLines > 0) out.talk(`${page.damagedLines} unreadable lines were skipped`)
  })
}

const NONE = 'No receipts yet: nothing has been handed to an agent here.'

function totalsText({ kinds }: ReceiptTotals): string {
  const rows = kinds.map(({ kind, told, used, judged, outcomes }) => [
    kind,
    told,
    `${used} of ${judged}`,
    Object.entries(outcomes)
      .map(([outcome, count]) => `${outcome} ${count}`)
      .join(', '),
  ])
  return table(['kind', 'told', 'used', 'its runs ended'], rows)
}

function receiptText(out: Output, receipt: ReceiptReport): string {
  const { ending } = receipt
  const facts = [
    receipt.timestamp.replace('T', ' ').slice(0, 19),
    ...(receipt.feature ? [receipt.feature] : []),
    ...(receipt.taskId === undefined ? [] : [`task ${receipt.taskId}`]),
    `run ${receipt.run}`,
  ]
  const outcome = ending
    ? `${ending.outcome}${ending.remark ? `, ${ending.remark}` : ''}${ending.iterationNumber ? `, iteration ${ending.iterationNumber}` : ''}`
    : 'not known yet'
  return [
    `${out.style('bold', `${receipt.surface} ${receipt.event}`)}  ${receipt.tokens} tokens`,
    out.style('dim', `  ${facts.join(' · ')}`),
    ...receipt.items.map((item) => {
      const score = item.score === undefined ? '' : ` ${item.score.toFixed(2)}`
      const used = ending?.used.includes(item.source) ? ` ${out.style('green', 'used')}` : ''
      const text = item.text ? `\n      ${out.style('dim', oneLine(item.text, 140))}` : ''
      return `  ${item.kind} ${item.source}: ${item.why}${score}, ${item.tokens ?? 0} tokens${used}${text}`
    }),
    ...receipt.leftOut.map((line) => out.style('dim', `  left out: ${line}`)),
    `  ended: ${outcome}`,
  ].join('\n')
}
