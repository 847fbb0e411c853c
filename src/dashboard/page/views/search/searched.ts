import type { Outcome } from '../../../../feature-memory/record.ts'
import type { MemoryKind } from '../../../../recall/recollection.ts'
import { Trouble } from '../../client.ts'

/** What is looked for, as the address says it. */
export interface Searched {
  query: string
  kinds: readonly string[]
  feature: string
  outcome: string
  /** Days, as a person writes them. */
  since: string
  until: string
  limit: number | undefined
}

export function searchedFor(parts: { readonly [name: string]: string | undefined }): Searched {
  return {
    query: parts['q'] ?? '',
    kinds: parts['kind']?.split(',').filter(Boolean) ?? [],
    feature: parts['feature'] ?? '',
    outcome: parts['outcome'] ?? '',
    since: parts['since'] ?? '',
    until: parts['until'] ?? '',
    limit: Number(parts['limit']) || undefined,
  }
}

export function isFiltered({ kinds, feature, outcome, since, until }: Searched): boolean {
  return kinds.length > 0 || [feature, outcome, since, until].some((value) => value !== '')
}

/** As the server is asked; whatever stands in the address, it is the server that judges it. */
export function questionOf({ query, kinds, feature, outcome, since, until, limit }: Searched) {
  return {
    query,
    ...(kinds.length > 0 && { kind: [...kinds] as MemoryKind[] }),
    ...(feature && { feature }),
    ...(outcome && { outcome: outcome as Outcome }),
    ...(since && { since: timeOf(since, '00:00:00.000') }),
    ...(until && { until: timeOf(until, '23:59:59.999') }),
    ...(limit !== undefined && { limit: String(limit) }),
  }
}

/** A day of whoever looks begins and ends by their clock. */
function timeOf(day: string, time: string): string {
  const moment = new Date(`${day}T${time}`)
  if (!Number.isNaN(moment.getTime())) return moment.toISOString()
  throw new Trouble(400, `${JSON.stringify(day)} is no day`, 'Write it as 2026-02-07.')
}
