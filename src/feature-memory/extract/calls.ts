import { pathFrom } from '../../files/project-path.ts'
import type { AgentRun, ToolCall } from '../../transcripts/agent-run.ts'
import { CallErrors } from './call-errors.ts'
import { type CheckResult, checkResults } from './check-results.ts'
import type { Failure } from './failures/failure.ts'
import type { ProjectRoot } from './project-root.ts'
import { type PlacedCommand, type ShellEffect, shellEffects } from './shell-files.ts'
import { type CallFate, fateOf } from './tool-failure.ts'

/** A tool call, read: what it did to files by way of the shell, and what went wrong. */
export interface ReadCall extends RanCall {
  /** How each part came out that can tell whether something is wrong. */
  results: CheckResult[]
}

export interface RanCall {
  call: ToolCall
  /** `cut`: whoever stopped the run stopped it too. */
  fate: CallFate | 'cut'
  /** Of a shell command that succeeded. */
  effects: ShellEffect[]
  failures: Failure[]
  /** The parts of a shell command, each with where it ran. */
  parts: PlacedCommand[]
  /** Where the command's last part ran, absolute: what it prints is relative to there. */
  directory: string
}

/** Reads the calls of a run in order, each in the directory its shell had come to. */
export function readCalls(run: AgentRun, root: ProjectRoot): ReadCall[] {
  const errors = new CallErrors()
  // A shell stands where the last command left it; a sub-agent's begins anew every time.
  let current: string | undefined = root.start
  const last = run.toolCalls.at(-1)
  return run.toolCalls.map((call) => {
    const fate = call === last && isCutOff(run, call) ? 'cut' : fateOf(call)
    const failures = fate === 'cut' ? [] : errors.of(call)
    if (call.kind !== 'shell' || call.command === undefined) {
      return { call, fate, effects: [], failures, parts: [], results: [], directory: root.start }
    }
    const anew = call.subAgent || call.directory !== undefined
    const from = anew ? pathFrom(root.start, call.directory ?? '.') : current
    const { effects, parts, directory } = shellEffects(call.command, from)
    // A command that failed did nothing we could rely on, and leaves the shell where it was.
    if (call.status === 'ok' && !anew) current = resetDirectory(call) ?? directory
    const ran: RanCall = {
      call,
      fate,
      effects: call.status === 'ok' ? effects : [],
      failures,
      parts,
      directory: directory ?? root.start,
    }
    return { ...ran, results: checkResults(ran) }
  })
}

/** Ended by the signal that ended the run: 128 and the number of SIGINT, SIGKILL, SIGTERM. */
function isCutOff({ ending }: AgentRun, { kind, status, output }: ToolCall): boolean {
  return (
    kind === 'shell' &&
    status === 'failed' &&
    (ending === 'cut' || ending === 'interrupted') &&
    /^Exit code (?:130|137|143)\b(?!\s+Command timed out)/.test(output)
  )
}

/** Claude Code says when it put the shell back because it had left the project. */
function resetDirectory(call: ToolCall): string | undefined {
  return /Shell cwd was reset to (.+)/.exec(call.output)?.[1]
}
