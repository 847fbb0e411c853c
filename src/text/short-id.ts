import { RalphError } from '../errors.ts'
import { oneLine } from './truncate.ts'

/**
 * The one way in which anything is named to people: the letter of its kind, a hyphen, and enough of its id to find it
 * again, as in `l-hc79fee8` for a learning or `i-auth-7` for the seventh iteration of a feature.
 */
const ID_LETTERS = {
  iteration: 'i',
  learning: 'l',
  error: 'e',
  feature: 'f',
  task: 't',
  knowledge: 'k',
  conversation: 'c',
  exchange: 'x',
  piece: 'p',
  receipt: 'r',
  gate: 'g',
  change: 'u',
} as const
export type IdKind = keyof typeof ID_LETTERS

const KINDS = Object.keys(ID_LETTERS) as IdKind[]
/** Of a longer one, as much tells millions apart. */
const SHOWN = 8
/** Less of an id than this is a slip of the finger. */
export const SHORTEST_ID = 4
/** Made at random or by a hash: any part of it is as good as another. Those of other programs may all begin alike. */
const RANDOM =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{16,64}|[0-9a-hjkmnp-tv-z]{13})$/

/** As it is printed, and understood by every command that takes an id. */
export function shortId(kind: IdKind, id: string | number): string {
  return `${ID_LETTERS[kind]}-${abbreviated(String(id))}`
}

/** As much of it as tells it from others. */
function abbreviated(id: string): string {
  return RANDOM.test(id) ? id.slice(0, SHOWN) : id
}

/** An id as somebody gave it. */
export interface GivenId {
  /** Absent when no letter tells. */
  kind?: IdKind
  id: string
}

/** What a typed id may mean, the likeliest first: `c-12ab` is a conversation, or something that is called so. */
export function readId(typed: string): GivenId[] {
  const id = typed.trim()
  const [, letter, rest] = /^([a-z])-(.+)$/is.exec(id) ?? /^([it])(\d+)$/i.exec(id) ?? []
  const kind = KINDS.find((one) => ID_LETTERS[one] === letter?.toLowerCase())
  return kind && rest ? [{ kind, id: rest }, { id }] : [{ id }]
}

/** The same where only one kind can be meant; a letter of another kind is part of the id. */
export function idOfKind(kind: IdKind, typed: string): string {
  const [first] = readId(typed)
  return first!.kind === kind ? first!.id : typed.trim()
}

/** Everything that an id, or the beginning of one, may name: the one of exactly that id, else all that begin so. */
export function matchingId<Item>(
  items: readonly Item[],
  wanted: string,
  idOf: (item: Item) => string,
): Item[] {
  const exact = items.filter((item) => idOf(item) === wanted)
  if (exact.length > 0 || wanted.length < SHORTEST_ID) return exact
  const lower = wanted.toLowerCase()
  return items.filter((item) => idOf(item).toLowerCase().startsWith(lower))
}

/** The one that is meant, if that is clear. */
export function byShortId<Item>(
  items: readonly Item[],
  kind: IdKind,
  typed: string,
  idOf: (item: Item) => string,
): Item | undefined {
  const [found, ...others] = matchingId(items, idOfKind(kind, typed), idOf)
  return others.length === 0 ? found : undefined
}

/** What the ids of our own look like in a database. */
export const UUID_BEGINNING = /^[0-9a-f-]{4,36}$/i

/** Something that an id may mean, with a line that tells it from the others. */
export interface IdCandidate {
  kind: IdKind
  id: string
  line: string
}

/** For the beginning of several ids: which they are. */
export function ambiguousId(typed: string, candidates: readonly IdCandidate[]): RalphError {
  const short = candidates.map(({ kind, id }) => shortId(kind, id))
  const shown = candidates.map(({ kind, id }, at) => {
    const isClear = short.filter((other) => other === short[at]).length === 1
    return isClear ? short[at]! : `${ID_LETTERS[kind]}-${id}`
  })
  const longest = Math.max(...shown.map((id) => id.length))
  const lines = candidates.map(({ line }, at) => `  ${shown[at]!.padEnd(longest)}  ${oneLine(line, LINE)}`)
  return new RalphError(
    'invalid_input',
    `${JSON.stringify(typed)} may be any of these:\n${lines.join('\n')}`,
    { hint: 'Give the id of the one that you mean.' },
  )
}
const LINE = 60
