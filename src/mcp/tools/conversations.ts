import { CONVERSATION_TOOLS } from '../../conversation-commands/tools.ts'
import type { Tool } from '../tool.ts'

/** The tools of the chat, over MCP. */
export const conversationTools: readonly Tool[] = CONVERSATION_TOOLS.map(({ run, ...tool }) => ({
  ...tool,
  kind: 'read',
  perFeature: false,
  run: ({ ralph, run: session, signal }, args) =>
    run(ralph.conversations, args, { excluding: session, signal, documents: ralph.documents }),
}))
