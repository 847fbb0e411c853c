import { resolve } from 'node:path'
import type { Conversations } from '../conversation-memory/conversations.ts'
import type { ImportReport } from '../conversation-memory/import/report.ts'
import { UsageError } from '../errors.ts'
import { plural } from '../text/plural.ts'
import { AGENT_NAMES, agentLabel, isAgentName } from '../transcripts/agents.ts'
import { type ConversationCommand, said } from './command.ts'

const FORMATS = [...AGENT_NAMES, 'jsonl', 'auto'] as const
type Format = (typeof FORMATS)[number]

export const importCommand: ConversationCommand = {
  name: 'conversations import',
  arguments: '[path]',
  options: [
    {
      flags: '--format <format>',
      description: `whose sessions: ${FORMATS.join(', ')} (default auto: every agent's, told by the content)`,
      value: FORMATS,
    },
    { flags: '--this-project', description: 'only sessions that took place in this project' },
  ],
  description:
    'import sessions of coding agents; what is here already is left alone (default: from the folders in which they keep them)',
  examples: ['', '--this-project', '--format codex', 'history.jsonl'],
  // A file can say anything of what a person has said; where programs keep their sessions, it was said.
  forPeople: ({ words }) => (words.length > 0 ? 'bring conversations from a file' : undefined),
  async run({ conversations, project, onProgress, signal }, { words: [given], options }) {
    const { format = 'auto', thisProject } = options as { format?: Format; thisProject?: boolean }
    const path = given === undefined ? undefined : resolve(given)
    const watched = { signal, onProgress: (report: ImportReport) => onProgress(progressText(report)) }
    const report = (await isNeutral(conversations, format, path))
      ? await conversations.importJsonl(requireFile(path), watched)
      : await conversations.importSessions(path, {
          ...watched,
          ...(isAgentName(format) && { agent: format }),
          ...(thisProject && { project }),
        })
    return {
      ...said(report, reportText(report)),
      ...(report.exchanges.added + report.exchanges.updated > 0 && {
        remark: 'Search at once; summaries and meaning follow with: ralph workers run --once',
      }),
    }
  },
}

async function isNeutral(
  conversations: Conversations,
  format: Format,
  path: string | undefined,
): Promise<boolean> {
  if (format !== 'auto' || path === undefined) return format === 'jsonl'
  return conversations.isExchangeFile(path)
}

function requireFile(path: string | undefined): string {
  if (path === undefined) throw new UsageError('which file?')
  return path
}

function progressText({ files, exchanges }: ImportReport): string {
  const seen = files.read + files.unchanged + files.failed
  return `${seen} of ${plural(files.found, 'file')}, ${plural(exchanges.added, 'new exchange')}`
}

function reportText(report: ImportReport): string {
  const { files, agents, exchanges, conversations, secretsMasked, skipped } = report
  const { added, updated, unchanged } = exchanges
  const whose = agents.length > 0 ? ` of ${agents.map(agentLabel).join(', ')}` : ''
  return [
    `${plural(files.found, 'file')}${whose}: ${files.read} read, ${files.unchanged} unchanged, ${files.failed} not readable`,
    `${plural(added, 'new exchange')}, ${updated} updated, ${unchanged} known, in ${plural(conversations, 'conversation')}`,
    ...restoredText(report),
    ...(secretsMasked > 0 ? [`${plural(secretsMasked, 'secret')} masked`] : []),
    ...(skipped.length > 0 ? ['Left out:'] : []),
    ...skipped.map(({ why, count, example }) => `  ${count} × ${why}${example ? `, e.g. ${example}` : ''}`),
  ].join('\n')
}

function restoredText({ restored }: ImportReport): string[] {
  if (!restored || Object.values(restored).every((count) => count === 0)) return []
  const { summaries, votes, vectors } = restored
  const taken = [
    ...(summaries > 0 ? [plural(summaries, 'summary', 'summaries')] : []),
    ...(votes > 0 ? [plural(votes, 'vote')] : []),
    ...(vectors > 0 ? [plural(vectors, 'vector')] : []),
  ]
  return [`${taken.join(', ')} taken over`]
}

interface ExportFlags {
  output?: string
  conversation?: string
  tag?: string
  vectors?: boolean
}

export const exportCommand: ConversationCommand = {
  name: 'conversations export',
  arguments: '[file]',
  options: [
    { flags: '--output <file>', description: 'the same as naming the file' },
    { flags: '--conversation <id>', description: 'only this one' },
    { flags: '--tag <tag>', description: 'only conversations with this tag' },
    {
      flags: '--vectors',
      description: 'also the vectors, which an import takes over where the embedder is the same',
    },
  ],
  description:
    'write your conversations as JSON lines, a full backup that import restores; from the shell to standard output unless a file is named',
  examples: ['backup.jsonl --vectors', '--tag deployment > deployment.jsonl'],
  async run({ conversations, write, onProgress, signal }, { words: [named], options }) {
    const { output, conversation, tag, vectors } = options as ExportFlags
    const file = named ?? output
    const wanted = {
      signal,
      onProgress: (exchanges: number) => onProgress(`${plural(exchanges, 'exchange')} written`),
      ...(conversation && { conversationId: (await conversations.ids.conversation(conversation)).id }),
      ...(tag && { tag }),
      ...(vectors && { vectors }),
    }
    if (file !== undefined) {
      const report = await conversations.exportTo(resolve(file), wanted)
      return said(report, `${plural(report.exchanges, 'exchange')} written to ${report.path}`)
    }
    if (!write) throw new UsageError('which file?')
    await write(conversations.exportLines(wanted))
    return said({}, '')
  },
}
