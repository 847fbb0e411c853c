import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { WORKERS, type WorkerStatus } from '../../conversation-memory/workers/workers.ts'
import { ralphCommand, withExamples } from '../command.ts'
import { table } from '../table.ts'

const PROGRESS_MS = 1_000

export function register(program: Command): void {
  const workers = program
    .command('workers')
    .description('what summarises and embeds conversations in the background')
  registerRun(workers)
  registerStatus(workers)
  registerRetry(workers)
}

function registerRun(workers: Command): void {
  const command = workers
    .command('run')
    .description('work until Ctrl-C; several processes share the work')
    .option('--once', 'do what there is to do now, then end')
  withExamples(command, 'ralph workers run --once')
  ralphCommand<{ once?: boolean }>(command, async ({ ralph, options, out, signal }) => {
    const conversations = await ralph.openConversations()
    const show = async () => {
      const all = await Promise.all(WORKERS.map((name) => conversations.workers.status(name)))
      out.progress(all.map(({ worker, waiting }) => `${worker}: ${waiting} waiting`).join(', '))
    }
    const watching = new AbortController()
    const watch = (async () => {
      while (!signal.aborted && !watching.signal.aborted) {
        await show()
        await sleep(PROGRESS_MS, undefined, { signal: AbortSignal.any([signal, watching.signal]) }).catch(
          () => undefined,
        )
      }
    })()
    if (options.once) {
      const handled = await conversations.workers.runOnce(signal)
      watching.abort()
      await watch
      out.result({ handled }, () => WORKERS.map((name) => `${name}: ${handled[name]} done`).join('\n'))
      for (const [name, problem] of conversations.workers.problems)
        out.notice({ key: name, message: `${name}: ${problem}` })
      return
    }
    conversations.workers.start()
    out.talk('Working. Ctrl-C stops cleanly; nothing finished is lost.')
    await watch
    await conversations.workers.stop()
  })
}

function registerStatus(workers: Command): void {
  const command = workers
    .command('status')
    .description('what runs, what waits, what failed, what it has cost')
  withExamples(command, 'ralph workers status --json')
  ralphCommand(command, async ({ ralph, out }) => {
    const conversations = await ralph.openConversations()
    const all: WorkerStatus[] = []
    for (const name of WORKERS) all.push(await conversations.workers.status(name))
    const spend = await conversations.workers.spend()
    out.result({ workers: all, spend, summariser: conversations.summariserId }, () =>
      [
        table(
          ['worker', 'state', 'on', 'waiting', 'done', 'failed', 'current'],
          all.map((one) => [
            one.worker,
            one.state,
            one.enabled ? 'yes' : 'no',
            one.waiting,
            one.totals.completed,
            one.failures.length,
            one.currentItem ?? '',
          ]),
        ),
        `Summaries: ${conversations.summariserId}. Spent: $${spend.spentUsd.toFixed(4)}${spend.limitUsd === undefined ? '' : ` of $${spend.limitUsd.toFixed(2)}`}`,
        ...all.filter(({ problem }) => problem).map(({ worker, problem }) => `${worker}: ${problem}`),
      ].join('\n'),
    )
  })
}

function registerRetry(workers: Command): void {
  const command = workers.command('retry').description('bring back what was given up')
  withExamples(command, 'ralph workers retry')
  ralphCommand(command, async ({ ralph, out }) => {
    const brought = await (await ralph.openConversations()).workers.retry()
    out.result({ retried: brought }, () => `${brought} items will be tried again.`)
  })
}
