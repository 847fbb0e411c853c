import { checkKind } from '../../shell/check-kind.ts'
import type { CheckKind } from '../../shell/kinds.ts'
import { programOf } from '../../shell/parse-shell.ts'
import type { ErrorType } from '../record.ts'
import { isActing } from './acting.ts'
import type { RanCall } from './calls.ts'
import type { Failure } from './failures/failure.ts'
import { saysAllIsWell } from './failures/find-failures.ts'
import type { PlacedCommand } from './shell-files.ts'

/** One program call that can tell whether something is wrong, and what it told. */
export interface CheckResult extends PlacedCommand {
  kind: CheckKind
  result: 'passed' | 'failed'
  failures: Failure[]
  /** A commit, or a script given on the spot: hardly anybody runs the very same again. */
  oneOff: boolean
}

/** Which part of a command most likely reported a failure of this type, in this order. */
const REPORTERS: Record<ErrorType, readonly CheckKind[]> = {
  test: ['test', 'command', 'build'],
  compile: ['typecheck', 'build', 'test', 'lint', 'command'],
  lint: ['lint', 'build', 'typecheck', 'test', 'command'],
  runtime: ['command', 'test', 'build', 'lint', 'typecheck'],
  permission: ['command', 'build', 'test', 'lint', 'typecheck'],
  logic: ['command'],
  unknown: ['command', 'test', 'build', 'lint', 'typecheck'],
}
/** They hand on what they get; other filters may take the decisive line away. */
const HANDS_ON = new Set(['tail', 'head', 'cat', 'tee'])
/** How we and Claude Code mark what was left out. */
const CUT = /… \[\d+ characters left out\] …|\[\d+ (?:lines|characters) truncated\]|<persisted-output>/
const TROUBLE = /error|fail|exception|panic|not found|denied|cannot|unable|fatal|traceback|✖|✗|×/i

/**
 * How each acting part of a shell command came out. What nobody can tell is left out: a part that perhaps did not run, or
 * whose exit status a pipe or `|| true` hides while its output says neither this nor that.
 */
export function checkResults({ call, fate, failures, parts }: RanCall): CheckResult[] {
  if (fate !== 'ran' || call.status === 'unfinished') return []
  const acting = parts.filter(({ part }) => isActing(part))
  const whose = assign(failures, acting, parts)
  const results: CheckResult[] = []
  for (const placed of acting) {
    const own = whose.get(placed) ?? []
    const kind = checkKind(placed.part)
    const result = own.length > 0 ? 'failed' : judge(placed, parts, call.output, call.status, kind, whose)
    if (result)
      results.push({ ...placed, kind, result, failures: own, oneOff: kind === 'command' && isOneOff(placed) })
    // What follows an `&&` that failed did not run.
    if (result === 'failed' && isDecisive(placed, parts)) break
  }
  return results
}

function isOneOff({ part }: PlacedCommand): boolean {
  const { name, args } = programOf(part)
  if (name === 'git') return true
  if (!/^(?:node|deno|bun|python[\d.]*|ruby|perl|php|bash|sh|zsh)$/.test(name)) return false
  const script = args.find(({ text }) => !text.startsWith('-'))
  return script === undefined || args.some(({ text }) => /^-\w*[ecpr]$|^--eval$|^--print$|^-$/.test(text))
}

/** Failures by the part that reported them; where two parts may have, nobody can tell. */
function assign(
  failures: readonly Failure[],
  acting: readonly PlacedCommand[],
  parts: readonly PlacedCommand[],
): Map<PlacedCommand, Failure[]> {
  const whose = new Map<PlacedCommand, Failure[]>()
  for (const failure of failures) {
    if (isOfAnother(failure, parts)) continue
    const order = REPORTERS[failure.type]
    const ranked = acting.map((placed) => ({ placed, rank: order.indexOf(checkKind(placed.part)) }))
    const best = Math.min(...ranked.filter(({ rank }) => rank !== -1).map(({ rank }) => rank))
    const [placed, ...others] = ranked.filter(({ rank }) => rank === best).map((one) => one.placed)
    if (placed && others.length === 0) whose.set(placed, [...(whose.get(placed) ?? []), failure])
  }
  return whose
}

/** `cat: notes.txt: No such file or directory`: said by a part that only prepares or shows. */
function isOfAnother({ message }: Failure, parts: readonly PlacedCommand[]): boolean {
  const speaker = /^(?:\S*sh: (?:line \d+: )?)?([\w.[-]+): /.exec(message)?.[1]
  return parts.some(({ part }) => !isActing(part) && programOf(part).name === speaker)
}

/** Of a part in whose output nothing was found. */
function judge(
  placed: PlacedCommand,
  parts: readonly PlacedCommand[],
  output: string,
  status: 'ok' | 'failed' | 'unfinished',
  kind: CheckKind,
  whose: ReadonlyMap<PlacedCommand, Failure[]>,
): 'passed' | 'failed' | undefined {
  if (placed.part.after === '||') return undefined
  if (status === 'ok' && isDecisive(placed, parts)) return 'passed'
  const later = parts.slice(parts.indexOf(placed) + 1)
  // What failed is known, and comes after it in the same chain.
  if (isDecisive(placed, parts)) return later.some((one) => whose.has(one)) ? 'passed' : undefined
  const end = later.findIndex(({ part }) => part.after !== '|')
  const filters = end === -1 ? later : later.slice(0, end)
  if (filters.some(({ part }) => !HANDS_ON.has(programOf(part).name))) return undefined
  if (saysAllIsWell(output)) return 'passed'
  return kind === 'test' || TROUBLE.test(output) ? undefined : 'passed'
}

/** Whether not all that it printed was seen: a filter stands behind it, or the output was too long. */
export function isOutputCut({ part }: PlacedCommand, { call, parts }: RanCall): boolean {
  const next = parts[parts.findIndex((one) => one.part === part) + 1]
  return next?.part.after === '|' || CUT.test(call.output)
}

/** A line of several plain commands stands for itself: which of them failed cannot be told, only whether all went well. */
export function wholeResult({ call, fate, failures, parts }: RanCall): 'passed' | 'failed' | undefined {
  if (fate !== 'ran' || call.status === 'unfinished') return undefined
  if (call.status === 'failed' || failures.length > 0) return failures.length > 0 ? 'failed' : undefined
  const acting = parts.filter(({ part }) => isActing(part))
  return acting.length > 1 && acting.every((placed) => isDecisive(placed, parts)) ? 'passed' : undefined
}

/** Whether its own exit status decides that of the whole: last of its pipe, and only `&&` from there on. */
function isDecisive(placed: PlacedCommand, parts: readonly PlacedCommand[]): boolean {
  const later = parts.slice(parts.indexOf(placed) + 1)
  return later.every(({ part }, at) => part.after === '&&' || (part.after === '|' && at > 0))
}
