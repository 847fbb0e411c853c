import { truncate } from '../text/truncate.ts'
import { contentWords, lineNamingError, sentences } from './sentences.ts'
import {
  type ConversationAccount,
  EXTRACTIVE,
  type ExchangeAccount,
  type Summariser,
  type Summary,
} from './summariser.ts'

/**
 * Summaries without a model: quotes the sentences that say what was asked, what was done and how it ended. Offline,
 * deterministic, free. Cues are English; in other languages the sentences richest in content are taken.
 */
export function extractiveSummariser(): Summariser {
  const picked = (text: string): Summary => ({ text, by: EXTRACTIVE })
  return {
    id: EXTRACTIVE,
    atOnce: Number.POSITIVE_INFINITY,
    exchange: async (account) => picked(exchangeSummary(account)),
    conversation: async (account) => picked(conversationSummary(account)),
  }
}

const SENTENCE = 240
const TOPICS = 3

export function exchangeSummary(account: ExchangeAccount): string {
  const { done, outcome } = resultOf(account)
  const result = [done, outcome]
    .filter((part) => part !== undefined)
    .map((part) => part.replace(/[.\s]+$/, ''))
  return [`Asked: ${close(request(account.asked))}`, result.length ? close(result.join('; ')) : undefined]
    .filter((part) => part !== undefined)
    .join(' ')
}

export function conversationSummary({ title, exchanges }: ConversationAccount): string {
  if (exchanges.length === 0) return title ? close(title) : 'Nothing was said.'
  const topics = distinct(exchanges.map(({ asked }) => request(asked)))
  const results = exchanges.map(resultOf)
  const done = best(
    results.flatMap((result) => result.done ?? []),
    (sentence) => weight(sentence, DONE),
  )
  const last = results.at(-1)!
  const outcome = last.outcome ?? last.done
  const asked = topics.map((topic) => topic.replace(/[.\s]+$/, '')).join('; then: ')
  return [
    `Asked: ${close(asked)}`,
    done && done !== outcome ? close(done) : undefined,
    outcome && close(outcome),
  ]
    .filter((part) => part !== undefined)
    .join(' ')
}

/** A cue and what it adds to, or takes from, the weight of a sentence. */
type Cue = readonly [RegExp, number]

