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
    decisions: await Promise.all(
      record.decisions.map(async ({ description, rationale }) => ({
        description: await clean(description),
        ...(rationale !== undefined && { rationale: await clean(rationale) }),
      })),
    ),
  })
}
