import { resolve } from 'node:path'
import type { ImportReport } from '../conversation-memory/import/report.ts'
import { isRalphError, RalphError, UsageError } from '../errors.ts'
import { plural } from '../text/plural.ts'
import { type ConversationCommand, said } from './command.ts'

const FORMATS = ['claude-code', 'jsonl'] as const
type Format = (typeof FORMATS)[number]

export const importCommand: ConversationCommand = {
  name: 'conversations import',
  arguments: '[path]',
  options: [
    {
      flags: '--format <format>',
      description: `${FORMATS.join(' or ')} (default claude-code)`,
      value: FORMATS,
    },
  ],
  description: "import sessions; what is here already is left alone (default: Claude Code's own folder)",
  examples: ['', '--format jsonl history.jsonl'],
  async run({ conversations, onProgress, signal }, { words: [given], options }) {
    const format = (options['format'] as Format | undefined) ?? 'claude-code'
    const path = given === undefined ? undefined : resolve(given)
    if (format === 'jsonl' && path === undefined) throw new UsageError('which file?')
    const watched = { signal, onProgress: (report: ImportReport) => onProgress(progressText(report)) }
    const report =
      format === 'jsonl'
        ? await conversations.importJsonl(path!, watched)
        : await conversations.importClaudeCode(path, watched).catch((error: unknown) => {
            throw path === undefined ? nothingKept(error) : error
          })
    return {
      ...said(report, reportText(report)),
      ...(report.exchanges.added + report.exchanges.updated > 0 && {
        remark: 'Search at once; summaries and meaning follow with: ralph workers run --once',
      }),
    }
  },
}

/** Nobody has named the folder, so nobody is told to check it. */
function nothingKept(error: unknown): unknown {
  if (!isRalphError(error) || error.code !== 'not_found') return error
  return new RalphError('not_found', 'Claude Code has kept no sessions that could be imported', {
    hint: 'Name the folder or the file that has some, or set CLAUDE_CONFIG_DIR: ralph conversations import PATH',
    cause: error,
  })
}

function progressText({ files, exchanges }: ImportReport): string {
  const seen = files.read + files.unchanged + files.failed
  return `${seen} of ${plural(files.found, 'file')}, ${plural(exchanges.added, 'new exchange')}`
}

function reportText({ files, exchanges, conversations, secretsMasked, skipped }: ImportReport): string {
  const { added, updated, unchanged } = exchanges
  return [
    `${plural(files.found, 'file')}: ${files.read} read, ${files.unchanged} unchanged, ${files.failed} not readable`,
    `${plural(added, 'new exchange')}, ${updated} updated, ${unchanged} known, in ${plural(conversations, 'conversation')}`,
    ...(secretsMasked > 0 ? [`${plural(secretsMasked, 'secret')} masked`] : []),
    ...(skipped.length > 0 ? ['Left out:'] : []),
    ...skipped.map(({ why, count, example }) => `  ${count} × ${why}${example ? `, e.g. ${example}` : ''}`),
  ].join('\n')
}

export const exportCommand: ConversationCommand = {
  name: 'conversations export',
  arguments: '[file]',
  options: [
    { flags: '--output <file>', description: 'the same as naming the file' },
    { flags: '--conversation <id>', description: 'only this one' },
    { flags: '--tag <tag>', description: 'only conversations with this tag' },
  ],
  description:
    'write exchanges as JSON lines, to be imported elsewhere; from the shell to standard output unless a file is named',
  examples: ['history.jsonl', '--tag deployment > deployment.jsonl'],
  async run({ conversations, write, signal }, { words: [named], options }) {
    const { output, conversation, tag } = options as { [name: string]: string | undefined }
    const file = named ?? output
    const wanted = { signal, ...(conversation && { conversationId: conversation }), ...(tag && { tag }) }
    if (conversation) await conversations.history.existing(conversation)
    if (file !== undefined) {
      const report = await conversations.exportTo(resolve(file), wanted)
      return said(report, `${plural(report.exchanges, 'exchange')} written to ${report.path}`)
    }
    if (!write) throw new UsageError('which file?')
    await write(conversations.exportLines(wanted))
    return said({}, '')
  },
}
