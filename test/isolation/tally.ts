import { isRalphError } from '../../src/errors.ts'
import type { Answer, OpenSurface } from './surfaces/surface.ts'
import { type Origin, originsIn } from './world/marks.ts'

export interface Leak {
  surface: string
  driver: string
  asked: string
  origin: Origin
  /** What was shown around it. */
  shown: string
}

export interface Tally {
  searches: number
  /** Memories that were shown where they belong: proof that there was something to find. */
  own: number
  /** Answers that were refusals; what they say is looked at, too. */
  refused: number
  leaks: Leak[]
}

const AROUND = 160

export function emptyTally(): Tally {
  return { searches: 0, own: 0, refused: 0, leaks: [] }
}

/** Asks once, and counts whatever is shown from elsewhere. */
export async function askOnce(
  open: Pick<OpenSurface, 'ask'>,
  tally: Tally,
  where: Pick<Leak, 'surface' | 'driver'>,
): Promise<void> {
  tally.searches++
  count(await answerOf(open, tally), tally, where)
}

export function count(answer: Answer, tally: Tally, where: Pick<Leak, 'surface' | 'driver'>): void {
  const text = asText(answer.shown)
  for (const origin of originsIn(text)) {
    if (answer.may(origin)) tally.own++
    else tally.leaks.push({ ...where, asked: answer.asked, origin, shown: around(text) })
  }
}

/** What refuses shows its words, in which nothing of anybody may stand. */
async function answerOf({ ask }: Pick<OpenSurface, 'ask'>, tally: Tally): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (!isRalphError(error)) throw error
    tally.refused++
    const shown = `${error.message} ${error.hint ?? ''}`
    return { asked: 'what was refused', shown, may: () => false }
  }
}

/** All that is shown, without numbers that nobody reads. */
export function asText(shown: unknown): string {
  if (typeof shown === 'string') return shown
  const readable = (_: string, value: unknown) => {
    if (ArrayBuffer.isView(value)) return undefined
    return value instanceof Map ? [...value] : value
  }
  return JSON.stringify(shown, readable) ?? ''
}

function around(text: string): string {
  const at = text.toLowerCase().indexOf('zqz')
  return text.slice(Math.max(0, at - AROUND), at + AROUND)
}
