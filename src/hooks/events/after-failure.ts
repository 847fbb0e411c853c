import { commandKey } from '../../feature-memory/command-key.ts'
import type { SeenError } from '../../feature-memory/failed-actions.ts'
import { failureSignatures } from '../../feature-memory/failure-signatures.ts'
import type { HookContext, Injection } from '../context.ts'
import { commandWarning } from './before-tool.ts'

/** A failure that was met before: how it was solved then, or that it was not. */
export async function afterFailure(context: HookContext): Promise<Injection | undefined> {
  const { tool = '', toolInput, error } = context.input
  if (error === undefined || !context.remembers) return undefined
  const command = toolInput['command']
  const signatures = failureSignatures({
    tool,
    output: error,
    ...(typeof command === 'string' && { command }),
  })
  if (signatures.length === 0) return undefined
  const errors = (await context.facts('soon'))?.failures.errors ?? {}
  const seen = signatures
    .filter((signature) => Object.hasOwn(errors, signature))
    .map((signature) => ({ signature, error: errors[signature]! }))
  // A known way out is worth more than a known dead end.
  const best = seen.find((one) => one.error.solved) ?? seen[0]
  if (!best || (!best.error.solved && wasWarned(context, command))) return undefined
  return recollection(best.signature, best.error)
}

/** That it failed before was said when the command was about to run: saying it again helps nobody. */
function wasWarned({ notes, config }: HookContext, command: unknown): boolean {
  if (typeof command !== 'string') return false
  return notes.shownKeys().includes(commandWarning(commandKey(command, config.project)))
}

function recollection(signature: string, { iterations, solved }: SeenError): Injection {
  const where = `iteration${iterations.length > 1 ? 's' : ''} ${iterations.slice(-5).join(', ')}`
  const decided =
    solved && solved.decisions.length > 0 ? ` Decided then: ${solved.decisions.join('; ')}.` : ''
  const text = solved
    ? `Memory: this error occurred before in this feature (${where}) and was overcome in iteration ${solved.iteration}: ${solved.summary.slice(0, 500)}.${decided} An observation that may be outdated: verify.`
    : `Memory: this error occurred before in this feature (${where}) and memory knows of no solution. What was tried then did not help; consider another way.`
  return {
    key: `error ${signature}`,
    text,
    items: [
      {
        kind: solved ? 'solution' : 'repeated_error',
        source: `iteration ${solved?.iteration ?? iterations.at(-1)}`,
        why: 'the same error',
        text,
      },
    ],
  }
}
