import { join } from 'node:path'
import type { Command } from 'commander'
import { runChat } from '../../chat/terminal.ts'
import { requirePerson } from '../../person.ts'
import { ralphCommand, withExamples } from '../command.ts'

export function register(chat: Command): void {
  chat.option('--resume <id>', 'go on with an earlier conversation')
  withExamples(chat, 'ralph chat', 'RALPH_MODEL_PROVIDER=ollama RALPH_MODEL=llama3.2 ralph chat')
  ralphCommand<{ resume?: string }>(chat, async ({ ralph, options, signal }) => {
    const { failures } = await runChat({
      conversations: await ralph.openConversations(),
      documents: ralph.documents,
      project: ralph.config.project,
      requirePerson: (deed) => requirePerson(ralph.config, deed),
      resume: options.resume,
      historyFile: join(ralph.config.home, 'chat_history'),
      signal,
    })
    if (failures > 0 && !process.stdin.isTTY) process.exitCode = 1
  })
}
