import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { type Command, InvalidArgumentError } from 'commander'
import type { ConversationDetails } from '../../conversation-memory/details.ts'
import type { ImportReport } from '../../conversation-memory/import/report.ts'
import type { FoundExchange } from '../../conversation-memory/retrieve/retriever.ts'
import { RalphError } from '../../errors.ts'
import { fraction, oneOf, ralphCommand, wholeNumber, withExamples } from '../command.ts'
import { confirmed } from '../confirm.ts'
import { oneLine } from '../iteration-text.ts'
import type { Output } from '../output.ts'
import { table } from '../table.ts'

export function register(program: Command): void {
  const conversations = program
    .command('conversations')
    .description('past conversations of all projects, found again')
  registerImport(conversations)
  registerList(conversations)
  registerShow(conversations)
  registerSearch(conversations)
  registerExport(conversations)
  registerTag(conversations)
  registerForget(conversations)
}

/** Below it a result is more likely noise than help. */
const POSSIBLY_RELEVANT = 0.4

const FORMATS = ['claude-code', 'jsonl'] as const

function registerImport(conversations: Command): void {
  const command = conversations
    .command('import [path]')
    .description("import sessions; what is here already is left alone (default: Claude Code's own folder)")
    .option('--format <format>', `${FORMATS.join(' or ')} (default claude-code)`, oneOf('--format', FORMATS))
  withExamples(
    command,
    'ralph conversations import',
    'ralph conversations import --format jsonl history.jsonl',
  )
  ralphCommand<{ format?: (typeof FORMATS)[number] }>(
    command,
    async ({ ralph, options, out, signal }, path) => {
      const { format = 'claude-code' } = options
      if (format === 'jsonl' && path === undefined) {
        throw new RalphError('invalid_input', 'which file?', {
          hint: 'ralph conversations import --format jsonl FILE',
        })
      }
      const onProgress = ({ files, exchanges }: ImportReport) =>
        out.progress(
          `${files.read + files.unchanged + files.failed} of ${files.found} files, ${exchanges.added} new exchanges`,
        )
      const report =
        format === 'jsonl'
          ? await ralph.conversations.importJsonl(path!, { onProgress, signal })
          : await ralph.conversations.importClaudeCode(path, { onProgress, signal })
      out.result(report, () => reportText(report))
    },
  )
}

function reportText({ files, exchanges, conversations, secretsMasked, skipped }: ImportReport): string {
  return [
    `${files.found} files (${files.unchanged} unchanged, ${files.failed} unreadable), ${conversations} conversations`,
    `${exchanges.added} new exchanges, ${exchanges.updated} updated, ${exchanges.unchanged} known, ${exchanges.skipped} skipped`,
    ...(secretsMasked > 0 ? [`${secretsMasked} secrets masked`] : []),
    ...skipped.map(({ why, count, example }) => `  ${count} × ${why}${example ? `, e.g. ${example}` : ''}`),
    'Search at once; summaries and meaning follow with: ralph workers run --once',
  ].join('\n')
}

function registerList(conversations: Command): void {
  const command = conversations
    .command('list')
    .description('the latest first')
    .option('--limit <number>', 'how many (default 50)', wholeNumber('--limit', 1))
    .option('--tag <tag>', 'only with this tag')
    .option('--after <id>', 'go on behind this conversation')
  withExamples(command, 'ralph conversations list --limit 10')
  ralphCommand<{ limit?: number; tag?: string; after?: string }>(command, async ({ ralph, options, out }) => {
    const { limit, tag, after } = options
    const { history } = ralph.conversations
    const last = after === undefined ? undefined : await history.conversation(after)
    const list = await history.list({
      ...(limit && { limit }),
      ...(tag && { tag }),
      ...(last && { after: last }),
    })
    out.result({ conversations: list }, () =>
      table(
        ['id', 'date', 'exchanges', 'title'],
        list.map((one) => [one.id, day(one.updatedAt), one.exchangeCount, oneLine(one.title, 70)]),
      ),
    )
    if (list.length === 0) out.talk('No conversations yet. Import yours: ralph conversations import')
  })
}

function registerShow(conversations: Command): void {
  const command = conversations
    .command('show <id>')
    .description('one conversation or exchange')
    .option('--full', 'also tool calls, their results and what was said in between')
    .option('--from <number>', 'of a long one: the exchange to begin with', wholeNumber('--from'))
  withExamples(command, 'ralph conversations show 3f2a81b0 --full')
  ralphCommand<{ full?: boolean; from?: number }>(command, async ({ ralph, options, out }, id) => {
    const isConversation = (await ralph.conversations.history.conversation(id!)) !== undefined
    const which = isConversation ? { conversationId: id } : { exchangeId: id }
    const details = await ralph.conversations.details({
      ...which,
      includeFullTranscript: options.full,
      from: options.from,
    })
    out.result(details, () =>
      'exchanges' in details ? conversationText(out, details) : exchangeText(out, details),
    )
  })
}

