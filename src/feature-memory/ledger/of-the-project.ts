import type { RecordedError } from '../record.ts'

/** How an agent's own tools complain about being used wrongly. */
const SLIPS =
  /No such tool available|Input ?validation ?error|Invalid arguments for tool|String to replace not found|File has not been read|has been (?:modified|unexpectedly modified) since|Found \d+ matches of the string|old_string and new_string|No changes to make|^(?:\w+: )?(?:File|Path|Directory) does not exist|exceeds (?:the )?maximum allowed|EISDIR: illegal operation on a directory, read|<tool_use_error>/i

/** How a program, a person, a hook or ralph itself says no to an agent. */
const REFUSALS =
  /Permission to use \S{1,200} (?:with .{1,500} )?has been denied|requested permissions? to |The user doesn'?t want to (?:proceed|take)|^User rejected|^Blocked: |^This (?:command|operation|tool).{0,40}(?:requires approval|was rejected|was blocked|is not allowed)|^\S+ in '.+' (?:needs approval|was blocked)|File is in a directory that is denied|\w{1,40}ToolUse:\S{1,200} hook (?:error|denied|blocked)|Request interrupted by user/i

/** How the model's service and the machinery around a run fail. */
const SERVICE =
  /^API Error\b|\bAPI was rate limited or overloaded|^The run (?:was (?:interrupted|stopped)|ended with)|^(?:Invalid API key|Credit balance is too low|Prompt is too long)|\b(?:overloaded_error|rate_limit_error|authentication_error|invalid_request_error|api_error)\b|^(?:Claude )?(?:AI )?usage limit reached|OAuth (?:token|authentication)|^Reached (?:max|maximum) (?:number of )?(?:turns|budget)|max_turns|max_budget|^(?:Connection error|Request timed out|Request was aborted)\.?$|\b(?:429|529|5\d\d) \{"type":"error"/i

/**
 * Whether an error tells of the project. Records from before runs told their ending apart also hold trouble of the
 * service and slips of the agent with its tools.
 */
export function isOfTheProject({ message, command }: Pick<RecordedError, 'message' | 'command'>): boolean {
  // What a command of the project printed is the project's, whatever it is about.
  if (command !== undefined) return !REFUSALS.test(message) && !message.includes('<tool_use_error>')
  return !SLIPS.test(message) && !REFUSALS.test(message) && !SERVICE.test(message)
}
