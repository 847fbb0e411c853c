import { errorSignature } from '../text/normalise.ts'
import { redact } from '../text/redact.ts'
import { sanitise } from '../text/sanitise.ts'
import { type IterationRecord, parseRecord } from './record.ts'

/** Masks secrets and defuses injected instructions in everything an agent wrote, before it is stored. */
export async function cleanIteration(record: IterationRecord): Promise<IterationRecord> {
  const clean = async (text: string) => sanitise((await redact(text)).text) || '[removed]'
  return parseRecord({
    ...record,
    taskTitle: await clean(record.taskTitle),
    summary: await clean(record.summary),
    errors: await Promise.all(
      record.errors.map(async (error) => ({
        ...error,
        message: await clean(error.message),
        ...(error.command !== undefined && { command: await clean(error.command) }),
      })),
    ),
    ...(record.ending.detail !== undefined && {
      ending: { ...record.ending, detail: await clean(record.ending.detail) },
    }),
    checks: await Promise.all(
      record.checks.map(async ({ cleared = [], ...check }) => {
        // Of what is left after masking: a signature has lost what secrets are recognised by.
        const signatures = await signaturesOf(check.signatures, clean)
        const gone = (await signaturesOf(cleared, clean)).filter((one) => !signatures.includes(one))
        return {
          ...check,
          command: await clean(check.command),
          signatures,
          ...(gone.length > 0 && { cleared: gone }),
        }
      }),
    ),
    decisions: await Promise.all(
      record.decisions.map(async ({ description, rationale }) => ({
        description: await clean(description),
        ...(rationale !== undefined && { rationale: await clean(rationale) }),
      })),
    ),
  })
}

async function signaturesOf(
  reported: readonly string[],
  clean: (text: string) => Promise<string>,
): Promise<string[]> {
  const signatures = await Promise.all(reported.map(async (text) => errorSignature(await clean(text))))
  return [...new Set(signatures)].filter(Boolean)
}
