import type { Kind } from '../documents.ts'
import {
  type CommandContext,
  type CommandResult,
  type ConversationCommand,
  count,
  dollars,
  wrongUsage,
} from './command.ts'
import { workerText } from './worker-text.ts'

export const embeddings: ConversationCommand = {
  name: 'embeddings',
  usage: 'embeddings [on|off|verify|rebuild [conversations|exchanges]]',
  description: 'status of the embedding pipeline, switch it, check its vectors, or make them anew',
  examples: ['embeddings', 'embeddings off', 'embeddings rebuild exchanges'],
  async run(args, context) {
    const [change, what, ...rest] = args
    const { workers } = context.conversations
    if (rest.length > 0 || (what !== undefined && change !== 'rebuild')) throw wrongUsage(embeddings)
    switch (change) {
      case undefined:
        return status(context)
      case 'on':
      case 'off':
        await workers.enable('embedding', change === 'on')
        return status(context)
      case 'verify':
        await context.conversations.verifyEmbeddings()
        return {
          text: 'Every vector is looked at again; what is missing or damaged is made anew by the pipeline.',
          data: { verifying: true },
        }
      case 'rebuild':
        return rebuild(what, context)
      default:
        throw wrongUsage(embeddings, `"${change}" is not something embeddings can do`)
    }
  },
}

async function status({ conversations }: CommandContext): Promise<CommandResult> {
  const worker = await conversations.workers.status('embedding')
  const counts = await conversations.workers.embeddings()
  const total = counts.conversation.embedded + counts.exchange.embedded
  const waiting = counts.conversation.waiting + counts.exchange.waiting
  return {
    text: [
      workerText(worker),
      `  Embedded: ${count(total, 'vector')}`,
      `    - conversation summaries: ${counts.conversation.embedded.toLocaleString('en')}`,
      `    - exchanges: ${counts.exchange.embedded.toLocaleString('en')}`,
      ...(waiting > 0 && !worker.enabled
        ? [
            '',
            `! ${count(waiting, 'summary waits', 'summaries wait')} for embedding, and the pipeline is off.`,
            '  → embeddings on',
          ]
        : []),
    ].join('\n'),
    data: { worker, embeddings: counts },
  }
}

async function rebuild(what: string | undefined, context: CommandContext): Promise<CommandResult> {
  const kinds = kindsOf(what)
  const { workers } = context.conversations
  const counts = await workers.embeddings()
  const existing = kinds.reduce((sum, kind) => sum + counts[kind].embedded, 0)
  const all = kinds.reduce((sum, kind) => sum + counts[kind].embedded + counts[kind].waiting, 0)
  const { totals } = await workers.status('embedding')
  const each = totals.completed > 0 ? totals.spendUsd / totals.completed : undefined
  const cost = each === undefined ? 'an unknown amount' : `about ${dollars(each * all)}`
  const question = [
    `This deletes ${count(existing, 'vector')} and makes ${all.toLocaleString('en')} again:`,
    ...kinds.map(
      (kind) =>
        `  - ${count(counts[kind].embedded + counts[kind].waiting, kind === 'exchange' ? 'exchange' : 'conversation summary', kind === 'exchange' ? 'exchanges' : 'conversation summaries')}`,
    ),
    `It costs ${cost}. Searching by words goes on meanwhile.`,
  ].join('\n')
  return {
    text: question,
    data: { deletes: existing, embeds: all, costUsd: each === undefined ? null : each * all },
    confirm: {
      question: `${question}\nType "yes" to go on: `,
      go: async () => {
        await workers.rebuild(kinds)
        return {
          text: `${count(existing, 'vector')} deleted. The pipeline makes them again${context.signal ? '' : ' in the background'}.`,
          data: { deleted: existing, waiting: all },
        }
      },
    },
  }
}

function kindsOf(what: string | undefined): Kind[] {
  if (what === undefined) return ['conversation', 'exchange']
  if (what === 'conversations') return ['conversation']
  if (what === 'exchanges') return ['exchange']
  throw wrongUsage(embeddings, `"${what}" cannot be rebuilt`)
}
