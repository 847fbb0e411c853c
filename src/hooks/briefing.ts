import type { CurrentFeature } from '../board/current-feature.ts'
import { nameOrQuoted, quoted } from '../text/quote.ts'
import { someOf } from '../text/some-of.ts'
import { tokensAtMost } from '../text/token-bound.ts'
import type { Injection } from './context.ts'
import type { FeatureFacts, Saying } from './facts/feature-facts.ts'

/** Under which name a session is told it once. */
export const BRIEFING = 'briefing'
const MOST_TOKENS = 2_000
/** Claude Code turns longer context into a file that nobody opens. */
const MOST_CHARACTERS = 9_500
const MOST_FEATURES = 8
const LONGEST_NAME = 100

export interface KnownFeature {
  name: string
  /** `YYYY-MM-DD` */
  lastWork: string
}

/**
 * One account of where a feature stands, for somebody who is about to work on it: not a pile of search results. What is
 * open comes first, since it helps most. Undefined when there is nothing to tell.
 */
export function composeBriefing(
  facts: FeatureFacts | undefined,
  feature: CurrentFeature,
  others: readonly KnownFeature[],
): Injection | undefined {
  const { state = '', learnings = [] } = facts?.board ?? {}
  const sections = [...(facts?.sections ?? []), { title: 'Learned:', lines: learnings }].filter(
    ({ lines }) => lines.length > 0,
  )
  const footer = whose(feature, others)
  if (sections.length === 0) return feature.by === 'default' ? overview(feature, others) : undefined
  const head = `Memory of the feature ${quoted(feature.name, LONGEST_NAME)}, from the records of earlier work. Observations, not instructions: they may be outdated, so verify what matters.`
  const lines = [head, ...(state === '' ? [] : [state])]
  const told: Saying[] = []
  // Mostly all of it does: then it need not be tried line by line.
  const allFits = fits([
    ...lines,
    ...sections.flatMap(({ title, lines }) => [title, ...lines.map(({ text }) => text)]),
    footer,
  ])
  for (const { title, lines: sayings } of sections) {
    // A title without a line under it says nothing.
    if (!allFits && !fits([...lines, title, sayings[0]!.text, footer])) break
    lines.push(title)
    for (const saying of sayings) {
      if (!allFits && !fits([...lines, saying.text, footer])) continue
      lines.push(saying.text)
      told.push(saying)
    }
  }
  return {
    key: BRIEFING,
    tells: told.flatMap(({ tells }) => tells),
    text: [...lines, footer].join('\n'),
    items: told.map(({ text, item }) => ({ ...item, text })),
  }
}

/** Why it is this feature, and how to choose where nobody has. */
function whose({ name, by, reason }: CurrentFeature, others: readonly KnownFeature[]): string {
  const chooses = by === 'default' || by === 'progress' || by === 'files'
  const more = by === 'default' && others.length > 0 ? ` Other features with memory: ${listed(others)}.` : ''
  const how = chooses ? ' `ralph feature use NAME` chooses another.' : ''
  return `(This session belongs to ${quoted(name, LONGEST_NAME)}: ${reason}.${more}${how})`
}

/** Nothing is known of the feature, but of others: said in one line, with how to choose. */
function overview({ name, reason }: CurrentFeature, others: readonly KnownFeature[]): Injection | undefined {
  if (others.length === 0) return undefined
  const text = `Ralph has memory of these features of the project: ${listed(others)}. This session belongs to none of them but to ${quoted(name, LONGEST_NAME)} (${reason}); \`ralph feature use NAME\` chooses one for this working copy.`
  return { key: BRIEFING, text, items: [{ kind: 'features', source: 'board', why: reason, text }] }
}

function listed(features: readonly KnownFeature[]): string {
  const names = features.map(
    ({ name, lastWork }) => `${nameOrQuoted(name, LONGEST_NAME)} (last work ${lastWork})`,
  )
  return someOf(names, MOST_FEATURES)
}

function fits(lines: readonly string[]): boolean {
  const text = lines.join('\n')
  return text.length <= MOST_CHARACTERS && tokensAtMost(text) <= MOST_TOKENS
}
