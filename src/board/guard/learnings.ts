import { isDeepStrictEqual } from 'node:util'
import { appendLearning } from '../../learnings/append.ts'
import { learningToDisk, parseLearning } from '../../learnings/learning.ts'
import { isObject } from '../../text/json.ts'
import { plural } from '../../text/plural.ts'
import { FEATURE_CAPS } from '../feature.ts'

/** Takes what an agent wrote into the file itself through the same door as everything else that is learned. */
export type AdoptLearnings = (existing: readonly unknown[], added: readonly unknown[]) => unknown[]

const ADOPTED = 'noted by the agent in features.yaml'

/** The agent's own words, as the agent's: whatever it claims about where they come from or who reviewed them. */
export function adoptAsAgents(now: string): AdoptLearnings {
  return (existing, added) => {
    const before = existing.map((learning, index) => parseLearning(learning, `learnings[${index}]`))
    let learnings = before
    for (const learning of added) {
      const reason = isObject(learning) && typeof learning.reason === 'string' ? learning.reason : ADOPTED
      const candidate = { text: textOf(learning), reason, source: 'agent' as const }
      learnings = appendLearning(learnings, candidate, { now }).learnings
    }
    // What did not change keeps the form in which it was written.
    return learnings.map((learning) => {
      const at = before.indexOf(learning)
      return at === -1 ? learningToDisk(learning) : existing[at]
    })
  }
}

/**
 * Learnings change through append, remove and review. Written into the file directly, additions are taken over as the
 * agent's; dropping more than half, or one that a person wrote or reviewed, is undone.
 */
export function ruleLearnings(
  expected: unknown,
  current: unknown,
  adopt: AdoptLearnings,
): { value: unknown[]; undone: string[] } {
  const former = list(expected)
  const now = list(current)
  if (isDeepStrictEqual(former, now)) return { value: now, undone: [] }
  const present = new Set(now.map(textOf))
  const lost = former.filter((learning) => !present.has(textOf(learning)))
  const tooMany = lost.length * 2 > former.length
  const restored = lost.filter((learning) => tooMany || isProtected(learning))
  const kept = former.filter((learning) => !lost.includes(learning) || restored.includes(learning))
  const undone: string[] = []
  if (restored.length > 0)
    undone.push(`${lost.length} of ${plural(former.length, 'learning')} dropped: ${restored.length} restored`)
  const known = new Set(former.map(textOf))
  const altered = now.filter(
    (one) => known.has(textOf(one)) && !former.some((other) => isDeepStrictEqual(other, one)),
  )
  if (altered.length > 0)
    undone.push(`source or review of ${plural(altered.length, 'learning')} changed: restored`)
  const added = now.filter((learning) => textOf(learning) !== '' && !known.has(textOf(learning)))
  const room = Math.max(0, FEATURE_CAPS.learnings - kept.length)
  if (added.length > room)
    undone.push(
      `${added.length - room} new learnings are beyond the limit of ${FEATURE_CAPS.learnings}: removed`,
    )
  return { value: added.length > 0 ? adopt(kept, added.slice(0, room)) : kept, undone }
}

function list(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

function textOf(learning: unknown): string {
  const text = isObject(learning) ? learning.text : learning
  return typeof text === 'string' ? text.trim() : ''
}

/** A plain string is a person's, as is what a person wrote or anybody reviewed. */
function isProtected(learning: unknown): boolean {
  if (!isObject(learning)) return typeof learning === 'string'
  const source = learning.source ?? 'human'
  return source === 'human' || source === 'opus_reviewed' || learning.reviewed === true
}
