import { isApiErrorText, serviceFailure } from '../transcripts/service-failure.ts'
import type { EndingCause, RecordedError } from './record.ts'

/**
 * How an agent's program says that a call did not run. `declined`: a person did not want it now. `refused`: permissions or
 * a hook forbid it. `held_back`: the program itself would not. `slip`: called the wrong way, or for something that is not there.
 */
export type Complaint = 'declined' | 'refused' | 'held_back' | 'slip'

const COMPLAINTS: readonly (readonly [Complaint, RegExp])[] = [
  [
    'declined',
    begins(
      "The user doesn'?t want to",
      'User rejected',
      'The user (?:rejected(?! permission to use)|interrupted|dismissed)',
      'Tool execution aborted',
      '\\[?Request interrupted by user',
      '(?:exec command|patch) rejected by user',
    ),
  ],
  [
    'refused',
    begins(
      'Permission to use \\S{1,200} (?:with .{1,500} )?has been denied',
      'Claude requested permissions? to ',
      'This (?:command|operation|tool).{0,40}(?:requires approval|was rejected|was blocked|is not allowed)',
      "\\S{1,200} in '.{1,500}' (?:needs approval|was blocked)",
      'File is in a directory that is denied',
      '\\w{1,40}ToolUse:\\S{1,200} hook (?:error|denied|blocked)',
      'patch rejected: ',
      // Without a person, opencode answers its own question like this.
      'The user rejected permission to use',
      'The user has specified a rule which prevents you',
      '(?:Command|Tool call) blocked by PreToolUse hook',
      // Codex, of a command that its own rules do not allow.
      'exec_command failed: CreateProcess \\{ message: "Rejected\\(',
      'Tool execution (?:denied by policy|for "\\S{1,200}" requires user confirmation)',
      'Tool \\S{1,200} (?:requires user approval|invocation was denied)',
      'Qwen Code requires permission to use \\S{1,200}, but that permission was declined',
      // Without a person and without leave, Gemini does not offer its tools that change something.
      'Tool "(?:run_shell_command|write_file|replace)" not found',
    ),
  ],
  ['held_back', begins('Blocked: ')],
  [
    'slip',
    begins(
      'No such tool available',
      'Input ?validation ?error',
      '(?:MCP error -?\\d+: )?Invalid arguments',
      'String to replace not found',
      'File has not been read',
      'File has been (?:unexpectedly )?modified since',
      'Found \\d+ matches of the string',
      'No changes to make',
      'old_string and new_string',
      '(?:File|Path|Directory) does not exist',
      'File content \\(.*exceeds',
      'EISDIR: ',
      'Could not find oldString in the file',
      'oldString not found in content',
      'Found multiple matches for oldString',
      'File not found: ',
      'The \\S{1,200} tool was called with invalid arguments',
      'Model tried to call unavailable tool',
      '(?:No match|Multiple matches) found$',
      "Tool '\\S{1,200}' does not exist",
      '"\\w{1,80}": Required$',
      'apply_patch verification failed',
      'unsupported (?:custom tool )?call: ',
      'failed to parse function arguments',
      'Could not find the exact text in ',
      'Found \\d+ occurrences of the text',
      'Tool \\S{1,200} not found',
      "Could not find an exact match for 'old_string'",
      'Failed to edit[,.] ',
      'No changes to apply\\.',
      'params(?:/\\S{1,200})? must ',
      '(?:File path|Directory) must be ',
      'File .{1,500} has not been read in this session',
      'Validation failed for tool ',
      "ENOENT: no such file or directory, access '",
    ),
  ],
]

function begins(...words: readonly string[]): RegExp {
  return new RegExp(`^(?:Error: |MCP server '[^']{1,100}': )?(?:${words.join('|')})`, 'i')
}

export function complaintIn(text: string): Complaint | undefined {
  return COMPLAINTS.find(([, pattern]) => pattern.test(text))?.[0]
}

/** What earlier versions of ours said of a run that a limit or the service had ended. */
const OLDER_WORDS: readonly (readonly [EndingCause, RegExp])[] = [
  ['turns', /^Reached max(?:imum)? (?:number of )?turns|max_turns/],
  ['budget', /^Reached max(?:imum)? budget|max_budget/],
  ['rate_limit', /^The API was rate limited or overloaded/],
  ['api', /^The run ended with (?:an API error|error_)/],
]

/** Which trouble of the service, or which limit, an error without a command tells of, if it does. */
export function serviceCauseIn(message: string): EndingCause | undefined {
  const older = OLDER_WORDS.find(([, pattern]) => pattern.test(message))?.[0]
  return older ?? (isApiErrorText(message) ? serviceFailure(message, undefined, []).cause : undefined)
}

/**
 * Whether an error tells of the project. Records from before runs told their ending apart also hold trouble of the
 * service and slips of the agent with its tools.
 */
export function isOfTheProject({ message, command }: Pick<RecordedError, 'message' | 'command'>): boolean {
  const complaint = complaintIn(message)
  // What a command of the project printed is the project's, whatever it is about.
  if (command !== undefined)
    return (!complaint || complaint === 'slip') && !message.includes('<tool_use_error>')
  const withoutSpeaker = message.replace(/^[\w-]{1,80}: /, '')
  return !(
    complaint ||
    complaintIn(withoutSpeaker) ||
    serviceCauseIn(message) ||
    /^The run (?:was (?:interrupted|stopped)|ended with)|<tool_use_error>/.test(message)
  )
}
