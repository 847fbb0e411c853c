import type { Settings } from '../config.ts'
import { RalphError } from '../errors.ts'
import { urlWithoutSecrets } from '../text/shown-url.ts'

export const BACKENDS = ['sqlite', 'qdrant', 'postgres'] as const
export type Backend = (typeof BACKENDS)[number]
export type MovedPart = 'index' | 'storage'

export interface Move {
  part: MovedPart
  from: Backend
  to: Backend
}

const SERVES: Record<MovedPart, readonly Backend[]> = {
  // In this order when both move: the index is filled from the storage.
  storage: ['sqlite', 'postgres'],
  index: ['sqlite', 'qdrant'],
}

/** What has to move so that `to` serves everything it can, given how things are set or where they are said to be. */
export function planMoves(
  settings: Settings,
  { to, from }: { to: Backend; from?: Backend | undefined },
): Move[] {
  const parts = (Object.keys(SERVES) as MovedPart[]).filter((part) => SERVES[part].includes(to))
  const moves = parts
    .filter((part) => from === undefined || SERVES[part].includes(from))
    .map((part): Move => ({ part, from: from ?? settings[part].driver, to }))
    .filter((move) => move.from !== move.to)
  if (moves.length > 0) return moves
  if (from !== undefined && from !== to)
    throw new RalphError('invalid_input', `nothing of ${from} can move to ${to}`, {
      hint: 'The index lives in sqlite or qdrant, the storage in sqlite or postgres.',
    })
  throw new RalphError('invalid_input', `${to} is what the settings name already`, {
    hint: `Say where the data is, e.g. --from ${to === 'sqlite' ? 'qdrant' : 'sqlite'}.`,
  })
}

/** The settings as they are before the moves, and after them. */
export function settingsOf(
  settings: Settings,
  moves: readonly Move[],
  url: string | undefined,
): { source: Settings; target: Settings } {
  const [source, target] = [structuredClone(settings), structuredClone(settings)]
  for (const { part, from, to } of moves) {
    Object.assign(source[part], { driver: from })
    Object.assign(target[part], { driver: to, ...(url !== undefined && to !== 'sqlite' && { url }) })
  }
  return { source, target }
}

/** What to put into the settings file for the moves, in its own spelling; secrets are not shown. */
export function settingsToWrite(
  target: Settings,
  moves: readonly Move[],
): { [part: string]: { driver: string; url?: string } } {
  return Object.fromEntries(
    moves.map(({ part, to }) => {
      const { url } = target[part]
      return [
        part,
        { driver: to, ...(to !== 'sqlite' && url !== undefined && { url: urlWithoutSecrets(url) }) },
      ]
    }),
  )
}
