import {
  canBeTheSame,
  type FailedCommand,
  isSameFailure,
  isWrongCall,
  matters,
} from '../../feature-memory/failed-commands.ts'
import { identify } from '../../feature-memory/ledger/check-key.ts'
import { projectPath } from '../../files/project-path.ts'
import { asData } from '../../text/sanitise.ts'
import { shorten } from '../../text/truncate.ts'
import { STOP_ONCE_MARK } from '../../transcripts/stop-mark.ts'
import { changedSince } from '../changed-since.ts'
import { isCheck, onlyLooks } from '../command-kinds.ts'
import type { HookContext, Injection } from '../context.ts'
import { errorKey, iterations } from '../facts/fact-keys.ts'
import { LiveCommands } from '../live-commands.ts'
import { COMMAND_STOPPED } from '../session-notes.ts'

/** The same failure so often, and nothing changed since: the next one is foreseeable. */
const OFTEN = 2

/** How a command failed the last times: in earlier runs, and in this session. */
interface Repeated extends FailedCommand {
  here: number
}

export async function beforeCommand(context: HookContext, command: string): Promise<Injection | undefined> {
  const key = keyOf(context, command)
  const live = new LiveCommands(context.notes)
  const injection = isCheck(command) || key === '' ? undefined : await repetition(context, live, key)
  // What is held back does not run.
  if (injection?.stops && !context.notes.isShown(injection.key)) return injection
  if (!onlyLooks(command)) live.started(key)
  return injection?.stops ? undefined : injection
}

/** For the hook that sees failures: so that the session's own count. */
export function noteFailure(
  context: HookContext,
  command: string,
  failures: readonly { message: string; signature: string }[],
): void {
  const key = keyOf(context, command)
  const [first] = failures
  const signatures = failures.map(({ signature }) => signature)
  if (key === '' || !first || !canBeTheSame(signatures)) return
  new LiveCommands(context.notes).failed(key, { signatures, message: asData(first.message) })
}

function keyOf({ config, input }: HookContext, command: string): string {
  const directory = projectPath(input.cwd, config.project)
  return identify({ command, ...(directory && { directory }) }, config.project).key
}

async function repetition(
  context: HookContext,
  live: LiveCommands,
  key: string,
): Promise<Injection | undefined> {
  const mode = context.config.settings.hooks.repeat
  if (mode === 'off') return undefined
  const repeated = repeatedFailure(live, key, (await context.facts())?.commands)
  if (!repeated || repeated.iterations.length + repeated.here < OFTEN) return undefined
  const since = Date.parse(repeated.at)
  if (!isWrongCall(repeated) && live.actedSince(since, key)) return undefined
  if (changedSince(context.config.project, since, (path) => matters(path, key, repeated))) return undefined
  return warning(context, repeated, mode === 'stop_once')
}

/** Failures of earlier runs and of this session count together while they are the same. */
function repeatedFailure(
  live: LiveCommands,
  key: string,
  commands: Record<string, FailedCommand> | undefined,
): Repeated | undefined {
  const earlier = commands && Object.hasOwn(commands, key) ? commands[key] : undefined
  const ran = live.hasRun(key)
  const now = live.failureOf(key)
  if (!now) return earlier && !ran ? { ...earlier, here: 0 } : undefined
  const same = earlier !== undefined && isSameFailure(earlier.signatures, now.signatures)
  return {
    signatures: now.signatures,
    message: now.message,
    iterations: same ? earlier.iterations : [],
    at: new Date(now.at).toISOString(),
    here: now.times,
  }
}

function warning(context: HookContext, repeated: Repeated, stops: boolean): Injection {
  const { signatures, message } = repeated
  const tells = signatures.map(errorKey)
  const told = context.notes.isShown(tells[0]!)
  const how = told ? ', as this session was told already' : `: ${shorten(message, 400)}`
  const failed = `this command failed in the same way ${places(repeated)}${how}. It has not succeeded since, and none of the files it could depend on has changed.`
  const text = stops
    ? `${STOP_ONCE_MARK} ${failed} It has not run now; the same call goes through.`
    : `Memory: ${failed}`
  const source = repeated.iterations.length > 0 ? `iteration ${repeated.iterations.at(-1)}` : 'this session'
  return {
    key: stops ? COMMAND_STOPPED : `repeated ${signatures[0]}`,
    tells,
    text,
    items: [
      { kind: 'failed_attempt', source, why: 'the same command failed alike, nothing changed since', text },
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
