import { loginName } from '../files/login-name.ts'

/** How somebody decided: at a terminal, by a command without one, through a program, on the dashboard, or as the reviewer of a loop. */
export const DECISION_WAYS = ['terminal', 'command', 'library', 'page', 'review'] as const
export type DecisionWay = (typeof DECISION_WAYS)[number]

/** Who decided, how and when. */
export interface Decided {
  /** The account on the machine: nobody has to be believed for it. */
  account: string
  /** A name that was given along, and that nobody has checked. */
  saidToBe?: string | undefined
  how: DecisionWay
  /** ISO 8601, UTC. */
  at: string
}

/** Says who decides; throws for an agent. `deed` completes "an agent cannot …". */
export type Decide = (deed: string, saidToBe?: string) => Promise<Decided>

export function decidedHere(how: DecisionWay, saidToBe?: string): Decided {
  const at = new Date().toISOString()
  return { account: loginName(), ...(saidToBe && { saidToBe }), how, at }
}

const HOW_WORDS: Record<DecisionWay, string> = {
  terminal: 'at a terminal',
  command: 'by a command without a terminal',
  library: 'through the library',
  page: 'on the dashboard',
  review: 'in a review by the loop',
}

/** "ann (said to be Bob), at a terminal, 2026-02-07T14:30:00Z" */
export function decidedWords({ account, saidToBe, how, at }: Decided): string {
  return [saidToBe ? `${account} (said to be ${saidToBe})` : account, HOW_WORDS[how], at]
    .filter(Boolean)
    .join(', ')
}
