import type { Command } from 'commander'
import {
  type CommandResult,
  type ConversationCommand,
  carryOut,
} from '../../conversation-commands/command.ts'
import { CONVERSATION_COMMANDS } from '../../conversation-commands/commands.ts'
import { declareCommand, givenTo } from '../../conversation-commands/declare.ts'
import { openPatiently } from '../../conversation-commands/open-patiently.ts'
import { RalphError } from '../../errors.ts'
import { requirePerson } from '../../person.ts'
import { doneForGood } from '../../undo/undoable.ts'
import { type Run, ralphCommand, withExamples } from '../command.ts'
import { typedYes } from '../confirm.ts'

/** What the chat takes with a slash, from the shell: one table, two ways in. */
export function register(group: Command): void {
  const offered = CONVERSATION_COMMANDS.filter(({ only }) => only !== 'chat')
  for (const command of offered.filter(({ name }) => name.split(' ')[0] === group.name())) {
    const declared = declareCommand(group.parent!, command.name, command)
    if (command.asks) declared.option('--yes', 'go on without asking')
    withExamples(declared, ...command.examples.map((words) => `ralph ${command.name} ${words}`.trim()))
    ralphCommand<{ yes?: boolean }>(declared, async (run, ...words) => {
      const given = givenTo([...words, run.options, declared])
      show(await resultOf(command, given, run), run)
    })
  }
}

async function resultOf(
  command: ConversationCommand,
  given: Parameters<ConversationCommand['run']>[1],
  { ralph, out, options, signal }: Run<{ yes?: boolean }>,
): Promise<CommandResult> {
  const { notices, openConversations } = ralph
  const conversations = command.isPatient?.(given)
    ? await openPatiently(openConversations, { notices, signal })
    : await openConversations()
  const result = await carryOut(
    command,
    {
      conversations,
      documents: ralph.documents,
      project: ralph.config.project,
      signal,
      requirePerson: (deed) => requirePerson(ralph.config, deed),
      write: (lines) => out.lines(lines),
      onProgress: (line) => out.progress(line),
    },
    given,
  )
  if (!result.confirm) return result
  // Whoever cannot be asked is told at least what the question was.
  if (!options.yes && !process.stdin.isTTY) out.talk(result.confirm.question)
  if (!options.yes && !(await typedYes(`${result.confirm.question}\nType "yes" to go on: `))) {
    throw new RalphError('cancelled', 'nothing was done: it needs a "yes"', {
      hint: 'Add --yes to go on without being asked.',
    })
  }
  const done = await result.confirm.go()
  if (command.name.endsWith(' forget'))
    await doneForGood(ralph, `${command.name} ${given.words.join(' ')}`, 'what is forgotten is kept nowhere')
  return done
}

function show({ data, text, remark, remarkUnlessNoticed }: CommandResult, { out }: Run<unknown>): void {
  if (Object.keys(data).length > 0) out.result(data, () => text((style, words) => out.style(style, words)))
  if (remark !== undefined) out.talk(remark)
  if (remarkUnlessNoticed !== undefined && !out.degraded) out.talk(remarkUnlessNoticed)
}
