import type { LivedError } from './error-lives.tsx'

export interface LifeEvent {
  kind: 'first' | 'again' | 'solved' | 'back'
  iteration: number
}

/** While an error was there; not certain where nothing has proved that it still is. */
export interface Stretch {
  from: number
  to: number
  certain: boolean
}

/** An error's life as a picture can show it: when something happened to it, and when it was there. */
export function lifeOf(error: LivedError, latest: number): { events: LifeEvent[]; stretches: Stretch[] } {
  const seen = error.sightings.map(({ iteration }) => iteration)
  const first = seen[0]
  if (first === undefined) return { events: [], stretches: [] }
  const backs = new Set(error.solutions.flatMap(({ cameBackIn }) => cameBackIn ?? []))
  const solved = error.solutions.map(({ iteration }) => iteration)
  const events: LifeEvent[] = [
    { kind: 'first', iteration: first },
    ...[...new Set(seen)]
      .filter((iteration) => iteration !== first && !backs.has(iteration))
      .map((iteration) => ({ kind: 'again' as const, iteration })),
    ...solved.map((iteration) => ({ kind: 'solved' as const, iteration })),
    ...[...backs].map((iteration) => ({ kind: 'back' as const, iteration })),
  ]
  return { events, stretches: stretchesOf(error, first, latest) }
}

function stretchesOf({ sightings, solutions, life }: LivedError, first: number, latest: number): Stretch[] {
  const stretches: Stretch[] = []
  let from: number | undefined = first
  for (const { iteration, cameBackIn } of solutions) {
    if (from !== undefined) stretches.push({ from, to: iteration, certain: true })
    from = cameBackIn
  }
  if (from === undefined) return stretches
  const last = Math.max(from, sightings.at(-1)?.iteration ?? from)
  if (life === 'not_seen_since') {
    if (last > from) stretches.push({ from, to: last, certain: true })
    stretches.push({ from: last, to: latest, certain: false })
  } else stretches.push({ from, to: latest, certain: true })
  return stretches
}

/** The same for those who do not see it. */
export function lifeWords({ sightings, times, solutions, life }: LivedError): string {
  const parts = [
    `first seen in iteration ${sightings[0]?.iteration ?? 'unknown'}`,
    ...(times > 1 ? [`met in ${times} iterations`] : []),
    ...solutions.flatMap(({ iteration, cameBackIn }) => [
      `solved in ${iteration}`,
      ...(cameBackIn === undefined ? [] : [`came back in ${cameBackIn}`]),
    ]),
    `now ${life.replaceAll('_', ' ')}`,
  ]
  return parts.join(', ')
}
