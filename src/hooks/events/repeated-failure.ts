import { type FailedCommand, isWrongCall, matters } from '../../feature-memory/failed-commands.ts'
import { isCheck } from '../../shell/check-kind.ts'
import { isSameFailure } from '../../text/error-signature.ts'
import { quoted } from '../../text/quote.ts'
import { redact } from '../../text/redact.ts'
import { STOP_ONCE_MARK } from '../../transcripts/own-marks.ts'
import { changedSince } from '../changed-since.ts'
import type { HookContext, Injection } from '../context.ts'
import { errorKey, iterations } from '../facts/fact-keys.ts'
import type { LiveCommands } from '../live-commands.ts'
import { COMMAND_STOPPED } from '../session-notes.ts'

/** The same failure so often, and nothing changed since: the next one is foreseeable. */
const OFTEN = 2

interface KnownCommand {
  command: string
  key: string
  live: LiveCommands
  /** How it failed in earlier runs. */
  earlier: FailedCommand | undefined
}

/** How a command failed the last times: in earlier runs, and in this session. */
interface Repeated extends FailedCommand {
  here: number
}

/** What is to be said, if anything, of a command that failed the last time it ran. */
export function repeatedFailure(context: HookContext, known: KnownCommand): Injection | undefined {
  const { command, key, live } = known
  const repeated = counted(known)
  if (!repeated || repeated.iterations.length + repeated.here < OFTEN || isCheck(command)) return undefined
  const since = Date.parse(repeated.at)
  if (!isWrongCall(repeated) && live.actedSince(since, key)) return undefined
  if (changedSince(context.config.project, since, (path) => matters(path, key, repeated))) return undefined
  return warning(context, { ...repeated, command }, context.config.settings.hooks.repeat === 'stop_once')
}

/** Failures of earlier runs and of this session count together while they are the same. */
function counted({ key, live, earlier }: KnownCommand): Repeated | undefined {
  const now = live.failureOf(key)
  if (!now) return earlier && !live.hasRun(key) ? { ...earlier, here: 0 } : undefined
  const same = earlier !== undefined && isSameFailure(earlier.signatures, now.signatures)
  return {
    signatures: now.signatures,
    message: now.message,
    iterations: same ? earlier.iterations : [],
    at: new Date(now.at).toISOString(),
    here: now.times,
  }
}

function warning(
  { notes }: HookContext,
  repeated: Repeated & { command: string },
  stops: boolean,
): Injection {
  const { signatures, message, command, here } = repeated
  const tells = signatures.map(errorKey)
  const told = notes.isShown(tells[0]!)
  const how = told ? ', as this session was told already' : `: ${quoted(message, 400)}`
  const failed = `this command failed in the same way ${places(repeated)}${how}. It has not succeeded since, and no file of the project that could matter to it has changed.`
  const text = stops
    ? `${STOP_ONCE_MARK} ${failed} It has not run now; the same call goes through.`
    : `Memory: ${failed}`
  const source = repeated.iterations.length > 0 ? `iteration ${repeated.iterations.at(-1)}` : 'this session'
  return {
    key: stops ? COMMAND_STOPPED : `repeated ${signatures[0]}`,
    tells,
    text,
    items: [
      {
        kind: 'failed_attempt',
        source,
        why: 'the same command failed alike, nothing changed since',
        text,
        // Once it has failed in this session, nobody can tell from its record whether it did so again.
        ...(here === 0 && { about: { command: redact(command), errors: signatures } }),
      },
    ],
    stops,
  }
}

function places({ iterations: numbers, here, at }: Repeated): string {
  const session = here > 1 ? `${here} times in this session` : 'in this session'
  if (numbers.length === 0) return session
  const earlier = `in ${iterations(numbers)}`
  return here > 0 ? `${earlier} and ${session}` : `${earlier} (last ${at.slice(0, 10)})`
}
