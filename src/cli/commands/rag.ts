import type { Command } from 'commander'
import { UsageError } from '../../conversation-memory/commands/command.ts'
import { CONVERSATION_COMMANDS, runConversationCommand } from '../../conversation-memory/commands/commands.ts'
import { RalphError } from '../../errors.ts'
import { ralphCommand, withExamples } from '../command.ts'
import { typedYes } from '../confirm.ts'

const NAMES = ['rag', 'summarizer', 'embeddings']

/** What the chat takes with a slash, from the shell: one logic, two ways in. */
export function register(program: Command): void {
  for (const { name, usage, description, examples } of CONVERSATION_COMMANDS) {
    if (!NAMES.includes(name)) continue
    const command = program
      .command(`${name} [words...]`)
      .usage(`${usage.slice(name.length + 1)} [options]`)
      .description(description)
      .option('--yes', 'go on without asking')
    withExamples(command, ...examples.map((example) => `ralph ${example}`))
    ralphCommand<{ yes?: boolean }>(command, async ({ ralph, options, out, signal }, given) => {
      const words = (given ?? []) as unknown as string[]
      const conversations = await ralph.openConversations()
      let result = await runConversationCommand(name, words, { conversations, signal }).catch(
        (error: unknown) => {
          if (error instanceof UsageError) return command.error(`error: ${error.message}\n${error.hint}`)
          throw error
        },
      )
      if (result.confirm) {
        if (!options.yes && !(await typedYes(result.confirm.question))) {
          throw new RalphError('cancelled', 'nothing was done: it needs a "yes"', {
            hint: `ralph ${[name, ...words].join(' ')} --yes`,
          })
        }
        result = await result.confirm.go()
      }
      const { text, data } = result
      out.result(data, () => text)
    })
  }
}
