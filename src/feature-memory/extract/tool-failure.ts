import type { ToolCall } from '../../transcripts/agent-run.ts'
import type { ErrorType } from '../record.ts'
import { type Failure, oneLine } from './failures/failure.ts'

/** The tool would not do it: not allowed, not wanted, or called the wrong way. */
export function refusal(call: ToolCall): Failure | undefined {
  const text = cleaned(call.output)
  const subject = call.command ?? call.paths[0]
  if (isPermission(text)) {
    const sentence = text
      .replace(/\s+(?:IMPORTANT:|STOP what you are doing)[\s\S]*$/, '')
      .replace(/\s*\(eg\.[^)]*\)/, '')
    const about = subject && !sentence.includes(subject) ? `(${call.name}: ${subject})` : undefined
    return { type: 'permission', message: oneLine(sentence, about) }
  }
  if (call.output.startsWith('<tool_use_error>')) return toolFailure(call)
  return undefined
}

/** How Claude Code, a person or a hook says no. */
const REFUSALS = [
  /^Permission to use \S+ (?:with .+ )?has been denied/,
  /^Claude requested permissions? to /,
  /^(?:The user doesn't want to|User rejected|Blocked: )/,
  /^This (?:command|operation|tool).{0,40}(?:requires approval|was rejected|was blocked|is not allowed)/,
  /^\S+ in '.+' (?:needs approval|was blocked)/,
  /^File is in a directory that is denied/,
  /^\w+ToolUse:\S+ hook (?:error|denied|blocked)/,
]

function isPermission(text: string): boolean {
  return REFUSALS.some((pattern) => pattern.test(text))
}

/** What a tool that is not a shell said when it failed. */
export function toolFailure(call: ToolCall): Failure {
  const text = cleaned(call.output)
  const file = call.paths[0]
  if (isPermission(text)) return { ...refusal(call)!, file }
  const message = text
    .replace(/\s*Note: your current working directory is \S+$/, '')
    .replace(/^Error: /, '')
    .split(/\n{2,}/)[0]
  // "store is locked" means something only with the tool that said it.
  const speaker =
    call.kind === 'other' && call.name !== 'unknown' && !text.includes(call.name) ? `${call.name}:` : ''
  return {
    type: misuse(text) ?? typeByWords(text, 'runtime'),
    message: oneLine(speaker, message || 'failed without a message'),
    file,
  }
}

/** The agent called the tool the wrong way. */
function misuse(text: string): ErrorType | undefined {
  const wrong =
    /No such tool available|InputValidationError|Input validation error|Invalid arguments|String to replace not found|File has not been read|has been modified since|Found \d+ matches of the string|old_string and new_string|No changes to make/i
  return wrong.test(text) ? 'logic' : undefined
}

/** Without the marks around it and the reminders to the model. */
export function cleaned(output: string): string {
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
