import type { WorkerName } from '../workers/workers.ts'
import { type CommandContext, type CommandResult, type ConversationCommand, wrongUsage } from './command.ts'
import { workerText } from './worker-text.ts'

const BOTH = ['conversation', 'exchange'] as const

export const summarizer: ConversationCommand = {
  name: 'summarizer',
  usage: 'summarizer [conversation|exchange] [on|off]',
  description: 'status of the summarizers, or switch them',
  examples: ['summarizer', 'summarizer off', 'summarizer exchange on'],
  async run(args, context) {
    const [first, second, ...rest] = args
    const named = BOTH.find((kind) => kind === first)
    const change = named ? second : first
    if (rest.length > 0 || (!named && second !== undefined)) throw wrongUsage(summarizer)
    if (change !== undefined && change !== 'on' && change !== 'off') {
      throw wrongUsage(summarizer, `"${change}" is neither on nor off`)
    }
    const workers: readonly WorkerName[] = named ? [named] : BOTH
    if (change)
      for (const worker of workers) await context.conversations.workers.enable(worker, change === 'on')
    return statusOf(workers, context)
  },
}

async function statusOf(
  names: readonly WorkerName[],
  { conversations }: CommandContext,
): Promise<CommandResult> {
  const statuses = await Promise.all(names.map((name) => conversations.workers.status(name)))
  const { spentUsd, limitUsd } = await conversations.workers.spend()
  const by = conversations.summariserId
  return {
    text: [
      ...statuses.map(workerText),
      `Summaries by: ${by === 'extractive' ? 'extraction (no model configured; offline and free)' : by}`,
      ...(by === 'extractive' || limitUsd === undefined ? [] : [`Spending limit: $${limitUsd} in all`]),
    ].join('\n\n'),
    data: { summariser: by, spentUsd, limitUsd: limitUsd ?? null, workers: statuses },
  }
}
