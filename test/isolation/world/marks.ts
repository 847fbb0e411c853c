/** Whose a remembered text is: every one of the world carries it as a word, so that whoever shows it shows where it belongs. */

/** What is remembered; the last two are private again, or gone. */
export const KINDS = [
  ...(['iteration', 'learning', 'board', 'receipt', 'gate', 'knowledge'] as const),
  ...(['exchange', 'shared', 'document', 'forgotten'] as const),
] as const
export type Kind = (typeof KINDS)[number]

export interface Origin {
  /** Those who share a database; a person by themselves is a team of one. */
  team: number
  person: number
  /** Counted over the whole world. */
  project: number
  feature: number
  kind: Kind
}

/** Of what belongs to no project or no feature. */
export const NONE = 25 * 26 + 25

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const MARK = /zqz([a-z]{9})xqx/g

/** Letters only: no tokenizer parts it, nothing takes it for a secret, and no other word looks like it. */
export function markOf({ team, person, project, feature, kind }: Origin): string {
  return `zqz${pair(team)}${pair(person)}${pair(project)}${pair(feature)}${LETTERS[KINDS.indexOf(kind)]}xqx`
}

/** A word of the same place that may be asked for: whoever repeats a question shows no mark. */
export function baitOf({ team, person, project, feature }: Omit<Origin, 'kind'>): string {
  return `bqb${pair(team)}${pair(person)}${pair(project)}${pair(feature)}xqx`
}

/** Where everything that is shown comes from, each once. */
export function originsIn(text: string): Origin[] {
  const marks = new Set([...text.toLowerCase().matchAll(MARK)].map(([, letters]) => letters!))
  return [...marks].map((letters) => ({
    team: number(letters, 0),
    person: number(letters, 2),
    project: number(letters, 4),
    feature: number(letters, 6),
    kind: KINDS[LETTERS.indexOf(letters[8]!)] ?? 'forgotten',
  }))
}

function pair(count: number): string {
  return LETTERS[Math.floor(count / 26)]! + LETTERS[count % 26]!
}

function number(letters: string, at: number): number {
  return LETTERS.indexOf(letters[at]!) * 26 + LETTERS.indexOf(letters[at + 1]!)
}
