import { z } from 'zod'
import { CONVERSATION_TOOLS, type ToolContext } from '../conversation-commands/tools.ts'
import type { Conversations } from '../conversation-memory/conversations.ts'
import { isRalphError, messageOf } from '../errors.ts'
import type { ToolDefinition } from '../language-model/chat-message.ts'
import { describeIssues } from '../text/describe-issues.ts'
import { quoted } from '../text/quote.ts'

/** Of what went wrong. */
const MOST_SAID = 1_500

/** The tools that conversation memory offers, as a model is told about them. */
export const TOOL_DEFINITIONS: readonly ToolDefinition[] = CONVERSATION_TOOLS.map(
  ({ name, description, input }) => {
    const { $schema: _, ...parameters } = z.toJSONSchema(z.object(input))
    return { name, description, parameters }
  },
)

/** Runs a tool by name. Whatever goes wrong is an answer the model can act on, never an exception. */
export async function runTool(
  conversations: Conversations,
  { name, input }: { name: string; input: unknown },
  context: ToolContext,
): Promise<{ text: string; isError: boolean }> {
  const tool = CONVERSATION_TOOLS.find((one) => one.name === name)
  if (!tool) {
    const names = CONVERSATION_TOOLS.map((one) => one.name).join(', ')
    return { text: `There is no tool ${quoted(name, 100)}. Tools: ${names}`, isError: true }
  }
  const args = z.object(tool.input).safeParse(input)
  if (!args.success) return { text: quoted(describeIssues(args.error), MOST_SAID), isError: true }
  try {
    return { text: (await tool.run(conversations, args.data, context)).text, isError: false }
  } catch (error) {
    if (!isRalphError(error) || error.code === 'cancelled') throw error
    const said = `${messageOf(error)}.${error.hint ? ` ${error.hint}` : ''}`
    return { text: quoted(said, MOST_SAID), isError: true }
  }
}
