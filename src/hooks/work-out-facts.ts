import type { Config } from '../config.ts'
import { messageOf } from '../errors.ts'
import { type FailedActions, failedActions } from '../feature-memory/failed-actions.ts'
import type { IterationRecord } from '../feature-memory/record.ts'
import { openRalph, type Ralph } from '../ralph.ts'
import { asData } from '../text/sanitise.ts'
import { type BriefingSources, composeBriefing } from './briefing.ts'
import { FACTS_VERSION, type FeatureFacts, fingerprintOf, writeFacts } from './feature-facts.ts'

/** Enough to recognise an error; a feature with more has other worries. */
const MOST_ERRORS = 500
const MOST_LEARNINGS = 20

/** Reads journal and board, works out what hooks may say about a feature, and keeps it for them. */
export async function workOutFacts(ralph: Ralph, feature: string): Promise<FeatureFacts> {
  // Taken before reading: what is written meanwhile makes the facts stale, not wrong for ever.
  const fingerprint = fingerprintOf(ralph.config, feature)
  const records: IterationRecord[] = []
  for await (const record of ralph.featureMemory.journal(feature).records()) records.push(record)
  const failures = presentable(failedActions(records, ralph.config.project))
  const briefing = composeBriefing({
    feature,
    records,
    failures,
    state: await stateOf(ralph, feature),
    learnings: await learningsOf(ralph, feature, records.at(-1)?.iterationNumber),
  })
  const changed = records
    .flatMap(({ filesTouched }) => filesTouched)
    .filter(({ action }) => action !== 'read')
  const facts: FeatureFacts = {
    version: FACTS_VERSION,
    fingerprint,
    feature,
    failures,
    files: [...new Set(changed.map(({ path }) => path))],
    ...(briefing && { briefing }),
  }
  writeFacts(ralph.config, facts)
  return facts
}

/** A board that cannot be read takes nothing away from what the journal knows. */
async function fromBoard<Value>(ralph: Ralph, read: () => Promise<Value>, otherwise: Value): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    ralph.notices.once({ key: 'board', message: messageOf(error), hint: 'ralph doctor' })
    return otherwise
  }
}

function stateOf(ralph: Ralph, feature: string): Promise<string> {
  const read = async () => {
    const known = await ralph.board.findFeature(feature)
    return known ? ralph.board.currentState(feature) : ''
  }
  return fromBoard(ralph, read, '')
}

function learningsOf(
  ralph: Ralph,
  feature: string,
  iteration: number | undefined,
): Promise<BriefingSources['learnings']> {
  const read = async () => {
    const learnings = await ralph.learnings.list(feature, { iteration, limit: MOST_LEARNINGS })
    return learnings
      .filter(({ stale }) => !stale)
      .map(({ id, text, source, reviewed, remarks }) => ({
        text,
        source: `learning ${id}`,
        remark: [source, reviewed ? 'reviewed' : 'not reviewed', ...remarks].join(', '),
      }))
  }
  return fromBoard(ralph, read, [])
}

/** Few enough to be read in a moment, and safe to be shown as they are. */
function presentable({ commands, files, errors }: FailedActions): FailedActions {
  const actions = (all: FailedActions['commands']) =>
    mapValues(all, (failed) => ({ ...failed, task: asData(failed.task), error: asData(failed.error) }))
  const recent = Object.fromEntries(Object.entries(errors).slice(-MOST_ERRORS))
  return {
    commands: actions(commands),
    files: actions(files),
    errors: mapValues(recent, ({ message, solved, ...seen }) => ({
      ...seen,
      message: asData(message),
      ...(solved && {
        solved: {
          ...solved,
          summary: asData(solved.summary),
          decisions: solved.decisions.map(asData),
        },
      }),
    })),
  }
}

function mapValues<Value>(
  all: Record<string, Value>,
  change: (value: Value) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(all).map(([key, value]) => [key, change(value)]))
}

/** Opens the project quietly, just for this: a hook has nothing to say about what is degraded. */
export async function openAndWorkOutFacts(
  { project, home }: Config,
  feature: string,
): Promise<FeatureFacts | undefined> {
  const ralph = await openRalph({ project, home, onNotice: () => undefined })
  try {
    return await workOutFacts(ralph, feature)
  } finally {
    await ralph.close()
  }
}
