import { errorSignature } from '../text/error-signature.ts'
import { redactValue, withoutSecretIn } from '../text/redact-value.ts'
import { sanitise } from '../text/sanitise.ts'
import { MARK } from '../text/truncate.ts'
import { type IterationRecord, parseRecord, RECORD_CAPS } from './record.ts'

/**
 * Masks secrets in all of it, and defuses injected instructions in everything an agent wrote, before it is stored. Of the whole
 * summary, where it was longer: a secret that is cut in two is none to look at, and what is cut off is searched.
 */
export function cleanIteration(given: IterationRecord, wholeSummary = given.summary): IterationRecord {
  const { sessionId } = given
  const summary = wholeSummary.slice(0, RECORD_CAPS.summary + RECORD_CAPS.said)
  const named = {
    ...{ ...given, summary },
    ...(sessionId !== undefined && { sessionId: withoutSecretIn(sessionId) }),
  }
  const record = redactValue(named)
  const clean = (text: string) => sanitise(text) || '[removed]'
  return parseRecord({
    ...record,
    taskTitle: clean(record.taskTitle),
    ...summed(clean(record.summary), record.said === undefined ? '' : sanitise(record.said)),
    ...(record.committed && { committed: record.committed.map(clean) }),
    errors: record.errors.map((error) => ({
      ...error,
      message: clean(error.message),
      ...(error.command !== undefined && { command: clean(error.command) }),
    })),
    ...(record.ending.detail !== undefined && {
      ending: { ...record.ending, detail: clean(record.ending.detail) },
    }),
    ...(record.undone && { undone: record.undone.map(clean) }),
    checks: record.checks.map(({ cleared = [], ...check }) => {
      // Of what is left after masking: a signature has lost what secrets are recognised by.
      const signatures = signaturesOf(check.signatures, clean)
      const gone = signaturesOf(cleared, clean).filter((one) => !signatures.includes(one))
      return {
        ...check,
        command: clean(check.command),
        signatures,
        ...(gone.length > 0 && { cleared: gone }),
      }
    }),
    decisions: record.decisions.map(({ description, rationale }) => ({
      description: clean(description),
      ...(rationale !== undefined && { rationale: clean(rationale) }),
    })),
  })
}

function summed(summary: string, said: string): Pick<IterationRecord, 'summary' | 'said'> {
  const cutOff = summary.length > RECORD_CAPS.summary ? summary.slice(RECORD_CAPS.summary - MARK.length) : ''
  const rest = [cutOff, said].filter(Boolean).join('\n')
  return { summary, ...(rest !== '' && { said: rest }) }
}

function signaturesOf(reported: readonly string[], clean: (text: string) => string): string[] {
  return [...new Set(reported.map((text) => errorSignature(clean(text))))].filter(Boolean)
}
