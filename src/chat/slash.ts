import { Command, CommanderError } from 'commander'
import {
  type CommandResult,
  type ConversationCommand,
  carryOut,
  type NumberedResults,
  said,
} from '../conversation-commands/command.ts'
import { CONVERSATION_COMMANDS } from '../conversation-commands/commands.ts'
import { declareCommand, givenTo } from '../conversation-commands/declare.ts'
import type { Conversations } from '../conversation-memory/conversations.ts'
import type { Deferred } from '../deferred.ts'
import type { Documents } from '../documents/documents.ts'
import { RalphError, UsageError } from '../errors.ts'
import { nearestTo } from '../text/near.ts'
import { words } from './input.ts'
import { howToConfigure } from './no-model.ts'
import { resumeChat } from './resume.ts'
import { ChatSession } from './session.ts'

/** What a slash command leads to. */
export type SlashResult =
  | { kind: 'said'; result: CommandResult }
  /** From here on another conversation is current. */
  | { kind: 'switched'; session: ChatSession; text: string }
  | { kind: 'quit' }

export interface SlashContext {
  conversations: Conversations
  documents?: Deferred<Documents> | undefined
  session: ChatSession
  requirePerson?: ((deed: string) => Promise<void>) | undefined
  project: string | undefined
  /** For as long as the chat lasts, whatever conversation is current. */
  numbered: NumberedResults
  onProgress: (line: string) => void
  signal: AbortSignal
}

/** Commands of the chat itself; all others are those of the shell. */
const OWN: readonly { usage: string; description: string }[] = [
  { usage: '/help', description: 'this list' },
  { usage: '/new', description: 'begin a new conversation' },
  { usage: '/resume <id>', description: 'go on with an earlier conversation' },
  { usage: '/context', description: 'what memory put before your last question' },
  { usage: '/model', description: 'which model answers' },
  { usage: '/quit', description: 'leave (also Ctrl-D)' },
]

const SHARED = CONVERSATION_COMMANDS.filter(({ only }) => only !== 'shell')

/** `conversations search` is `/search`: in a chat everything is about conversations. */
const slashName = ({ name }: ConversationCommand) => name.replace(/^conversations /, '')

export async function runSlash(line: string, context: SlashContext): Promise<SlashResult> {
  const [name = '', ...args] = words(line.slice(1))
  const { conversations, documents, session, project } = context
  switch (name) {
    case '':
    case 'help':
      return toSay(helpText())
    case 'quit':
    case 'exit':
      return { kind: 'quit' }
    case 'new': {
      await session.close()
      const fresh = new ChatSession({ conversations, documents, project })
      return { kind: 'switched', session: fresh, text: `New conversation ${fresh.conversationId}` }
    }
    case 'resume':
      return resume(args[0], context)
    case 'context':
      return toSay(
        session.lastContext ??
          'Nothing: no past conversation or document was strong enough, or nothing was asked yet.',
      )
    case 'model':
      return toSay(session.model ? `${session.model.id} answers.` : `No model answers.\n${howToConfigure()}`)
  }
  // As in the shell, for whoever is used to that.
  if (name === 'conversations' && args.length > 0)
    return runSlash(
      `/${line
        .trim()
        .slice(1 + name.length)
        .trim()}`,
      context,
    )
  const { conversationId } = session
  return { kind: 'said', result: await runShared([name, ...args], { ...context, conversationId }) }
}

/** Runs a command that the shell has too, from the words behind the slash. */
export async function runShared(
  typed: readonly string[],
  context: Parameters<ConversationCommand['run']>[0],
): Promise<CommandResult> {
  let help = ''
  let result: CommandResult | undefined
  const program = new Command()
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: (text) => (help += text), writeErr: () => undefined })
  for (const command of SHARED) {
    declareCommand(program, slashName(command), command).action(async (...received: unknown[]) => {
      result = await carryOut(command, context, givenTo(received))
    })
  }
  const named = deepest(program, typed)
  if (named === program) {
    throw noCommand(typed[0] ?? '')
  }
  try {
    await program.parseAsync([...typed], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return said({}, help.trimEnd())
    if (!(error instanceof CommanderError) && !(error instanceof UsageError)) throw error
    // Whoever knows better what helps has said so.
    if (error instanceof UsageError && error.hint !== undefined) throw error
    throw new UsageError(error.message.replace(/^error: /, ''), `Usage: /${pathOf(named)} ${named.usage()}`)
  }
  return result!
}

function noCommand(typed: string): RalphError {
  const names = [...SHARED.map(slashName), ...OWN.map(({ usage }) => usage.slice(1))]
  const first = new Set(names.map((name) => name.split(' ')[0]!))
  const near = nearestTo(typed, [...first]).map((name) => `/${name}`)
  const meant = near.length > 0 ? `Did you mean ${near.join(' or ')}? ` : ''
  return new RalphError('invalid_input', `there is no command /${typed}`, {
    hint: `${meant}See all of them with: /help`,
  })
}

/** The command that the words name, as far as they name one. */
function deepest(program: Command, typed: readonly string[]): Command {
  const [word, ...rest] = typed
  const child = program.commands.find((command) => command.name() === word)
  return child ? deepest(child, rest) : program
}

function pathOf(command: Command): string {
  const above = command.parent?.parent ? `${pathOf(command.parent)} ` : ''
  return above + command.name()
}

async function resume(id: string | undefined, context: SlashContext): Promise<SlashResult> {
  if (id === undefined)
    throw new UsageError('which conversation?', 'Usage: /resume <id>; see the ids with: /list')
  const resumed = await resumeChat(id, context)
  await context.session.close()
  return { kind: 'switched', ...resumed }
}

function helpText(): string {
  const all = [
    ...SHARED.map((command) => ({
      usage: `/${[slashName(command), command.arguments].filter(Boolean).join(' ')}`,
      description: command.description,
    })),
    ...OWN,
  ]
  const width = Math.max(...all.map(({ usage }) => usage.length))
  return [
    ...all.map(({ usage, description }) => `  ${usage.padEnd(width)}  ${description}`),
    '',
    'Several lines: end a line with \\, or put the text between two lines of """. Ctrl-C stops an answer.',
  ].join('\n')
}

function toSay(text: string): SlashResult {
  return { kind: 'said', result: said({}, text) }
}
