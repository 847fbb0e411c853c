import { RalphError } from '../../errors.ts'
import { requireTranscript } from '../../transcripts/read-transcript.ts'
import type { AgentProgram } from './programs/program.ts'
import type { AgentEnd } from './run-agent.ts'

/** The agent cannot be started, or ends before it does anything: the next try would end the same way. */
export class AgentUnusable extends RalphError {}

/** An agent that ends without a word has not attempted anything; what one said in no form we know, nobody can tell. */
export function unusableOutput(end: AgentEnd, program: AgentProgram | undefined): unknown {
  if (end.run.lines.total === 0 && end.run.process.stopped === undefined) return silentFailure(end, program)
  try {
    requireTranscript(end.run, 'what the agent printed', true)
    return undefined
  } catch (error) {
    return error
  }
}

function silentFailure({ run, complaint }: AgentEnd, program: AgentProgram | undefined): AgentUnusable {
  const { exitCode, signal } = run.process
  const said = complaint.split('\n').filter(Boolean).slice(-3).join(' / ') || 'nothing at all'
  const message = `the agent ended with ${signal ?? `code ${exitCode}`} before it did anything; it said: ${said}`
  const hint =
    program?.trouble?.(exitCode, complaint)?.hint ??
    'Try it by hand in the project folder, then correct loop.agent in .ralph/rag_config.json.'
  return new AgentUnusable('unavailable', message, { hint })
}
