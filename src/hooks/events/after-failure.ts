import { canBeTheSame, failuresIn } from '../../feature-memory/failed-commands.ts'
import type { HookContext, Injection } from '../context.ts'
import { errorKey } from '../facts/fact-keys.ts'
import { LiveCommands } from '../live-commands.ts'
import { commandKeyOf } from './before-command.ts'
import { notYetTold } from './before-tool.ts'

/** A failure that was met before: how it was solved then, or that no record shows it was. */
export async function afterFailure(context: HookContext): Promise<Injection | undefined> {
  const { tool = '', toolInput, error } = context.input
  if (error === undefined || !context.remembers) return undefined
  const command = typeof toolInput['command'] === 'string' ? toolInput['command'] : undefined
  const failures = failuresIn({ tool, output: error, ...(command !== undefined && { command }) })
  if (command !== undefined) noteFailure(context, command, failures)
  if (failures.length === 0) return undefined
  const errors = (await context.facts())?.errors ?? {}
  const known = failures
    .filter(
      ({ signature }) => Object.hasOwn(errors, signature) && !context.notes.isShown(errorKey(signature)),
    )
    .map(({ signature }) => ({ key: `again ${signature}`, saying: errors[signature]! }))
  // A known way out is worth more than a known dead end.
  const best = known.find(({ saying }) => saying.item.kind === 'solution') ?? known[0]
  return best && notYetTold(best.key, best.saying, context)
}

/** So that the session's own failures count. */
function noteFailure(
  context: HookContext,
  command: string,
  failures: readonly { message: string; signature: string }[],
): void {
  const key = commandKeyOf(context, command)
  const [first] = failures
  const signatures = failures.map(({ signature }) => signature)
  if (key === '' || !first || !canBeTheSame(signatures)) return
  new LiveCommands(context.notes).failed(key, { signatures, message: first.message })
}
