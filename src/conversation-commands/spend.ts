import type { SpendLine } from '../spend/report.ts'
import { spendText } from '../spend/spend-text.ts'
import { layOut } from '../text/columns.ts'
import { dollars } from '../text/dollars.ts'
import { type ConversationCommand, said } from './command.ts'

function table(lines: readonly SpendLine[]): string {
  const rows = lines.map((line) => [
    line.month,
    line.purpose,
    line.model,
    String(line.calls),
    line.inputTokens.toLocaleString('en'),
    line.outputTokens.toLocaleString('en'),
    line.unpricedCalls > 0 && line.usd === 0 ? 'unknown' : dollars(line.usd),
    line.estimatedUsd > 0 ? dollars(line.estimatedUsd) : '',
  ])
  const head = ['month', 'for', 'model', 'calls', 'tokens in', 'out', 'cost', 'estimated']
  return layOut([head, ...rows])
}

export const spendCommand: ConversationCommand = {
  name: 'spend status',
  byDefault: true,
  options: [{ flags: '--all', description: 'every month, not only the one that the limits count' }],
  description: 'what models and embeddings have cost, by purpose and model, and the limits',
  examples: ['', '--all'],
  async run({ conversations }, { options }) {
    const report = await conversations.spend()
    const lines = options['all'] ? await conversations.spentByMonth() : report.lines
    const text = [spendText(report), ...(lines.length > 0 ? ['', table(lines)] : [])].join('\n')
    return {
      ...said({ ...report, lines }, text),
      ...(lines.length === 0 && { remark: 'Nothing that costs money has been asked for.' }),
    }
  },
}
