import { parseShell, programOf } from '../../shell/parse-shell.ts'
import type { ErrorType } from '../record.ts'
import { type Failure, failureMessage, outputOf } from './failures/failure.ts'
import { typeByWords, withoutToolMarks } from './tool-failure.ts'

/** Exit code 1 is their way to say no. */
const ASKING = new Set(['grep', 'egrep', 'rg', 'ag', 'diff', 'test', '[', 'cmp', 'which', 'pgrep', 'git'])

/** A command that failed without saying so in a form we know: the lines that sound most like the reason. */
export function shellFailure(command: string, text: string, showing: boolean): Failure[] {
  const exit = /^Exit code (\d+)/.exec(text)?.[1]
  const body = outputOf(withoutToolMarks(text.replace(/^Exit code \d+\n?/, ''))).lines.filter(
    (line) => line.trim() !== '',
  )
  const short = failureMessage(command.split('\n')[0]).slice(0, 120)
  const timeout = body.find((line) => /^Command timed out after/.test(line))
  if (timeout) return [{ type: 'runtime', message: failureMessage(`${timeout}:`, short) }]
  const reasons = body.filter((line) => soundsLikeReason(line) && (!showing || isComplaint(line)))
  if (exit === '1' && reasons.length === 0 && isQuestion(command)) return []
  const failed = failureMessage(short && `\`${short}\``, exitWords(exit))
  const why = reasons.length > 0 ? reasons.slice(0, 3).join('; ') : body.at(-1)
  const type = typeByWords(why ?? '', typeByCommand(command))
  return [
    {
      type,
      message: failureMessage(
        reasons.length > 0 ? `${why} (${failed})` : `${failed}${why ? `: ${why}` : ''}`,
      ),
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

/** `cat: nope: No such file or directory`: the program speaks, not the file it shows. */
function isComplaint(line: string): boolean {
  return /^(?:\/[\w/]+\/)?[\w-]+: /.test(line)
}

function isQuestion(command: string): boolean {
  const last = parseShell(command).at(-1)
  if (!last) return false
  const { name, args } = programOf(last)
  return (
    ASKING.has(name) && (name !== 'git' || /^(?:diff|grep|show-ref|merge-base)$/.test(args[0]?.text ?? ''))
  )
}

export function typeByCommand(command: string): ErrorType {
  if (/\b(?:test|vitest|jest|pytest|mocha|rspec|phpunit|ctest)\b/.test(command)) return 'test'
  if (/\b(?:lint|eslint|biome|ruff|flake8|pylint|clippy|prettier|golangci-lint)\b/.test(command))
    return 'lint'
  if (/\b(?:tsc|build|compile|rustc|javac|gcc|g\+\+|clang|mypy|pyright|typecheck|make)\b/.test(command))
    return 'compile'
  return 'runtime'
}
