import type { Command } from 'commander'
import { UsageError } from '../../errors.ts'
import { type SyncReport, syncSessions } from '../../sync/sync.ts'
import { plural } from '../../text/plural.ts'
import { shortId } from '../../text/short-id.ts'
import { AGENT_NAMES, type AgentName, agentLabel } from '../../transcripts/agents.ts'
import { parseOneOf, parseTime, ralphCommand, withExamples } from '../command.ts'
import type { Output } from '../output.ts'

interface SyncFlags {
  agent?: AgentName
  since?: string
  all?: boolean
  running?: boolean
}

export function register(sync: Command): void {
  sync
    .option('--agent <name>', `only of: ${AGENT_NAMES.join(', ')}`, parseOneOf('--agent', AGENT_NAMES))
    .option(
      '--since <time>',
      'only sessions written to since (default: the last week the first time, then all that is new)',
      parseTime('--since'),
    )
    .option('--all', 'every session of this project, however old')
    .option('--running', 'also sessions of the last minutes, which may still go on')
  withExamples(sync, 'ralph sync', 'ralph sync --agent codex --since "2 weeks"', 'ralph sync --all --json')
  ralphCommand<SyncFlags>(
    sync,
    async ({ ralph, options, out, signal }) => {
      const { agent, since, all, running } = options
      if (all && since !== undefined) throw new UsageError('--all and --since exclude each other')
      const report = await syncSessions(ralph, {
        agent,
        running,
        signal,
        ...(all ? { since: 0 } : since !== undefined && { since: Date.parse(since) }),
        onProgress: (done, of) => out.progress(`${done} of ${plural(of, 'session')}`),
      })
      out.result(report, () => reportText(out, report))
      for (const line of remarks(report)) out.talk(line)
    },
    { leavesSessions: true },
  )
}

function reportText(out: Output, { recorded, found }: SyncReport): string {
  if (found === 0) return 'No agent has kept a session of this project.'
  if (recorded.length === 0) return 'Nothing new.'
  return [
    `${plural(recorded.length, 'session')} recorded:`,
    ...recorded.map(({ agent, sessionId, feature, iterationNumber }) => {
      const id =
        feature === undefined
          ? shortId('conversation', sessionId)
          : shortId('iteration', `${feature}-${iterationNumber}`)
      const where = feature === undefined ? 'as a conversation' : `in ${feature}`
      return `  ${out.style('cyan', id)}  ${agentLabel(agent)}, ${where}`
    }),
  ].join('\n')
}

function remarks({ running, older, failed }: SyncReport): string[] {
  return [
    ...(running > 0
      ? [`${plural(running, 'session')} may still go on. Now all the same: ralph sync --running`]
      : []),
    ...(older > 0 ? [`${plural(older, 'older session')} left out. Take them too: ralph sync --all`] : []),
    ...failed.map(
      ({ agent, path, why }) =>
        `Not readable (${agentLabel(agent)}): ${why}${path && !why.includes(path) ? `, ${path}` : ''}`,
    ),
  ]
}
