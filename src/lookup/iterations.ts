import type { FeatureMemory } from '../feature-memory/feature-memory.ts'
import { matchingId } from '../text/short-id.ts'
import type { Candidate } from './find.ts'

/** "7", "auth-7", "auth/7", "auth#7"; of two of the same number, as after a merge, "auth-7.3f2a81b0". */
const NUMBERED = /^(?:(.+)[-/#:])?(\d{1,10})(?:\.([0-9a-f]{4,8}))?$/s

export async function iterationsNamed(
  memory: FeatureMemory,
  features: readonly string[],
  typed: string,
): Promise<Candidate[]> {
  const [, name, digits, recordId] = NUMBERED.exec(typed) ?? []
  if (digits === undefined) return []
  const wanted =
    name === undefined ? features : features.filter((feature) => feature === name.normalize('NFC'))
  const found: Candidate[] = []
  for (const feature of wanted) {
    const all = await ofNumber(memory, feature, Number(digits))
    for (const one of all) {
      if (recordId !== undefined && matchingId([one], recordId, ({ id }) => id).length === 0) continue
      const address = {
        ...{ kind: 'iteration' as const, feature, iterationNumber: Number(digits) },
        ...(all.length > 1 && { recordId: one.id }),
      }
      found.push({ address, line: `${feature}, iteration ${digits}: ${one.taskTitle}` })
    }
  }
  return found
}

async function ofNumber(memory: FeatureMemory, feature: string, number: number) {
  const found = await (await memory.timeline(feature)).iteration(number)
  if (!found) return []
  const { id, record, twins } = found
  return [...twins, { id, taskTitle: record.taskTitle }]
}
