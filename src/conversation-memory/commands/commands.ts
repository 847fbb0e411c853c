import { RalphError } from '../../errors.ts'
import type { CommandContext, CommandResult, ConversationCommand } from './command.ts'
import { embeddings } from './embeddings.ts'
import { rag } from './rag.ts'
import { search } from './search.ts'
import { summarizer } from './summarizer.ts'
import { tag } from './tag.ts'
import { exportCommand, importCommand } from './transfer.ts'
import { workers } from './workers.ts'

/** Everything one can tell conversation memory to do. */
export const CONVERSATION_COMMANDS: readonly ConversationCommand[] = [
  search,
  rag,
  summarizer,
  embeddings,
  workers,
  tag,
  exportCommand,
  importCommand,
]

export async function runConversationCommand(
  name: string,
  args: readonly string[],
  context: CommandContext,
): Promise<CommandResult> {
  const command = CONVERSATION_COMMANDS.find((one) => one.name === name)
  if (command) return command.run(args, context)
  throw new RalphError('invalid_input', `there is no command ${JSON.stringify(name)}`, {
    hint: `Commands: ${CONVERSATION_COMMANDS.map((one) => one.name).join(', ')}`,
  })
}
