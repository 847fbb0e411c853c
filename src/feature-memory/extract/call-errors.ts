import type { ToolCall } from '../collect/agent-run.ts'
import type { ErrorType } from '../record.ts'
import { type Failure, oneLine, outputOf } from './failures/failure.ts'
import { findFailures } from './failures/find-failures.ts'
import { parseShell, programOf } from './shell.ts'

/** They show what is in files or on the machine; an error in what they print is not an error of this run. */
const SHOWING = new Set(
  'cat head tail less more grep egrep rg ag find fd ls tree sed awk echo printf jq yq wc diff sort uniq cut tr nl cd pwd true test [ sleep mkdir touch rm cp mv tee which type env export stat file date xxd'.split(
    ' ',
  ),
)
/** Of git, only what runs hooks does something. */
const GIT_ACTING = /^(?:commit|push|merge|rebase|pull|am|cherry-pick)$/
/** Exit code 1 is their way to say no. */
const ASKING = new Set(['grep', 'egrep', 'rg', 'ag', 'diff', 'test', '[', 'cmp', 'which', 'pgrep', 'git'])

/** Reads the errors out of the calls of one run, in order. */
export class CallErrors {
  /** Files that a run's output was sent to: showing one shows that output. */
  readonly #logs = new Set<string>()

  of(call: ToolCall): Failure[] {
    if (call.status === 'unfinished' && call.output === '') return []
    if (call.kind !== 'shell') return call.status === 'failed' ? [toolFailure(call)] : []
    const command = call.command ?? ''
    const refused = call.status === 'failed' ? refusal(call) : undefined
    if (refused) return [refused]
    // Of a failure in the background only this sentence is told.
    if (call.output.startsWith('Background command ')) {
      return call.status === 'failed' ? [{ type: typeByCommand(command), message: oneLine(call.output) }] : []
    }
    const output = call.output.replace(/^Exit code \d+\n?/, '')
    const found = this.#runsSomething(command) ? findFailures(output, command) : []
    if (found.length > 0 || call.status !== 'failed') return found
    return shellFailure(command, call.output)
  }

  #runsSomething(command: string): boolean {
    const parts = parseShell(command).map((part) => ({ part, ...programOf(part) }))
    // Nothing plain to see, as in a loop: it may run anything.
    if (parts.length === 0) return true
    const acting = parts.filter(({ name, args }) =>
      name === 'git' ? GIT_ACTING.test(args[0]?.text ?? '') : name !== '' && !SHOWING.has(name),
    )
    if (acting.length === 0) {
      return parts.some(({ args }) => args.some(({ text }) => this.#logs.has(text)))
    }
    for (const { part, name, args } of parts) {
      for (const { target } of part.redirects) this.#logs.add(target.text)
      if (name === 'tee') for (const { text } of args) this.#logs.add(text)
    }
    return true
  }
}

/** The tool would not do it: not allowed, not wanted, or called the wrong way. */
function refusal(call: ToolCall): Failure | undefined {
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

function toolFailure(call: ToolCall): Failure {
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

function cleaned(output: string): string {
  return output
    .replace(/<\/?tool_use_error>/g, '')
    .replace(/<system-reminder>[\s\S]*?(?:<\/system-reminder>|$)/g, '')
    .trim()
}

/** A command that failed without saying so in a form we know: the lines that sound most like the reason. */
function shellFailure(command: string, text: string): Failure[] {
  const exit = /^Exit code (\d+)/.exec(text)?.[1]
  const body = outputOf(cleaned(text.replace(/^Exit code \d+\n?/, ''))).lines.filter(
    (line) => line.trim() !== '',
  )
  const short = oneLine(command.split('\n')[0]).slice(0, 120)
  const timeout = body.find((line) => /^Command timed out after/.test(line))
  if (timeout) return [{ type: 'runtime', message: oneLine(`${timeout}:`, short) }]
  const reasons = body.filter(soundsLikeReason)
  if (exit === '1' && reasons.length === 0 && isQuestion(command)) return []
  const failed = oneLine(short && `\`${short}\``, exitWords(exit))
  const why = reasons.length > 0 ? reasons.slice(0, 3).join('; ') : body.at(-1)
  const type = typeByWords(why ?? '', typeByCommand(command))
  return [
    {
      type,
      message: oneLine(reasons.length > 0 ? `${why} (${failed})` : `${failed}${why ? `: ${why}` : ''}`),
    },
  ]
}

function exitWords(exit: string | undefined): string {
  if (exit === undefined) return 'failed'
  // 128 and the number of the signal: SIGKILL, SIGTERM.
  return exit === '137' || exit === '143' ? `was killed (exit code ${exit})` : `failed with exit code ${exit}`
}

function soundsLikeReason(line: string): boolean {
  if (/\b(?:0|no) (?:errors?|failures?|failed)\b/i.test(line)) return false
  return /\b(?:errors?|fatal|failed|failure|exception|not found|no such|denied|refused|cannot|can't|could not|unable|invalid|undefined|unknown|missing|timed out|panic|aborted|conflict|unrecognized|unexpected|not permitted|does not exist|already exists|segmentation fault|killed|out of memory)\b|npm ERR!|^E: /i.test(
    line,
  )
}

function isQuestion(command: string): boolean {
  const last = parseShell(command).at(-1)
  if (!last) return false
  const { name, args } = programOf(last)
  return (
    ASKING.has(name) && (name !== 'git' || /^(?:diff|grep|show-ref|merge-base)$/.test(args[0]?.text ?? ''))
  )
}

function typeByWords(text: string, otherwise: ErrorType): ErrorType {
  if (
    /permission denied|operation not permitted|EACCES|EPERM|forbidden|unauthori[sz]ed|authentication failed/i.test(
      text,
    )
  ) {
    return 'permission'
  }
  return /\bSyntaxError\b|syntax error/i.test(text) ? 'compile' : otherwise
}

function typeByCommand(command: string): ErrorType {
  if (/\b(?:test|vitest|jest|pytest|mocha|rspec|phpunit|ctest)\b/.test(command)) return 'test'
  if (/\b(?:lint|eslint|biome|ruff|flake8|pylint|clippy|prettier|golangci-lint)\b/.test(command))
    return 'lint'
  if (/\b(?:tsc|build|compile|rustc|javac|gcc|g\+\+|clang|mypy|pyright|typecheck|make)\b/.test(command))
    return 'compile'
  return 'runtime'
}
