import type { Decision, IterationRecord, RecordedError } from '../feature-memory/record.ts'
import { errorSignature } from '../text/normalise.ts'
import { asData } from '../text/sanitise.ts'
import { truncate } from '../text/truncate.ts'
import type { LearningCandidate } from './append.ts'
import { LEARNING_CAP } from './learning.ts'

/** At most so many from one iteration: what matters will come up again. */
const MOST_ERRORS = 2
const MOST_DECISIONS = 2
const SHORTEST = 20

/** How the agent's own tools complain about being used wrongly: true of the moment, worth nothing to the next iteration. */
const PASSING =
  /file (?:has not been|does not exist|not found)|has been modified since|string to replace|no such tool|not been read yet|ENOENT|no changes to make|exceeds maximum allowed|timed? ?out|rate.?limit|overloaded|interrupted|user (?:rejected|doesn.?t want)|exit(?:ed with)? code \d+$/i
/** Where errors tell of the project rather than of one command. */
const TELLING: readonly RecordedError['type'][] = ['compile', 'test', 'runtime', 'permission', 'logic']

/**
 * What an iteration teaches by itself, deterministic and cautious. An error counts when it has come back, or was met and
 * overcome; a decision when it says why and the work was done. `previous` are earlier records of the same feature.
 */
export function deriveLearnings(
  record: IterationRecord,
  previous: readonly IterationRecord[] = [],
): (LearningCandidate & { paths: string[] })[] {
  return [...fromErrors(record, previous), ...fromDecisions(record)]
}

function fromErrors(record: IterationRecord, previous: readonly IterationRecord[]) {
  const earlier = previous.filter(({ iterationNumber }) => iterationNumber < record.iterationNumber)
  const candidates = record.errors
    .filter(
      ({ message, type }) => TELLING.includes(type) && message.length >= SHORTEST && !PASSING.test(message),
    )
    .map((error) => ({ error, sightings: earlier.filter((other) => met(other, error)) }))
    .filter(({ sightings }) => sightings.length > 0 || record.outcome === 'success')
    .sort((a, b) => b.sightings.length - a.sightings.length)
  return candidates.slice(0, MOST_ERRORS).map(({ error, sightings }) => {
    const elsewhere = sightings.some(({ taskId }) => taskId !== record.taskId)
    const place = error.filePath ? ` (${error.filePath})` : ''
    const again =
      sightings.length > 0
        ? `met again: also in iteration ${sightings.map(({ iterationNumber }) => iterationNumber).join(', ')}`
        : 'met and overcome'
    return {
      text: truncate(`${firstLine(error.message)}${place}`, LEARNING_CAP),
      reason: `${again}; seen in iteration ${record.iterationNumber}, task ${record.taskId} "${asData(record.taskTitle)}"`,
      source: 'auto' as const,
      iteration: record.iterationNumber,
      // Seen in one task only, it may be that task's own trouble.
      ...(!elsewhere && { taskId: record.taskId }),
      evidence: 'measured' as const,
      paths: error.filePath ? [error.filePath] : [],
    }
  })
}

function met(record: IterationRecord, { message }: RecordedError): boolean {
  const signature = errorSignature(message)
  return record.errors.some((other) => errorSignature(other.message) === signature)
}

function fromDecisions(record: IterationRecord) {
  if (record.outcome !== 'success') return []
  const reasoned = record.decisions.filter(
    (decision): decision is Decision & { rationale: string } =>
      decision.description.length >= SHORTEST && (decision.rationale?.length ?? 0) >= SHORTEST / 2,
  )
  return reasoned.slice(0, MOST_DECISIONS).map(({ description, rationale }) => ({
    text: truncate(firstLine(description), LEARNING_CAP),
    reason: truncate(
      `decided in iteration ${record.iterationNumber}, task ${record.taskId}, because ${firstLine(rationale).replace(/^because /i, '')}`,
      LEARNING_CAP,
    ),
    source: 'auto' as const,
    iteration: record.iterationNumber,
    evidence: 'said' as const,
    paths: [],
  }))
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]!.trim()
}
