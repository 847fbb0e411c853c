import { randomBytes } from 'node:crypto'
import type { Arranged } from './arrange.ts'
import type { KeptTopic } from './kept-topics.ts'
import { type NameCandidate, Namer } from './naming.ts'
import type { Talk } from './talk.ts'

/** By whom a topic is named that no model has named. */
export const BY_WORDS = 'words'
/** A topic keeps its name for as long as it is one of the best for it. */
const STILL_GOOD = 3
/** And until it has grown so much: then it may be about more than it was. */
const GROWN = 2

/** The topics as they are from now on: each former one goes on as what has most of its conversations, and keeps its name. */
export function inherited(
  talks: readonly Talk[],
  groups: readonly Arranged[],
  before: readonly KeptTopic[],
  { now, anew }: { now: number; anew: boolean },
): KeptTopic[] {
  const heirs = heirsOf(talks, groups, before)
  const namer = new Namer(talks)
  const taken = new Set<string>()
  const topics = groups.map((group, at) => {
    const heir = heirs.get(at)
    const members = new Map(
      group.members.map((member, place) => [talks[member]!.id, rounded(group.fits[place]!)]),
    )
    const id = heir?.id ?? randomBytes(8).toString('hex')
    return { id, made_at: heir?.made_at ?? now, members, group, heir }
  })
  // Those who have a name choose first.
  const named = new Map<string, Pick<KeptTopic, 'name' | 'named_by' | 'named_from'>>()
  for (const { id, heir, group } of topics) {
    if (!heir || anew || !keepsName(heir, group, namer)) continue
    const { name, named_by, named_from } = heir
    named.set(id, { name, named_by, named_from })
    taken.add(name.toLowerCase())
  }
  for (const { id, group } of topics) {
    if (named.has(id)) continue
    const name = freeName(namer.candidates(group.members), talks[most(group)]!.title, taken)
    taken.add(name.toLowerCase())
    named.set(id, { name, named_by: BY_WORDS, named_from: group.members.length })
  }
  return topics.map(({ id, made_at, members }) => ({ id, made_at, members, ...named.get(id)! }))
}

function keepsName(heir: KeptTopic, { members }: Arranged, namer: Namer): boolean {
  if (members.length < GROWN * heir.named_from) return true
  const best = namer.candidates(members).slice(0, STILL_GOOD)
  return heir.named_by !== BY_WORDS || best.some(({ name }) => name === heir.name)
}

/** The former topics by the place of the group that goes on with them; the largest choose first. */
function heirsOf(
  talks: readonly Talk[],
  groups: readonly Arranged[],
  before: readonly KeptTopic[],
): Map<number, KeptTopic> {
  const groupOf = new Map(
    groups.flatMap(({ members }, at) => members.map((member) => [talks[member]!.id, at] as const)),
  )
  const heirs = new Map<number, KeptTopic>()
  const bySize = [...before].sort((a, b) => b.members.size - a.members.size || (a.id < b.id ? -1 : 1))
  for (const topic of bySize) {
    const shares = new Map<number, number>()
    for (const member of topic.members.keys()) {
      const at = groupOf.get(member)
      if (at !== undefined && !heirs.has(at)) shares.set(at, (shares.get(at) ?? 0) + 1)
    }
    const [best] = [...shares].sort((a, b) => b[1] - a[1] || a[0] - b[0])
    if (best) heirs.set(best[0], topic)
  }
  return heirs
}

/** Two topics never have the same name; one that says nothing in particular is called after its most telling conversation. */
function freeName(candidates: readonly NameCandidate[], title: string, taken: ReadonlySet<string>): string {
  const names = [
    ...candidates.map(({ name }) => name),
    title.slice(0, LONGEST_TITLE).toWellFormed().trim() || 'untitled',
  ]
  const free = names.find((name) => !taken.has(name.toLowerCase()))
  if (free !== undefined) return free
  for (let number = 2; ; number++) {
    const name = `${names[0]} (${number})`
    if (!taken.has(name.toLowerCase())) return name
  }
}
const LONGEST_TITLE = 60

function most({ members, fits }: Arranged): number {
  return members[fits.indexOf(Math.max(...fits))]!
}

/** Coarse enough that it does not change with every conversation that is added. */
function rounded(fit: number): number {
  return Math.round(fit * 10) / 10
}
