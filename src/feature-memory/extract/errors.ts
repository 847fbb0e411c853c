import { commandKey } from '../../shell/command-key.ts'
import { errorSignature } from '../../text/error-signature.ts'
import { truncate } from '../../text/truncate.ts'
import type { AgentRun } from '../../transcripts/agent-run.ts'
import { type ErrorType, RECORD_CAPS, type RecordedError, type TouchedFile } from '../record.ts'
import { isActing } from './acting.ts'
import type { ReadCall } from './calls.ts'
import type { Failure } from './failures/failure.ts'
import type { ProjectRoot } from './project-root.ts'
import { errorsInText } from './text-errors.ts'
import { textsOf } from './texts.ts'

/** Enough to recognise what went wrong; a hundred lint errors say no more than ten. */
export const MOST_ERRORS = 25
const MOST_OF_ONE_TYPE = 10
/** Who must give way first when there are too many. */
const IMPORTANCE: readonly ErrorType[] = [
  'test',
  'compile',
  'runtime',
  'permission',
  'lint',
  'logic',
  'unknown',
]

/** What went wrong in a run, each thing once, in order of appearance. `touched` helps to place bare file names. */
export function extractErrors(
  run: AgentRun,
  calls: readonly ReadCall[],
  root: ProjectRoot,
  touched: readonly TouchedFile[],
): RecordedError[] {
  const found = new FoundErrors(root, touched)
  const overcome = commandsThatWorked(calls)
  for (const { call, failures, directory } of calls) {
    const command = call.command !== undefined && !overcome.has(call.command) ? call.command : undefined
    for (const failure of failures) found.add(failure, directory, command)
  }
  addReported(run, found, root.start)
  return limited(found.list())
}

/** Commands that ended well the last time they were run: no reason to warn of them. */
function commandsThatWorked(calls: readonly ReadCall[]): Set<string> {
  const keys = new Map<string, string>()
  const last = new Map<string, ReadCall>()
  for (const read of calls) {
    const { command } = read.call
    if (command === undefined) continue
    // A run repeats its commands, and taking one apart takes long.
    const key = keys.get(command) ?? commandKey(command)
    keys.set(command, key)
    last.set(key, read)
  }
  const worked = [...keys].filter(([, key]) => wentWell(last.get(key)!))
  return new Set(worked.map(([command]) => command))
}

/** What a pipe hides did not go well just because nothing was seen. */
function wentWell({ call, failures, parts, results }: ReadCall): boolean {
  if (call.status !== 'ok' || failures.length > 0) return false
  return !parts.some(({ part }) => isActing(part)) || results.some(({ result }) => result === 'passed')
}

/** What the agent wrote counts where no tool said it: alone, or by an error's own name that nobody mentioned yet. */
function addReported(run: AgentRun, found: FoundErrors, directory: string): void {
  const silent = found.empty
  for (const { failure, named } of textsOf(run).flatMap(errorsInText)) {
    if (silent || (named && !found.mentions(failure))) found.add(failure, directory)
  }
}

class FoundErrors {
  readonly #root: ProjectRoot
  readonly #touched: readonly TouchedFile[]
  readonly #errors = new Map<string, RecordedError>()
  /** What came word for word before: a run that fails ten times says the same ten times. */
  readonly #added = new Set<string>()

  constructor(root: ProjectRoot, touched: readonly TouchedFile[]) {
    this.#root = root
    this.#touched = touched
  }

  get empty(): boolean {
    return this.#errors.size === 0
  }

  add(failure: Failure, directory: string, command?: string): void {
    const words = `${directory}|${failure.file ?? ''}|${failure.message}`
    if (this.#added.has(words)) return
    this.#added.add(words)
    const filePath = failure.file === undefined ? undefined : this.#place(failure.file, directory)
    const key = `${errorSignature(failure.message)}|${filePath ?? ''}`
    if (this.#errors.has(key)) return
    const error: RecordedError = { message: truncate(failure.message, RECORD_CAPS.error), type: failure.type }
    if (filePath !== undefined) {
      error.filePath = filePath
      if (failure.line !== undefined && failure.line > 0) error.line = failure.line
    }
    if (command !== undefined) error.command = truncate(command, RECORD_CAPS.command)
    this.#errors.set(key, error)
  }

  /** Go and Java name the file without its directory: if the run touched just one of that name, it is that one. */
  #place(file: string, directory: string): string | undefined {
    // A pattern met a sentence rather than a path.
    if (/["'`;<>|*?]/.test(file)) return undefined
    if (!/[\\/]/.test(file)) {
      const same = this.#touched.filter(({ path }) => path.endsWith(`/${file}`))
      if (same.length === 1) return same[0]!.path
    }
    return this.#root.relative(file, directory)
  }

  mentions({ message }: Failure): boolean {
    const signature = errorSignature(message)
    const name = /^\w+(?:Error|Exception)/.exec(message)?.[0] ?? message
    return [...this.#errors.values()].some(
      (error) => error.message.includes(name) || errorSignature(error.message).includes(signature),
    )
  }

  list(): RecordedError[] {
    return [...this.#errors.values()]
  }
}

function limited(errors: RecordedError[]): RecordedError[] {
  const ranked = IMPORTANCE.flatMap((type) =>
    errors.filter((error) => error.type === type).slice(0, MOST_OF_ONE_TYPE),
  )
  const kept = new Set(ranked.slice(0, MOST_ERRORS))
  return errors.filter((error) => kept.has(error))
}
