import { joinNearest } from './joining.ts'
import { type Group, Nearness } from './nearness.ts'
import type { Talk } from './talk.ts'

/** Fewer make no topic. */
export const LEAST_MEMBERS = 3
/** In deviations: chosen on real sessions that people had labelled, in the middle of a plateau. */
const NEAR = 2.4
/** Two topics that there were before become one only when they have clearly grown together. */
const RELUCTANCE = 0.6
/** So many are looked at at a time, which bounds time and memory; the rest joins what was found. */
const AT_ONCE = 1_000
/** A topic with a larger share of the history than this says little: what it is made of says more. */
const TOO_LARGE = { members: 16, share: 0.12 }
/** Nearer to each other than this, it is one thing, however large. */
const ONE_THING = 3.5

/** Conversations that are about one thing, by their places, and how near each is to the others. */
export interface Arranged {
  members: readonly number[]
  fits: readonly number[]
}

/**
 * Sorts conversations into topics, given by their places in `talks`; what fits nowhere is in none. `kept` are the topics that
 * there were before: they keep their members, get what is near enough, and come first, in their order.
 */
export function arranged(
  talks: readonly Talk[],
  kept: readonly (readonly number[])[],
  signal?: AbortSignal,
): Arranged[] {
  const nearness = new Nearness(talks)
  const known = new Set(kept.flat())
  let topics = kept.map((members) => nearness.group(members))
  let single = [...talks.keys()].filter((at) => !known.has(at))
  for (let from = 0; from < single.length || from === 0; from += AT_ONCE) {
    const page = single.slice(from, from + AT_ONCE).map((at) => nearness.group([at]))
    topics = joinInto(nearness, topics, page, signal)
  }
  // What came too early for a topic that was found later.
  const placed = new Set(topics.flatMap(({ members }) => [...members]))
  single = [...talks.keys()].filter((at) => !placed.has(at))
  if (talks.length > AT_ONCE)
    topics = joinInto(
      nearness,
      topics,
      single.slice(-AT_ONCE).map((at) => nearness.group([at])),
      signal,
    )
  return topics
    .flatMap((topic) => split(talks, nearness, topic, signal))
    .map((topic) => ({
      members: topic.members,
      fits: topic.members.map((at) => nearness.between(nearness.group([at]), topic)),
    }))
}

/** Those with the members of former topics first, in their order. */
function joinInto(
  nearness: Nearness,
  topics: readonly Group[],
  singles: readonly Group[],
  signal: AbortSignal | undefined,
): Group[] {
  const options = { threshold: NEAR, reluctance: RELUCTANCE, kept: topics.length, signal }
  const groups = joinNearest(nearness, [...topics, ...singles], options)
  const first = new Map(topics.map(({ members }, at) => [members[0]!, at]))
  const rank = ({ members }: Group) =>
    Math.min(...members.map((at) => first.get(at) ?? Number.POSITIVE_INFINITY))
  return groups
    .filter(({ members }) => members.length >= LEAST_MEMBERS)
    .map((group) => ({ group, rank: rank(group) }))
    .sort((a, b) => a.rank - b.rank || a.group.members[0]! - b.group.members[0]!)
    .map(({ group }) => group)
}

/** What is about one project can still be about ten things: by itself it is compared with itself. */
function split(
  talks: readonly Talk[],
  nearness: Nearness,
  topic: Group,
  signal: AbortSignal | undefined,
): Group[] {
  const { members } = topic
  if (members.length <= Math.max(TOO_LARGE.members, TOO_LARGE.share * talks.length)) return [topic]
  if (nearness.between(topic, topic) > ONE_THING) return [topic]
  const inner = arranged(
    members.map((at) => talks[at]!),
    [],
    signal,
  )
  if (inner.length < 2) return [topic]
  return inner
    .map((part) => nearness.group(part.members.map((at) => members[at]!)))
    .sort((a, b) => b.members.length - a.members.length)
}
