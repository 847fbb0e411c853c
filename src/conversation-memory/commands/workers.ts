import { WORKERS } from '../workers/workers.ts'
import { type ConversationCommand, count, dollars, wrongUsage } from './command.ts'
import { workerText } from './worker-text.ts'

export const workers: ConversationCommand = {
  name: 'workers',
  usage: 'workers [status|retry]',
  description: 'status of all background workers, or bring back what they gave up',
  examples: ['workers', 'workers retry'],
  async run(args, { conversations }) {
    const [action = 'status', ...rest] = args
    if (rest.length > 0) throw wrongUsage(workers)
    if (action === 'retry') {
      const items = await conversations.workers.retry()
      return { text: `${count(items, 'item')} will be tried again`, data: { retried: items } }
    }
    if (action !== 'status') throw wrongUsage(workers, `"${action}" is not something workers can do`)
    const statuses = await Promise.all(WORKERS.map((name) => conversations.workers.status(name)))
    const { spentUsd, limitUsd } = await conversations.workers.spend()
    return {
      text: [
        ...statuses.map(workerText),
        `Spent in all: ${dollars(spentUsd)}${limitUsd === undefined ? '' : ` of at most $${limitUsd}`}`,
      ].join('\n\n'),
      data: { workers: statuses, spentUsd, limitUsd: limitUsd ?? null },
    }
  },
}
