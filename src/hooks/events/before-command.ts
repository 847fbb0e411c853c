import { projectPath } from '../../files/project-path.ts'
import { identify } from '../../shell/check-key.ts'
import { redact } from '../../text/redact.ts'
import type { HookContext, Injection } from '../context.ts'
import { LiveCommands } from '../live-commands.ts'

/** A command that is known to fail is looked at; every other one is only noted. */
export async function beforeCommand(context: HookContext, command: string): Promise<Injection | undefined> {
  const key = commandKeyOf(context, command)
  const live = new LiveCommands(context.notes)
  const injection = await knownFailure(context, live, { command, key })
  // What is held back does not run.
  const stops = injection?.stops && !context.notes.isShown(injection.key)
  if (!stops || context.memoryWithheld) live.started(key, command)
  return stops || !injection?.stops ? injection : undefined
}

/** The same for two ways to run the same command in the same place; empty when nothing in it could fail. */
export function commandKeyOf({ config, input }: HookContext, command: string): string {
  const directory = projectPath(input.cwd, config.project)
  // As it is stored, so that it is found again.
  return identify({ command: redact(command), ...(directory && { directory }) }, config.project).key
}

async function knownFailure(
  context: HookContext,
  live: LiveCommands,
  { command, key }: { command: string; key: string },
): Promise<Injection | undefined> {
  if (key === '' || context.config.settings.hooks.repeat === 'off') return undefined
  const commands = (await context.facts())?.commands ?? {}
  const earlier = Object.hasOwn(commands, key) ? commands[key] : undefined
  if (!earlier && !live.failureOf(key)) return undefined
  const { repeatedFailure } = await import('./repeated-failure.ts')
  return repeatedFailure(context, { command, key, live, earlier })
}
