import type { ToolCall } from '../../transcripts/agent-run.ts'
import { isOwnTool, STOP_ONCE_MARK } from '../../transcripts/own-marks.ts'
import { complaintIn } from '../agent-trouble.ts'
import type { ErrorType } from '../record.ts'
import { type Failure, failureMessage } from './failures/failure.ts'

/**
 * What became of a call that is marked as failed. `refused`: permissions forbid it. `declined`: a person, or our own hook,
 * did not want it now. `slip`: called the wrong way, or for something that is not there; it says nothing about the project.
 */
export type CallFate = 'ran' | 'refused' | 'declined' | 'slip'

export function fateOf(call: ToolCall): CallFate {
  if (call.status !== 'failed') return 'ran'
  // What memory answered is no news to it.
  if (call.kind === 'other' && isOwnTool(call)) return 'slip'
  const text = withoutToolMarks(call.output)
  const complaint = complaintIn(text)
  if (complaint === 'declined' || text.includes(STOP_ONCE_MARK)) return 'declined'
  if (complaint === 'refused') return 'refused'
  // Newer versions put marks around slips.
  return complaint || call.output.startsWith('<tool_use_error>') ? 'slip' : 'ran'
}

/** Not allowed: told with what was to be done. */
export function refusal(call: ToolCall): Failure {
  const subject = call.command ?? call.paths[0]
  const sentence = withoutToolMarks(call.output)
    .replace(/(?<!\s)\s+(?:IMPORTANT:|STOP what you are doing)[\s\S]*$/, '')
    .replace(/(?<!\s)\s*\(eg\.[^)]{0,400}\)/, '')
  const about = subject && !sentence.includes(subject) ? `(${call.name}: ${subject})` : undefined
  const file = call.kind === 'shell' ? undefined : call.paths[0]
  return { type: 'permission', message: failureMessage(sentence, about), file }
}

/** What a tool that is not a shell said when it failed. */
export function toolFailure(call: ToolCall): Failure {
  const text = withoutToolMarks(call.output)
  const message = text
    .replace(/(?<!\s)\s*Note: your current working directory is \S+$/, '')
    .replace(/^Error: /, '')
    .split(/\n{2,}/)[0]
  // "store is locked" means something only with the tool that said it.
  const speaker =
    call.kind === 'other' && call.name !== 'unknown' && !text.includes(call.name) ? `${call.name}:` : ''
  return {
    type: typeByWords(text, 'runtime'),
    message: failureMessage(speaker, message || 'failed without a message'),
    file: call.paths[0],
  }
}

/** Without the marks around it and the reminders to the model. */
export function withoutToolMarks(output: string): string {
  if (!output.includes('<')) return output.trim()
  return output
    .replace(/<\/?tool_use_error>/g, '')
    .replace(/<system-reminder>[\s\S]*?(?:<\/system-reminder>|$)/g, '')
    .trim()
}

export function typeByWords(text: string, otherwise: ErrorType): ErrorType {
  if (
    /permission denied|operation not permitted|EACCES|EPERM|forbidden|unauthori[sz]ed|authentication failed/i.test(
      text,
    )
  ) {
    return 'permission'
  }
  return /\bSyntaxError\b|syntax error/i.test(text) ? 'compile' : otherwise
}
