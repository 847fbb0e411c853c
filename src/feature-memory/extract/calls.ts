import type { AgentRun, ToolCall } from '../../transcripts/agent-run.ts'
import { CallErrors } from './call-errors.ts'
import type { Failure } from './failures/failure.ts'
import type { ProjectRoot } from './project-root.ts'
import { type ShellEffect, shellEffects } from './shell-files.ts'

/** A tool call, read: what it did to files by way of the shell, and what went wrong. */
export interface ReadCall {
  call: ToolCall
  /** Of a shell command that succeeded. */
  effects: ShellEffect[]
  failures: Failure[]
  /** Where the command's last part ran, absolute: what it prints is relative to there. */
  directory: string
}

/** Reads the calls of a run in order, each in the directory its shell had come to. */
export function readCalls(run: AgentRun, root: ProjectRoot): ReadCall[] {
  const errors = new CallErrors()
  // A shell stands where the last command left it; a sub-agent's begins anew every time.
  let current: string | undefined = root.start
  return run.toolCalls.map((call) => {
    const failures = errors.of(call)
    if (call.kind !== 'shell' || call.command === undefined) {
      return { call, effects: [], failures, directory: root.start }
    }
    const { effects, directory } = shellEffects(call.command, call.subAgent ? root.start : current)
    // A command that failed did nothing we could rely on, and leaves the shell where it was.
    if (call.status === 'ok' && !call.subAgent) current = resetDirectory(call) ?? directory
    return {
      call,
      effects: call.status === 'ok' ? effects : [],
      failures,
      directory: directory ?? root.start,
    }
  })
}

/** Claude Code says when it put the shell back because it had left the project. */
function resetDirectory(call: ToolCall): string | undefined {
  return /Shell cwd was reset to (.+)/.exec(call.output)?.[1]
}