const REQUEST: readonly Cue[] = [
  [/\?\s*$/, 2],
  [
    /^(?:please |can you |could you |let's |now )?(?:add|build|change|check|clean|compare|convert|create|debug|delete|design|document|explain|figure|find|fix|help|implement|improve|install|investigate|look|make|merge|migrate|move|open|optimi[sz]e|refactor|remove|rename|replace|review|run|set|show|summari[sz]e|switch|test|translate|update|upgrade|use|write)\b/i,
    3,
  ],
  [/\b(?:please|can you|could you|would you|i want|i need|we need|should)\b/i, 1.5],
  [/^(?:how|why|what|where|when|which|who|is|are|does|do|did)\b/i, 1.5],
  [
    /\b(?:fails?|failing|failed|broken|crash|error|exception|bug|wrong|slow|doesn't|does not|can't|cannot)\b/i,
    1,
  ],
  [/^(?:hi|hey|hello|thanks|thank you|ok|okay|great|good|cool|sure|yes|no)\b[^?]{0,25}$/i, -4],
]
const DONE: readonly Cue[] = [
  [
    /\b(?:added|applied|bumped|changed|cleaned|configured|converted|corrected|created|deleted|disabled|downgraded|enabled|extracted|fixed|implemented|increased|installed|introduced|merged|migrated|moved|patched|pinned|raised|reduced|refactored|removed|renamed|replaced|restored|reverted|rewrote|set|split|switched|updated|upgraded|wrapped|wrote)\b/i,
    3,
  ],
  [
    /\b(?:because|root cause|caused by|the (?:problem|issue|cause|reason|culprit) (?:is|was)|turned out)\b/i,
    2,
  ],
  [/\b(?:decided|chose|instead of|went with|the (?:fix|solution|answer) (?:is|was))\b/i, 1.5],
]
const OUTCOME: readonly Cue[] = [
  [/\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?|successful(?:ly)?|works?|working|resolved|solved)\b/i, 3],
  [/\b(?:fail(?:s|ed|ing)?|still|unable|could not|couldn't|cannot|blocked|remains?|broken|not yet)\b/i, 3],
  [
    /\b(?:now|no longer|verified|confirmed|done|complete[d]?|finished|deployed|committed|pushed|released)\b/i,
    2,
  ],
  [/\b\d+\s*(?:\/\s*\d+\s*)?(?:tests?|checks?|files?|errors?|ms|s|%)\b/i, 1],
]
/** What a model says before or around the substance. */
const CHATTER: readonly Cue[] = [
  [/^(?:let me|let's|i'll|i will|i'm going to|i am going to|now i|first,? i|next,? i)\b/i, -4],
  [/\b(?:let me know|would you like|feel free|happy to|hope this|want me to)\b/i, -5],
  [/^(?:sure|great|certainly|of course|absolutely|perfect|good question|you're right)\b/i, -3],
  [/\?\s*$/, -2],
]
/** File names, identifiers, flags, versions: what a later search will ask for. */
const IDENTIFIER =
  /(?<![\w-])(?:[\w-]{1,60}\/){1,12}[\w.-]+|\b\w{1,60}\.[a-z]{1,5}\b|\b[a-z]{1,60}[A-Z]\w*|\b\w{1,60}_\w+|\b[A-Z]{2,}\d*\b|(?<!-)--?[a-z][\w-]+|\bv?\d+\.\d+/g

function weight(sentence: string, cues: readonly Cue[]): number {
  let sum = 0
  for (const [pattern, points] of cues) if (pattern.test(sentence)) sum += points
  for (const [pattern, points] of CHATTER) if (cues !== REQUEST && pattern.test(sentence)) sum += points
  sum += Math.min(2, sentence.match(IDENTIFIER)?.length ?? 0) * 0.75
  // Rich in content up to a readable length; a fragment says little, a monster cannot be quoted whole.
  const words = contentWords(sentence).size
  return sum + Math.min(words, 12) / 8 - (words < 2 ? 2 : 0) - (sentence.length > SENTENCE ? 1 : 0)
}

/** The sentence of the user's message that says what is wanted, with the error when the sentence only points at it. */
function request(asked: string): string {
  const all = sentences(asked)
  const chosen = best(all, (sentence, index) => weight(sentence, REQUEST) - index * 0.05)
  const error = lineNamingError(asked)
  if (!chosen) return truncate(error ?? (asked.replace(/\s+/g, ' ').trim() || '(nothing)'), SENTENCE)
  const pointsOnly = error !== undefined && contentWords(chosen).size < 5 && !chosen.includes(error)
  return truncate(pointsOnly ? `${chosen.replace(/[\s.:]+$/, '')}: ${error}` : chosen, SENTENCE)
}

function resultOf(account: ExchangeAccount): { done?: string; outcome?: string } {
  const all = sentences(account.answered)
  const wanted = contentWords(account.asked)
  /** The report comes at the end; a sentence that takes up the user's words is on the subject. */
  const place = (sentence: string, index: number) =>
    (all.length < 3 ? 0 : index / (all.length - 1)) + Math.min(1, overlap(contentWords(sentence), wanted) / 3)
  const done = best(all, (sentence, index) => weight(sentence, DONE) + place(sentence, index))
  const rest = all.filter((sentence) => sentence !== done)
  const outcome = best(rest, (sentence) => weight(sentence, OUTCOME) + place(sentence, all.indexOf(sentence)))
  const ended =
    outcome !== undefined && OUTCOME.some(([pattern]) => pattern.test(outcome)) ? outcome : undefined
  const acted = actionsInBrief(account.actions)
  const what = done ?? acted
  const how = account.finished ? ended : 'Interrupted before it was finished'
  return { ...(what && { done: truncate(what, SENTENCE) }), ...(how && { outcome: truncate(how, SENTENCE) }) }
}

/** "Edit src/a.ts, src/b.ts; Bash: npm test (failed)". */
function actionsInBrief(actions: readonly string[]): string | undefined {
  const unique = [...new Set(actions)]
  if (unique.length === 0) return undefined
  const shown = unique.slice(0, 4).join('; ')
  return unique.length > 4 ? `${shown} and ${unique.length - 4} more` : shown
}

/** The first topics that do not repeat each other. */
function distinct(topics: readonly string[]): string[] {
  const kept: string[] = []
  for (const topic of topics) {
    const words = contentWords(topic)
    const repeats = kept.some((other) => overlap(words, contentWords(other)) > 0.6 * Math.max(1, words.size))
    if (!repeats && words.size > 0) kept.push(topic)
    if (kept.length === TOPICS) break
  }
  return kept.length ? kept : topics.slice(0, 1)
}

function overlap(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0
  for (const word of left) if (right.has(word)) shared++
  return shared
}

/** The heaviest, the earliest among equals. */
function best(
  all: readonly string[],
  weigh: (sentence: string, index: number) => number,
): string | undefined {
  let chosen: string | undefined
  let most = Number.NEGATIVE_INFINITY
  for (const [index, sentence] of all.entries()) {
    const points = weigh(sentence, index)
    if (points > most) {
      most = points
      chosen = sentence
    }
  }
  return chosen
}

function close(text: string): string {
  return /[.!?…\]]$/.test(text) ? text : `${text}.`
}
