import { RalphError } from '../../errors.ts'
import type { Conversations } from '../conversations.ts'

/** What a command has to say, for people and for programs. */
export interface CommandResult {
  text: string
  /** For `--json`; keys become snake_case. */
  data: { [key: string]: unknown }
  /** The command has not been carried out yet: it wants "yes" to this first. */
  confirm?: { question: string; go: () => Promise<CommandResult> }
}

export interface CommandContext {
  conversations: Conversations
  /** The conversation one is in, for commands about "this" one. */
  conversationId?: string | undefined
  onProgress?: ((line: string) => void) | undefined
  signal?: AbortSignal | undefined
}

/** The same in the chat, with a slash, and from the shell. */
export interface ConversationCommand {
  name: string
  usage: string
  description: string
  examples: readonly string[]
  run(args: readonly string[], context: CommandContext): Promise<CommandResult>
}

/** The words were not understood; nothing was done. */
export class UsageError extends RalphError {}

export function wrongUsage(command: Pick<ConversationCommand, 'name' | 'usage'>, what?: string): UsageError {
  return new UsageError('invalid_input', what ?? `that is not a way to use ${command.name}`, {
    hint: `Usage: ${command.usage}`,
  })
}

export function dollars(amount: number): string {
  return amount === 0 || amount >= 0.01 ? `$${amount.toFixed(2)}` : `$${amount.toFixed(4)}`
}

export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount.toLocaleString('en')} ${amount === 1 ? one : many}`
}

/** "3 seconds ago", "2 days ago". */
export function ago(time: Date, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - time.getTime()) / 1_000))
  for (const [size, unit] of UNITS)
    if (seconds >= size) return `${count(Math.floor(seconds / size), unit)} ago`
  return 'just now'
}

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const
