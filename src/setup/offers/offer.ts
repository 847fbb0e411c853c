import type { SetupStep } from '../../project-setup.ts'

/** In the order in which they are asked: what is worth most comes first. */
export const OFFER_NAMES = ['install', 'import', 'hooks', 'mcp', 'trust', 'instructions', 'board'] as const
export type OfferName = (typeof OFFER_NAMES)[number]

export interface Problem {
  message: string
  hint?: string | undefined
}

export interface Watched {
  signal?: AbortSignal | undefined
  onProgress?: ((line: string) => void) | undefined
}

export interface Accepted {
  /** What was done, as a line for people. */
  about: string
  files: SetupStep[]
  /** What is left for the person to do. */
  notes?: string[]
  /** What else came of it that somebody should know. */
  problems?: Problem[]
}

/** Something that `ralph init` can do here, looked at before anybody is asked. */
export interface SetupOffer {
  name: OfferName
  /**
   * `open`: it can be done. `there`: it has been done. `nothing`: there is nothing here to do it for. `blocked`: something
   * stands in its way, see `problem`.
   */
  state: 'open' | 'there' | 'nothing' | 'blocked'
  /** What is there, or would be done. */
  about: string
  /** For whoever is asked, who answers yes or no. */
  question: string
  /** What Enter alone stands for; yes, unless it is said. */
  usually?: boolean
  /** Only for whoever asks for it by name: not part of `--yes`. */
  onlyNamed?: boolean
  problem?: Problem | undefined
  /** Does it, whole or not at all; does nothing where it has been done. Absent where it cannot be done whoever asks. */
  accept?: (watched: Watched) => Promise<Accepted>
}
