import type { ItemKind } from '../conversation-memory/documents.ts'
import type { RebuildPlan } from '../conversation-memory/status.ts'
import { spendText } from '../spend/spend-text.ts'
import { dollars } from '../text/dollars.ts'
import { plural } from '../text/plural.ts'
import { type CommandContext, type CommandResult, type ConversationCommand, said } from './command.ts'
import { workerText } from './worker-text.ts'

const status: ConversationCommand = {
  name: 'embeddings status',
  byDefault: true,
  description: 'what is embedded and what waits for it',
  examples: [''],
  run: ({ conversations }) => statusResult(conversations),
}

const turn = (name: 'on' | 'off', description: string): ConversationCommand => ({
  name: `embeddings ${name}`,
  forPeople: 'switch what embeds',
  description,
  examples: [''],
  async run({ conversations }) {
    await conversations.workers.enable('embedding', name === 'on')
    return statusResult(conversations)
  },
})

async function statusResult(conversations: CommandContext['conversations']): Promise<CommandResult> {
  const { workers } = conversations
  const spend = await conversations.spend()
  const worker = await workers.status('embedding')
  const embeddings = await workers.embeddings()
  const { conversation, exchange } = embeddings
  const waiting = conversation.waiting + exchange.waiting
  const lines = [
    workerText(worker),
    `  Embedded: ${plural(conversation.embedded + exchange.embedded, 'vector')}`,
    `    - conversation summaries: ${conversation.embedded}`,
    `    - exchanges: ${exchange.embedded}`,
    ...(spend.lines.some(({ purpose }) => purpose === 'embedding') ? ['', spendText(spend)] : []),
    ...(waiting > 0 && !worker.enabled
      ? [
          '',
          `! ${plural(waiting, 'item waits', 'items wait')} for embedding, and the pipeline is off.`,
          '  → embeddings on',
        ]
      : []),
  ]
  return said({ worker, embeddings, spend }, lines.join('\n'))
}

const verify: ConversationCommand = {
  name: 'embeddings verify',
  description: 'look for vectors that are missing or damaged',
  examples: [''],
  async run({ conversations }) {
    await conversations.verifyEmbeddings()
    return said(
      { verifying: true },
      'Every vector is looked at again; what is missing or damaged is made anew by the pipeline.',
    )
  },
}

const KINDS: { readonly [word: string]: readonly ItemKind[] } = {
  conversations: ['conversation'],
  exchanges: ['exchange'],
}

const rebuild: ConversationCommand = {
  name: 'embeddings rebuild',
  arguments: '[conversations|exchanges]',
  description: 'delete vectors and make them again; says what it costs and asks first',
  examples: ['exchanges'],
  asks: true,
  async run({ conversations }, { words: [what] }) {
    const plan = await conversations.rebuildPlan(KINDS[what ?? ''] ?? ['conversation', 'exchange'])
    if (plan.embeds === 0 && plan.deletes === 0) return said(plan, 'There is nothing to make again.')
    const question = planText(plan)
    return {
      ...said(plan, question),
      confirm: {
        question,
        go: async () => {
          await conversations.workers.rebuild(plan.kinds)
          return said(
            { deleted: plan.deletes, waiting: plan.embeds },
            `${plural(plan.deletes, 'vector')} deleted. The pipeline makes them again.`,
          )
        },
      },
    }
  },
}

function planText({ deletes, embeds, embedsOf, costUsd }: RebuildPlan): string {
  const { conversation, exchange } = embedsOf
  return [
    `This deletes ${plural(deletes, 'vector')} and makes ${embeds} again:`,
    ...(conversation === undefined
      ? []
      : [`  - ${plural(conversation, 'conversation summary', 'conversation summaries')}`]),
    ...(exchange === undefined ? [] : [`  - ${plural(exchange, 'exchange')}`]),
    `It costs ${costUsd === null ? 'an unknown amount' : `about ${dollars(costUsd)}`}. Searching by words goes on meanwhile.`,
  ].join('\n')
}

export const embeddingCommands = [
  status,
  turn('on', 'run the pipeline'),
  turn('off', 'stop it; what waits is found by words only'),
  verify,
  rebuild,
]
