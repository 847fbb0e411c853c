import type { Conversations } from '../conversation-memory/conversations.ts'
import type { Deferred } from '../deferred.ts'
import type { Documents } from '../documents/documents.ts'

/** Colours, where the surface has any. */
export type Paint = (style: 'bold' | 'cyan' | 'dim' | 'yellow' | 'green' | 'red', text: string) => string

/** What a command has to say. */
export interface CommandResult {
  /** For programs; keys become snake_case. */
  data: object
  /** For people. */
  text: (paint: Paint) => string
  /** Not part of the answer: what to do next, or why it is empty. */
  remark?: string
  /** A remark on what a notice, where there was one, has said already. */
  remarkUnlessNoticed?: string
  /** The command has not been carried out yet: it wants "yes" to this first. */
  confirm?: { question: string; go: () => Promise<CommandResult> }
}

export interface CommandContext {
  conversations: Conversations
  /** The person's own; a surface without them lacks the commands about them. */
  documents?: Deferred<Documents> | undefined
  /** The conversation one is in, for commands about "this" one. */
  conversationId?: string | undefined
  /** The folder of the project one is in, for commands about "this" one. */
  project?: string | undefined
  /** What the last search found, by number, where a surface goes on after it. */
  numbered?: NumberedResults | undefined
  /** Where lines of data go when no file is named; absent where there is no such place. */
  write?: ((lines: AsyncIterable<string>) => Promise<unknown>) | undefined
  /** Throws unless it is a person who gives the command. */
  requirePerson?: ((deed: string) => Promise<void>) | undefined
  onProgress: (line: string) => void
  signal: AbortSignal
}

/** Holds until the next search. */
export interface NumberedResults {
  /** The first is number 1; undefined before the first search. */
  last?: readonly NumberedResult[]
}
export type NumberedResult = { exchangeId: string } | { pieceId: string }

export interface CommandOption {
  /** `--limit <number>` */
  flags: string
  description: string
  /** What a value must be; text where absent. */
  value?: 'count' | 'position' | 'fraction' | readonly string[]
}

/** One thing that people can tell conversation memory to do, in the chat and from the shell alike. */
export interface ConversationCommand {
  /** As in the shell. In the chat a slash stands for `conversations`: `/search` is `ralph conversations search`. */
  name: string
  /** `<query...>`; a choice is written `<on|off>`. */
  arguments?: string
  options?: readonly CommandOption[]
  description: string
  /** What follows the name. */
  examples: readonly string[]
  /** Refused to agents, where it forgets, switches or speaks for a person: what completes "an agent cannot …". */
  forPeople?: string | ((given: Given) => string | undefined)
  /** Asks before it does something that cannot be undone. */
  asks?: true
  /** What the words before it stand for by themselves: `rag` is `rag status`. */
  byDefault?: true
  /** For a command that makes no sense while a chat is open, or only then. */
  only?: 'shell' | 'chat'
  /** Whether it runs until it is ended: then it also waits for a storage that is down when it starts. */
  isPatient?(given: Given): boolean
  run(context: CommandContext, given: Given): Promise<CommandResult>
}

/** What was typed, already checked against `arguments` and `options`. */
export interface Given {
  /** By position; of `<query...>` all words that are left. */
  words: readonly string[]
  options: { readonly [name: string]: string | number | boolean | string[] | undefined }
}

export function said(data: object, text: string): CommandResult {
  return { data, text: () => text }
}

export function day(time: Date | undefined): string {
  return time?.toISOString().slice(0, 10) ?? ''
}

/** The command, unless it is for people and an agent gives it. */
export async function carryOut(
  { forPeople, run }: ConversationCommand,
  context: CommandContext,
  given: Given,
): Promise<CommandResult> {
  const deed = typeof forPeople === 'function' ? forPeople(given) : forPeople
  if (deed !== undefined) await context.requirePerson?.(deed)
  return run(context, given)
}
