import type { Tally } from '../tally.ts'
import type { KnownIds } from '../world/ids.ts'
import type { Origin } from '../world/marks.ts'
import type { Questions } from '../world/questions.ts'
import type { Random } from '../world/random.ts'
import type { AskedWorld, Asker } from '../world/world.ts'

/** One answer, and what it may show. */
export interface Answer {
  /** What was asked, to be repeated by whoever looks into a leak. */
  asked: string
  /** All that was shown, in whatever form. */
  shown: unknown
  may: (origin: Origin) => boolean
}

/** What a surface asks with: one world, the same questions for the same seed. */
export interface Scene {
  world: AskedWorld
  random: Random
  questions: Questions
  ids: KnownIds
  /** How many are asked in all. */
  searches: number
  /** From where the next question is asked. */
  asker(): Asker
}

/** One way in which something is shown to somebody. */
export interface Surface {
  name: string
  /** What is asked of it. */
  asks: string
  /** What counts as elsewhere. */
  elsewhere: string
  /** Its share of all searches. */
  share: number
  /** Gets ready for one world, and asks one thing each time it is called. */
  open(scene: Scene): Promise<OpenSurface>
}

export interface OpenSurface {
  ask(): Promise<Answer>
  /** Gives what others have asked meanwhile. */
  close?(): Promise<readonly Tally[]>
}