function conversationText(out: Output, details: ConversationDetails): string {
  const { title, exchangeCount, summary, tags, exchanges, nextFrom } = details
  return [
    `${out.style('bold', title)}  ${exchangeCount} exchanges${tags.length > 0 ? `, ${tags.join(', ')}` : ''}`,
    ...(summary ? [summary] : []),
    '',
    ...exchanges.map((exchange) => `${exchangeText(out, exchange)}\n`),
    ...(nextFrom === undefined ? [] : [`More: --from ${nextFrom}`]),
  ].join('\n')
}

function exchangeText(out: Output, exchange: ConversationDetails['exchanges'][number]): string {
  const { exchangeId, userMessage, assistantMessage, messages } = exchange
  return [
    out.style('dim', `exchange ${exchangeId}`),
    `${out.style('cyan', 'user')}       ${userMessage}`,
    ...(messages ?? []).map(({ role, toolName, content }) =>
      out.style('dim', `${role}${toolName ? ` ${toolName}` : ''}: ${oneLine(content, 200)}`),
    ),
    `${out.style('green', 'assistant')}  ${assistantMessage}`,
  ].join('\n')
}

function registerSearch(conversations: Command): void {
  const command = conversations
    .command('search <query>')
    .description('the best exchanges over all conversations; "last week" and "in March" are understood')
    .option('--limit <number>', 'how many (default 5)', wholeNumber('--limit', 1))
    .option(
      '--min-similarity <number>',
      'leave out what is less similar, 0 to 1 (default 0.4)',
      fraction('--min-similarity'),
    )
    .option('--tag <tag...>', 'only conversations with all of these tags')
  withExamples(command, 'ralph conversations search "how did we fix the timeout last week"')
  ralphCommand<{ limit?: number; minSimilarity?: number; tag?: string[] }>(
    command,
    async ({ ralph, options, out, signal }, query) => {
      const { limit, minSimilarity, tag } = options
      const found = await ralph.conversations.search(query!, {
        signal,
        ...(limit && { limit }),
        minSimilarity: minSimilarity ?? POSSIBLY_RELEVANT,
        ...(tag && { tags: tag }),
      })
      out.result(found, () => found.results.map((result) => foundText(out, result)).join('\n\n'))
      if (found.results.length === 0) out.talk('Nothing strong enough was found.')
    },
  )
}

function foundText(out: Output, { exchange, conversation, similarity, matched }: FoundExchange): string {
  return [
    `${out.style('bold', oneLine(conversation.title, 80))}  ${out.style('dim', `${day(conversation.updatedAt)} · ${similarity.toFixed(2)} (${matched.join(', ')}) · exchange ${exchange.id}`)}`,
    `  ${out.style('cyan', 'user')}       ${oneLine(exchange.userMessage, 200)}`,
    `  ${out.style('green', 'assistant')}  ${oneLine(exchange.assistantMessage, 200)}`,
  ].join('\n')
}

function registerExport(conversations: Command): void {
  const command = conversations
    .command('export')
    .description('write all exchanges as JSON lines, to be imported elsewhere')
    .option('--output <file>', 'write to this file instead of standard output')
  withExamples(command, 'ralph conversations export --output history.jsonl')
  ralphCommand<{ output?: string }>(command, async ({ ralph, options, out }) => {
    let exchanges = 0
    const lines = async function* () {
      for await (const line of ralph.conversations.exportLines()) {
        exchanges++
        yield line.endsWith('\n') ? line : `${line}\n`
      }
    }
    if (options.output === undefined) {
      await pipeline(lines, process.stdout, { end: false })
      return out.talk(`${exchanges} exchanges`)
    }
    await pipeline(lines, createWriteStream(options.output))
    out.result(
      { exchanges, output: options.output },
      () => `Wrote ${exchanges} exchanges to ${options.output}.`,
    )
  })
}

function registerTag(conversations: Command): void {
  const command = conversations
    .command('tag <id> [tags...]')
    .description('tag a conversation; without tags, list its own')
    .option('--remove', 'take the tags away instead')
  withExamples(command, 'ralph conversations tag 3f2a81b0 deployment')
  ralphCommand<{ remove?: boolean }>(command, async ({ ralph, options, out }, id, given) => {
    const tags = (given ?? []) as unknown as string[]
    if (options.remove && tags.length === 0) throw new InvalidArgumentError('Which tags?')
    const { tags: all } = ralph.conversations
    const own = await (options.remove ? all.remove(id!, ...tags) : all.add(id!, ...tags))
    out.result({ id, tags: own }, () => own.join('\n'))
  })
}

function registerForget(conversations: Command): void {
  const command = conversations
    .command('forget <id>')
    .description('remove a conversation for good')
    .option('--yes', 'do not ask')
  withExamples(command, 'ralph conversations forget 3f2a81b0')
  ralphCommand<{ yes?: boolean }>(command, async ({ ralph, options, out }, id) => {
    if (!options.yes && !(await confirmed(`Forget conversation ${id}? This cannot be undone.`))) {
      throw new RalphError('cancelled', 'nothing was forgotten', {
        hint: 'Add --yes to forget without being asked.',
      })
    }
    await ralph.conversations.forget(id!)
    out.result({ forgotten: id }, () => `Forgot ${id}.`)
  })
}

function day(time: Date | undefined): string {
  return time?.toISOString().slice(0, 10) ?? ''
}
