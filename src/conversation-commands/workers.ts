import { setTimeout as sleep } from 'node:timers/promises'
import type { Conversations } from '../conversation-memory/conversations.ts'
import type { WorkersStatus } from '../conversation-memory/status.ts'
import { WORKERS, type WorkerName } from '../conversation-memory/workers/workers.ts'
import { spendText } from '../spend/spend-text.ts'
import { plural } from '../text/plural.ts'
import { type CommandContext, type CommandResult, type ConversationCommand, said } from './command.ts'
import { workerText } from './worker-text.ts'

const SUMMARIZERS = ['conversation', 'exchange'] as const
const PROGRESS_MS = 1_000

const summarizer = (
  name: string,
  names: readonly WorkerName[],
  description: string,
  turn?: boolean,
): ConversationCommand => ({
  name: `summarizer ${name}`,
  forPeople: ({ words }) => (turn === undefined && words.length === 0 ? undefined : 'switch summarizers'),
  ...(name === 'status' ? { byDefault: true as const } : turn === undefined && { arguments: '[on|off]' }),
  description,
  examples: [''],
  async run({ conversations }, { words: [word] }) {
    const on = word === undefined ? turn : word === 'on'
    if (on !== undefined) for (const worker of names) await conversations.workers.enable(worker, on)
    const status = await conversations.workersStatus(names)
    return said(status, statusText(status))
  },
})

export const summarizerCommands = [
  summarizer('status', SUMMARIZERS, 'what both are doing'),
  summarizer('on', SUMMARIZERS, 'switch both on', true),
  summarizer('off', SUMMARIZERS, 'switch both off', false),
  summarizer('conversation', ['conversation'], 'status of the summarizer of conversations, or switch it'),
  summarizer('exchange', ['exchange'], 'status of the summarizer of exchanges, or switch it'),
]

function statusText({ workers, summariser, spend }: WorkersStatus): string {
  return [
    ...workers.map(workerText),
    [
      `Summaries by: ${summariser === 'extractive' ? 'extraction (no model configured; offline and free)' : summariser}`,
      spendText(spend),
    ].join('\n'),
  ].join('\n\n')
}

const status: ConversationCommand = {
  name: 'workers status',
  byDefault: true,
  description: 'what runs, what waits, what failed, what it has cost',
  examples: ['--json'],
  async run({ conversations }) {
    const now = await conversations.workersStatus()
    return said(now, statusText(now))
  },
}

const retry: ConversationCommand = {
  name: 'workers retry',
  description: 'bring back what was given up',
  examples: [''],
  async run({ conversations }) {
    const retried = await conversations.workers.retry()
    return said({ retried }, `${plural(retried, 'item')} will be tried again`)
  },
}

const clear: ConversationCommand = {
  name: 'workers clear',
  forPeople: 'take work off the list',
  description: 'take what was given up off the list; retry brings it back, too',
  examples: [''],
  async run({ conversations }) {
    const cleared = await conversations.workers.clear()
    return said({ cleared }, `${plural(cleared, 'item')} taken off the list`)
  },
}

const run: ConversationCommand = {
  name: 'workers run',
  // A chat runs them anyway.
  only: 'shell',
  options: [{ flags: '--once', description: 'do what there is to do now, then end' }],
  description: 'work until Ctrl-C; several processes share the work',
  examples: ['--once'],
  isPatient: ({ options }) => !options['once'],
  async run(context, { options }) {
    const { workers } = context.conversations
    const done = new AbortController()
    const watching = watch(context, done.signal)
    try {
      if (!options['once']) {
        workers.start()
        await watching
        return said({}, '')
      }
      return onceResult(context.conversations, await workers.runOnce(context.signal))
    } finally {
      done.abort()
      await watching
      await workers.stop()
    }
  },
}

async function watch(
  { conversations, onProgress, signal }: CommandContext,
  done: AbortSignal,
): Promise<void> {
  const end = AbortSignal.any([signal, done])
  let works = true
  while (!end.aborted) {
    const status = await conversations.workersStatus().catch(() => undefined)
    if (status) onProgress(waitingText(status))
    // The storage went away or came back: a worker at rest would notice, and say so or go on, only later.
    if (works !== (status !== undefined)) conversations.workers.signal()
    works = status !== undefined
    await sleep(PROGRESS_MS, undefined, { signal: end }).catch(() => undefined) // the end is no failure
  }
}

function waitingText({ workers }: WorkersStatus): string {
  return workers.map(({ worker, waiting }) => `${worker}: ${waiting} waiting`).join(', ')
}

async function onceResult(
  { workers }: Conversations,
  done: Record<WorkerName, number>,
): Promise<CommandResult> {
  const failed = Object.fromEntries(WORKERS.map((name) => [name, workers.failedOf(name)]))
  const problems = new Map(workers.problems)
  for (const name of WORKERS) {
    const [failure] = failed[name] === 0 ? [] : (await workers.status(name)).failures
    if (failure) problems.set(name, `${failure.problem} → ralph workers status`)
  }
  const trouble = [...problems].map(([name, problem]) => `${name}: ${problem}`)
  const line = (name: WorkerName) =>
    `${name}: ${done[name]} done${failed[name] ? `, ${failed[name]} failed (tried again later)` : ''}`
  return {
    ...said({ done, failed, problems: Object.fromEntries(problems) }, WORKERS.map(line).join('\n')),
    ...(trouble.length > 0 && { remark: trouble.join('\n') }),
  }
}

export const workerCommands = [status, retry, clear, run]
