import { basename } from 'node:path'
import { identify } from '../shell/check-key.ts'
import { errorSignature, isSameFailure, isTelling } from '../text/error-signature.ts'
import { isOfTheProject } from './agent-trouble.ts'
import { changedPaths } from './endings.ts'
import { CallErrors } from './extract/call-errors.ts'
import type { IterationRecord, RecordedCheck } from './record.ts'

/** A command that came out badly the last time it ran, with nothing changed since that could matter to it. */
export interface FailedCommand {
  /** What it reported, in the order in which it did. */
  signatures: string[]
  /** The first thing it reported, as a person would read it. */
  message: string
  /** Where it failed in this very way, one after the other: it did not succeed in between. */
  iterations: number[]
  /** ISO 8601: nothing after this has been looked at. */
  at: string
}

/** Of the machine or the network at that moment: the next run may well find it otherwise. */
const PASSING =
  /econnrefused|econnreset|etimedout|enotfound|eai_again|connection (?:refused|reset|timed out)|could not resolve|network|timed out|timeout|temporar|rate.?limit|too many requests|service unavailable|bad gateway|overloaded|\b(?:429|502|503|504|529)\b|enospc|no space left|out of memory|was killed|eaddrinuse|address already in use|lock(?:ed|file)?\b|index\.lock/
/** The command itself is wrong: no program, no script, no file, no option of that name. */
const WRONG_CALL =
  /missing script|command not found|: not found|no such file|cannot find module|can't open file|unknown (?:option|command|argument|flag)|unrecognized (?:option|argument)|invalid option|unexpected argument|is not recognized|no rule to make target|no module named|^usage:|enoent/
/** What programs, scripts and options are called in. */
const MANIFESTS =
  /^(?:package(?:-lock)?\.json|pnpm-(?:lock|workspace)\.yaml|yarn\.lock|bun\.lockb?|makefile|justfile|taskfile\.ya?ml|cargo\.(?:toml|lock)|go\.(?:mod|sum)|pyproject\.toml|setup\.(?:py|cfg)|requirements.*\.txt|pipfile(?:\.lock)?|poetry\.lock|uv\.lock|gemfile(?:\.lock)?|composer\.(?:json|lock)|build\.gradle(?:\.kts)?|pom\.xml|dockerfile|docker-compose\.ya?ml|compose\.ya?ml|tox\.ini|\.env.*|\.tool-versions|\.nvmrc)$/

/** By the key of the check, from the feature's records, oldest first. Checks are not among them: they are there to be repeated. */
export function failedCommands(
  records: readonly IterationRecord[],
  project?: string,
): Map<string, FailedCommand> {
  const found = new Map<string, FailedCommand>()
  for (const record of records) {
    const changed = changedPaths(record)
    const before = new Map(found)
    for (const check of record.checks) {
      const { key } = identify(check, project)
      if (check.kind !== 'command' || key === '') continue
      const failed = failureIn(record, check, before.get(key))
      found.delete(key)
      if (failed && !(check.changedAfter && changed.some((path) => matters(path, key, failed))))
        found.set(key, failed)
    }
    for (const [key, failed] of before) {
      const ranAgain = failed !== found.get(key)
      if (!ranAgain && changed.some((path) => matters(path, key, failed))) found.delete(key)
    }
  }
  return found
}

/** Undefined when it went well, or when what it said may pass by itself. */
function failureIn(
  record: IterationRecord,
  { result, signatures }: RecordedCheck,
  before: FailedCommand | undefined,
): FailedCommand | undefined {
  if (result === 'passed' || !canBeTheSame(signatures)) return undefined
  const [first] = signatures
  const error = record.errors.find(({ message }) => errorSignature(message) === first)
  if (error && !isOfTheProject(error)) return undefined
  const again = before !== undefined && isSameFailure(before.signatures, signatures)
  return {
    signatures: [...signatures],
    message: error?.message ?? first!,
    iterations: [...(again ? before.iterations : []), record.iterationNumber],
    at: endOf(record),
  }
}

/** Whether two failures that read like this are the same one, and not of a moment that has passed. */
export function canBeTheSame(signatures: readonly string[]): boolean {
  return signatures.length > 0 && signatures.every((one) => isTelling(one) && !PASSING.test(one))
}

/** True when only what the command names, or where names are given, could make a difference. */
export function isWrongCall({ signatures }: Pick<FailedCommand, 'signatures'>): boolean {
  return signatures.every((signature) => WRONG_CALL.test(signature))
}

/** Whether a change of this file may change how the command comes out. */
export function matters(path: string, key: string, failed: Pick<FailedCommand, 'signatures'>): boolean {
  if (!isWrongCall(failed)) return true
  const name = basename(path).toLowerCase()
  // A module is mostly named without its ending.
  const stem = name.replace(/\.\w+$/, '')
  const named = `${key.toLowerCase()} ${failed.signatures.join(' ')}`
  return MANIFESTS.test(name) || (stem.length >= 3 && named.includes(stem))
}

/** The errors in what a failed tool call printed, with the signatures by which the ledger knows them. */
export function failuresIn(failed: {
  tool: string
  command?: string
  output: string
}): { message: string; signature: string }[] {
  const failures = new CallErrors().of({
    id: '',
    name: failed.tool,
    kind: failed.command === undefined ? 'other' : 'shell',
    paths: [],
    command: failed.command,
    creates: undefined,
    subAgent: false,
    status: 'failed',
    output: failed.output,
  })
  return failures.map(({ message }) => ({ message, signature: errorSignature(message) }))
}

/** Older records do not tell: there, the loop noted when a run began, a session when it ended. */
function endOf({ kind, timestamp, endedAt, durationMs = 0 }: IterationRecord): string {
  if (endedAt !== undefined || kind === 'session') return endedAt ?? timestamp
  return new Date(Date.parse(timestamp) + durationMs).toISOString()
}
