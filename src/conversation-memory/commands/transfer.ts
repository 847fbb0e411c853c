import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { fileError } from '../../errors.ts'
import type { ImportReport } from '../import/report.ts'
import {
  type CommandContext,
  type CommandResult,
  type ConversationCommand,
  count,
  wrongUsage,
} from './command.ts'

export const exportCommand: ConversationCommand = {
  name: 'export',
  usage: 'export <file> [<conversation id>]',
  description: 'write conversations to a file, one exchange per line',
  examples: ['export history.jsonl'],
  async run(args, context) {
    const [path, conversationId, ...rest] = args
    if (path === undefined || rest.length > 0) throw wrongUsage(exportCommand, 'export needs a file')
    return exportTo(resolve(path), conversationId, context)
  },
}

export const importCommand: ConversationCommand = {
  name: 'import',
  usage: 'import [claude-code|jsonl] [<path>]',
  description: "read Claude Code's sessions (default: ~/.claude/projects), or a file of exchanges",
  examples: ['import claude-code', 'import jsonl history.jsonl'],
  async run(args, context) {
    const [first, ...rest] = args
    const format = first === 'jsonl' || first === 'claude-code' ? first : undefined
    const [path, ...more] = format ? rest : args
    if (more.length > 0) throw wrongUsage(importCommand)
    if (format === 'jsonl' && path === undefined) throw wrongUsage(importCommand, 'import jsonl needs a file')
    return importFrom(format ?? 'claude-code', path, context)
  },
}

export async function importFrom(
  format: 'claude-code' | 'jsonl',
  path: string | undefined,
  { conversations, onProgress, signal }: CommandContext,
): Promise<CommandResult> {
  const options = {
    signal,
    onProgress: onProgress && ((report: ImportReport) => onProgress(progressText(report))),
  }
  const report =
    format === 'jsonl'
      ? await conversations.importJsonl(resolve(path!), options)
      : await conversations.importClaudeCode(path === undefined ? undefined : resolve(path), options)
  return { text: reportText(format, report), data: { ...report } }
}

async function exportTo(
  path: string,
  conversationId: string | undefined,
  { conversations, signal }: CommandContext,
): Promise<CommandResult> {
  const file = createWriteStream(path, { mode: 0o600 })
  let exchanges = 0
  try {
    await once(file, 'open')
    const options = { ...(conversationId && { conversationId }), ...(signal && { signal }) }
    for await (const line of conversations.exportLines(options)) {
      exchanges++
      if (!file.write(`${line}\n`)) await once(file, 'drain')
    }
    file.end()
    await finished(file)
  } catch (error) {
    file.destroy()
    throw fileError(error, path, 'cannot export')
  }
  return { text: `${count(exchanges, 'exchange')} written to ${path}`, data: { path, exchanges } }
}

function progressText({ files, exchanges }: ImportReport): string {
  const read = files.read + files.unchanged + files.failed
  const share = files.found > 1 ? `${read}/${files.found} files, ` : ''
  return `${share}${count(exchanges.added + exchanges.updated, 'new exchange')}`
}

function reportText(
  format: string,
  { files, exchanges, conversations, secretsMasked, skipped }: ImportReport,
): string {
  const sessions = format === 'claude-code'
  return [
    ...(sessions
      ? [
          `Found ${count(files.found, 'session file')}: ${files.read} read, ${files.unchanged} unchanged, ${files.failed} not readable`,
        ]
      : []),
    `Exchanges: ${exchanges.added.toLocaleString('en')} new, ${exchanges.updated.toLocaleString('en')} updated, ${exchanges.unchanged.toLocaleString('en')} known, in ${count(conversations, 'conversation')}`,
    ...(secretsMasked ? [`${count(secretsMasked, 'secret')} masked`] : []),
    ...(skipped.length
      ? [
          'Skipped:',
          ...skipped.map(
            ({ why, count: times, example }) => `  ${times} × ${why}${example ? ` (e.g. ${example})` : ''}`,
          ),
        ]
      : []),
  ].join('\n')
}
