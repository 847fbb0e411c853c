import type { Command } from 'commander'
import { readReceipts, receiptsFolder, receiptsLike } from '../../receipts/read.ts'
import { type ReceiptReport, SURFACES, type Surface } from '../../receipts/receipt.ts'
import { ReceiptCounts, type ReceiptTotals } from '../../receipts/totals.ts'
import { plural } from '../../text/plural.ts'
import { idOfKind, shortId } from '../../text/short-id.ts'
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
    const { limit, feature, run, surface } = options
    const folder = receiptsFolder(ralph.config.paths)
    if (options.totals) {
      const totals = await new ReceiptCounts(folder).read({ feature, run, surface })
      out.result(totals, () => totalsText(totals))
      if (totals.receipts === 0) out.talk(noneText(options))
      return
    }
    const after = options.after && wholeId(folder, options.after)
    const page = await readReceipts(folder, { limit, feature, run, surface, after })
    out.result(page, () => page.receipts.map((receipt) => receiptText(out, receipt)).join('\n\n'))
    if (page.receipts.length === 0) out.talk(noneText(options))
    if (page.next) out.talk(`There are more: ralph receipts --after ${shortId('receipt', page.next)}`)
    if (page.damagedLines > 0) out.talk(`Skipped, as not readable: ${plural(page.damagedLines, 'line')}`)
  })
}

function noneText({ feature, run, surface, after }: ReceiptFlags): string {
  return [feature, run, surface, after].some((filter) => filter !== undefined)
    ? 'No receipt is like that. Without filters: ralph receipts'
    : 'No receipts yet: nothing has been handed to an agent here.'
}

function wholeId(folder: string, typed: string): string {
  const id = idOfKind('receipt', typed)
  const [found, ...others] = receiptsLike(folder, id)
  return found && others.length === 0 ? found.id : id
}

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

/** "learning 3f2a81b0" says by itself what it is; "iteration 7" does not say why it was told. */
function itemName({ kind, source }: ReceiptReport['items'][number]): string {
  return source.startsWith(kind) ? source : `${kind.replaceAll('_', ' ')} ${source}`
}

export function receiptText(out: Output, receipt: ReceiptReport): string {
  const { ending } = receipt
  const facts = [
    receipt.timestamp.replace('T', ' ').slice(0, 19),
    ...(receipt.feature ? [receipt.feature] : []),
    ...(receipt.taskId === undefined ? [] : [`task ${receipt.taskId}`]),
    `run ${receipt.run}`,
    shortId('receipt', receipt.id),
  ]
  const outcome = ending
    ? `${ending.outcome}${ending.remark ? `, ${ending.remark}` : ''}${ending.iterationNumber ? `, iteration ${ending.iterationNumber}` : ''}`
    : 'not known yet'
  const withheld = receipt.withheld
    ? ` · ${out.style('yellow', 'withheld, as the run was drawn to go without memory')}`
    : ''
  return [
    `${out.style('bold', `${receipt.surface} ${receipt.event}`)}  ${plural(receipt.tokens, 'token')}${withheld}`,
    out.style('dim', `  ${facts.join(' · ')}`),
    ...receipt.items.map((item) => {
      const score = item.score === undefined ? '' : ` ${item.score.toFixed(2)}`
      const isUsed = !receipt.withheld && ending?.used.includes(item.source)
      const used = isUsed ? ` · ${out.style('green', 'used')}` : ''
      const text = item.text ? `\n      ${out.style('dim', oneLine(item.text, 140))}` : ''
      const facts = `${item.why}${score} · ${plural(item.tokens ?? 0, 'token')}${used}`
      return `  ${itemName(item)}: ${facts}${text}`
    }),
    ...receipt.leftOut.map((line) => out.style('dim', `  left out: ${line}`)),
    `  ended: ${outcome}`,
  ].join('\n')
}
