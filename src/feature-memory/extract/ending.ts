import type { AgentRun, ServiceFailure, Stop } from '../../transcripts/agent-run.ts'
import type { Outcome, RunEnding } from '../record.ts'
import type { ReadCall } from './calls.ts'
import { failureMessage } from './failures/failure.ts'
import { wasRefused } from './outcome.ts'
import type { ProjectRoot } from './project-root.ts'

/**
 * How a run ended, from the program's own words, what is known of its process, and what came of it. In this order:
 *
 * 1. a person interrupted it → `stopped`
 * 2. the model's service or a limit of the program ended it → `service_failed`, also when we stopped it while it waited
 * 3. we ended it because of time, silence or cost, or found it after a crash → `stopped` (cost: `service_failed`)
 * 4. it came to its end by itself → `done` if that is a success, else `refused` if permissions kept it from changing
 *    anything, else `worked`
 * 5. it has no closing words → `stopped`, as killed where a signal says so
 */
export function extractEnding(
  run: AgentRun,
  calls: readonly ReadCall[],
  root: ProjectRoot,
  outcome: Outcome,
): RunEnding {
  const { exitCode, signal } = run.process
  const ending =
    stoppedByPerson(run, outcome) ??
    serviceEnding(run) ??
    stoppedByUs(run, outcome) ??
    ownEnding(run, calls, outcome)
  const begun = ending.kind === 'stopped' || ending.kind === 'service_failed' ? begunEdits(calls, root) : []
  return {
    ...ending,
    ...(begun.length > 0 && { begun }),
    ...(exitCode && { exitCode }),
    ...(signal && { signal }),
  }
}

/** Of calls to which no result came. */
function begunEdits(calls: readonly ReadCall[], root: ProjectRoot): string[] {
  const paths = calls
    .filter(({ call: { kind, status } }) => status === 'unfinished' && (kind === 'edit' || kind === 'write'))
    .flatMap(({ call }) => call.paths.map((path) => root.relative(path)))
  return [...new Set(paths)].filter((path) => path !== undefined)
}

function stoppedByPerson({ ending, process }: AgentRun, outcome: Outcome): RunEnding | undefined {
  const stopped = process.stopped?.reason === 'interrupted' && !isDone(ending, outcome)
  return stopped || ending === 'interrupted' ? { kind: 'stopped', cause: 'interrupted' } : undefined
}

/** Asked to end, an agent may still find words for it; only a success shows that it was done anyway. */
function isDone(ending: AgentRun['ending'], outcome: Outcome): boolean {
  return ending === 'completed' && outcome === 'success'
}

function serviceEnding({ service, rateLimit }: AgentRun): RunEnding | undefined {
  if (!service) return undefined
  const detail = serviceWords(service) || `asked again ${rateLimit.retries} times`
  return { kind: 'service_failed', cause: service.cause, detail }
}

function stoppedByUs({ process, ending }: AgentRun, outcome: Outcome): RunEnding | undefined {
  const { stopped } = process
  if (!stopped || isDone(ending, outcome)) return undefined
  switch (stopped.reason) {
    case 'time':
    case 'silence':
      return { kind: 'stopped', cause: stopped.reason, ...limitWords(stopped) }
    case 'cost':
      return { kind: 'service_failed', cause: 'budget', detail: 'it had cost as much as it may' }
    case 'recovered':
      // Nobody stopped it if it went on to its own end after the loop was gone.
      return ending === 'completed' ? undefined : { kind: 'stopped', cause: 'recovered' }
    default:
      return undefined
  }
}

function limitWords({ reason, limitMs }: Stop): { detail?: string } {
  if (limitMs === undefined) return {}
  const length = limitMs < 60_000 ? `${Math.round(limitMs / 1_000)} s` : `${Math.round(limitMs / 60_000)} min`
  return { detail: reason === 'silence' ? `silent for ${length}` : `stopped after ${length}` }
}

function ownEnding(run: AgentRun, calls: readonly ReadCall[], outcome: Outcome): RunEnding {
  const { ending, process, result } = run
  if (ending === 'failed') {
    // Some programs go no further when nobody can allow what they ask for.
    const last = calls.at(-1)
    if (last?.fate === 'refused') return { kind: 'refused', detail: last.failures[0]?.message }
    const words = failureMessage(result?.text || result?.errors.join('; ')) || `ended with ${result?.subtype}`
    return { kind: 'service_failed', cause: 'api', detail: words }
  }
  if (ending === 'cut') {
    const killed = process.signal !== undefined || KILLED.includes(process.exitCode ?? 0)
    return { kind: 'stopped', ...(killed && { cause: 'killed' as const }) }
  }
  if (outcome === 'success') return { kind: 'done' }
  if (!wasRefused(calls)) return { kind: 'worked' }
  return { kind: 'refused', detail: calls.find(({ fate }) => fate === 'refused')!.failures[0]?.message }
}

/** 128 and the number of SIGINT, SIGKILL, SIGTERM, as shells and some programs tell it. */
const KILLED: readonly number[] = [130, 137, 143]

/** What the service said, on one line, as people are told. */
export function serviceWords({ words }: ServiceFailure): string {
  return failureMessage(words.split('\n')[0])
}
