import type { Schemas } from '@qdrant/js-client-rest'
import { RalphError } from '../../errors.ts'
import type { Condition, Filter } from '../query.ts'
import { OURS } from './metadata.ts'
import type { Whereabouts } from './places.ts'

type QdrantFilter = Schemas['Filter']
type QdrantCondition = Schemas['Condition']

/**
 * The documents of this place, and of these those that pass; undefined when nothing has to be filtered. What describes a
 * collection has neither vector nor words, and no tenant: no search finds it.
 */
export function documentFilter({ tenant }: Whereabouts, filter: Filter = {}): QdrantFilter | undefined {
  const must: QdrantCondition[] = []
  const must_not: QdrantCondition[] = []
  if (tenant !== undefined) must.push({ key: `${OURS}.tenant`, match: { value: tenant } })
  for (const [field, condition] of Object.entries(filter)) {
    if ('in' in condition) must.push({ should: anyOf(field, condition.in) })
    else if ('notIn' in condition) must_not.push(...anyOf(field, condition.notIn))
    else must.push(range(field, condition))
  }
  if (must.length === 0 && must_not.length === 0) return undefined
  return { ...(must.length > 0 && { must }), ...(must_not.length > 0 && { must_not }) }
}

/** "One of nothing" is nothing, which Qdrant cannot be asked for. */
export function passesNothing(filter: Filter = {}): boolean {
  return Object.values(filter).some((condition) => 'in' in condition && condition.in.length === 0)
}

function anyOf(key: string, values: readonly (string | number | boolean)[]): QdrantCondition[] {
  const strings = values.filter((value) => typeof value === 'string')
  return [
    ...(strings.length > 0 ? [{ key, match: { any: strings } }] : []),
    ...values.filter((value) => typeof value === 'boolean').map((value) => ({ key, match: { value } })),
    // Qdrant matches whole numbers only; a range from a number to itself does for all, and uses the same index.
    ...values
      .filter((value) => typeof value === 'number')
      .map((value) => ({ key, range: { gte: value, lte: value } })),
  ]
}

function range(
  key: string,
  { from, to }: Exclude<Condition, { in: unknown } | { notIn: unknown }>,
): QdrantCondition {
  if (typeof from === 'string' || typeof to === 'string') {
    return {
      key,
      range: {
        ...(from !== undefined && { gte: time(from) }),
        ...(to !== undefined && { lte: time(to) }),
      },
    }
  }
  return { key, range: { ...(from !== undefined && { gte: from }), ...(to !== undefined && { lte: to }) } }
}

function time(value: string | number): string {
  const milliseconds = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(milliseconds)) return new Date(milliseconds).toISOString()
  throw new RalphError('invalid_input', `"${value}" is not a time`, {
    hint: 'Give times like 2026-03-01T12:00:00Z.',
  })
}
