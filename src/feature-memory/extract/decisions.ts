import { sentencesOf } from '../../text/sentences.ts'
import { truncate } from '../../text/truncate.ts'
import type { AgentRun } from '../../transcripts/agent-run.ts'
import { type Decision, RECORD_CAPS } from '../record.ts'
import { textsOf } from './texts.ts'

const MOST_DECISIONS = 10
const SHORTEST = 12
const LONGEST = 600

/**
 * Who decides: the agent ("I", "we"), or nobody named because the clause begins with the verb ("Switched to …").
 * "The parser switched to …" and "He left and decided …" tell what others do.
 */
const ADVERBS =
  '(?:(?:also|therefore|then|finally|ultimately|eventually|deliberately|explicitly|intentionally|instead|simply|just)\\s+)*'
const AGENT = `\\b(?:I|we)(?:'ve|’ve|'ll|’ll|\\s+have|\\s+had|\\s+will)?\\s+${ADVERBS}`
const NOBODY = `(?:^|[,;:(—–]\\s*)(?:(?:so|therefore|thus|hence|instead|finally|ultimately|then)[,\\s]+)?${ADVERBS}`
const STILL_AGENT = `(?<=^(?:(?:I|We)\\b|\\w+ed\\b).*)\\b(?:and|then|but)\\s+${ADVERBS}`
const ACTOR = `(?:${AGENT}|${NOBODY}|${STILL_AGENT})`

/** Choices by their verb. */
const CHOICES: readonly RegExp[] = [
  `(?:decided (?:to|on|against|that|not to)|made the decision to)\\s+\\S`,
  `(?:chose|picked|selected)\\s+.{2,150}?\\b(?:over|instead of|rather than|because|since|as it|due to|so that|to (?:avoid|keep|match|prevent|stay|reduce|preserve))\\b`,
  `(?:chose|elected)\\s+(?:not )?to\\s+\\S`,
  `opted\\s+(?:for|to|not to|against)\\s+\\S`,
  `(?:went|going|go|gone) with\\s+\\S`,
  `settled on\\s+\\S`,
  `(?:switched|migrated|moved) (?:from\\s+.{2,80}?\\s+)?(?:over )?to (?!a new branch|branch)\\S`,
  `stuck with\\s+\\S`,
  `preferred\\s+.{2,100}?\\b(?:over|to|because)\\b`,
  `replaced\\s+.{2,100}?\\s+(?:with|by)\\s+.{2,150}?\\b(?:because|since|to avoid|so that|due to|as it)\\b`,
].map((verb) => new RegExp(`${ACTOR}${verb}`, 'i'))

/**
 * "Used X instead of Y": a choice only if somebody did it. "Returns null instead of []" is a bug, "Use X instead of Y"
 * advice, "Using X instead of Y" a remark.
 */
const DONE =
  'used|kept|implemented|stored|put|placed|added|made|wrote|built|passed|called|extended|extracted|injected|pinned|mocked|reused|introduced|adopted|followed|took'
const DOING =
  'use|keep|implement|store|add|make|write|build|pass|call|extend|extract|inject|pin|mock|reuse|introduce|adopt|follow|take'
const INSTEAD = new RegExp(
  `(?:${ACTOR}(?:${DONE})|${AGENT}(?:${DOING}))\\b.{2,200}?\\b(?:instead of|rather than)\\b`,
  'i',
)

/** "Decision: …", as headings and lists have it. */
const LABELLED =
  /^(?:(?:key|design|technical|architectural) )?(?:decision|choice)(?: \d+)?\s*[:—–-]\s*(.{4,})$/i

/** What takes a sentence out, whatever verb it has. */
const NO_DECISION: readonly RegExp[] = [
  // A question or a request.
  /\?$|^(?:can|could|should|would|do|does|did|is|are|was|were)\b/i,
  // Still open, or only possible.
  /\b(?:have(?:n't| not)|has(?:n't| not)|had(?:n't| not)|not yet|never|un)\s*decided|\b(?:need to decide|deciding|to decide)\b/i,
  /\b(?:would|could|should|might|may|can) (?:have )?(?:decided?|choose|chosen|opt|go|gone|switch(?:ed)?|use|keep|prefer)\b/i,
  // A condition, a time, a relative clause.
  /\b(?:if|unless|whether|once|until|when(?:ever)?|after|before|while)\s+(?:\w+\s+){0,3}(?:decided|chose|chosen|opted|went|switched|moved|migrated|picked|selected)\b/i,
  /\b(?:what|which|why|how|that) (?:I|we) (?:decided|chose|went|picked|opted)/i,
  // Somebody or something else.
  /\b(?:you|they|he|she|users?|customers?|team|upstream|maintainers?|caller|library|browser|server|client|compiler|parser|test|function)\s+(?:\w+\s+)?(?:decided|chose|opted|went|switched|moved|migrated|picked|selected|preferred)\b/i,
  // A step of the work.
  /\b(?:let me|let's|I'm going to)\b|\bwent with it\b|\bgoing with (?:you|this task)\b/i,
  /\b(?:moved|switched) (?:on )?to (?:the )?(?:next|another|main|master|directory|folder|branch)\b/i,
]

/** What introduces a reason, strongest first. "since 2.0" and "as shown" are none. */
const REASONS: readonly RegExp[] = [
  /(?:[,;]|(?<!\s))\s+(?:because|given that|seeing that|considering that)\s+/i,
  /(?:[,;]|(?<!\s))\s+since\s+(?!(?:v?\d|then\b|the (?:last|first|start|beginning)\b|version\b|yesterday\b))/i,
  /(?:[,;]|(?<!\s))\s+(?:due to|owing to|thanks to)\s+/i,
  /(?:[,;]|(?<!\s))\s+as\s+(?=(?:it|this|that|they|there|the|we|these|those)\b)/i,
  /(?:[,;]|(?<!\s))\s+(?=so that\s)/i,
  /(?:[,;]|(?<!\s))\s+(?=(?:in order to|to (?:avoid|keep|match|prevent|stay|reduce|preserve|support|make sure|ensure|allow|minimi[sz]e|simplify))\s)/i,
  /(?<!\s)\s+[—–-]\s+|:\s+(?=it\b|this\b|the\b)/,
]
/** A sentence of its own that says why. */
const NEXT_REASON =
  /^(?:(?:reason(?:ing)?|rationale|why):|(?:because|the reason(?: is| was)?(?: that)?|this (?:avoids|keeps|lets|makes|ensures|means|prevents|allows|gives|reduces|way)|that way|it (?:avoids|keeps|lets|prevents)|otherwise)\b)/i
/** The reason first: "Since X, I chose …", "X, so I chose …", "To avoid X, I chose …". */
const REASON_FIRST =
  /^(?:(?:since|because|as|given that)\s+(.{5,}?),\s+|(to\s+.{5,}?),\s+|(.{5,}?),?(?<!\s)\s+so\s+)(?:I|we)(?:'ve|’ve|'ll|’ll|\s+have|\s+will)?\s+(.+)$/i

/** Statements of choice with their reasons, from what the agent wrote; precision before completeness. */
export function extractDecisions(run: AgentRun): Decision[] {
  const decisions = new Map<string, Decision>()
  for (const text of textsOf(run)) {
    for (const decision of decisionsIn(text)) {
      const key = decision.description.toLowerCase().replace(/\W+/g, ' ')
      const known = decisions.get(key)
      if (!known || (!known.rationale && decision.rationale)) decisions.set(key, decision)
    }
  }
  return [...decisions.values()].slice(0, MOST_DECISIONS)
}

export function decisionsIn(text: string): Decision[] {
  const sentences = sentencesOf(text)
  return sentences.flatMap((sentence, at): Decision[] => {
    const labelled = LABELLED.exec(sentence)?.[1]
    if (!labelled && !isDecision(sentence)) return []
    const { description, rationale } = split(labelled ?? sentence)
    if (!labelled && description.length < SHORTEST) return []
    const next = sentences[at + 1] ?? ''
    const reason =
      rationale ??
      (NEXT_REASON.test(next) ? next.replace(/^(?:reason(?:ing)?|rationale|why):\s*/i, '') : undefined)
    return [
      {
        description: truncate(description, RECORD_CAPS.decision),
        ...(reason ? { rationale: truncate(closed(reason), RECORD_CAPS.decision) } : {}),
      },
    ]
  })
}

function isDecision(sentence: string): boolean {
  if (sentence.length > LONGEST || NO_DECISION.some((pattern) => pattern.test(sentence))) return false
  return CHOICES.some((pattern) => pattern.test(sentence)) || INSTEAD.test(sentence)
}

function split(sentence: string): { description: string; rationale: string | undefined } {
  const first = REASON_FIRST.exec(sentence)
  if (first && isDecision(`I ${first[4]}`)) {
    return { description: opened(first[4]!), rationale: first[1] ?? first[2] ?? first[3] }
  }
  const verb =
    /\b(?:decided|chose|picked|selected|elected|opted|w[eo]nt|going|go|settled|switched|migrated|moved|stuck|preferred|replaced|instead of|rather than)\b/i.exec(
      sentence,
    )
  const from = verb ? verb.index + verb[0].length : 0
  for (const pattern of REASONS) {
    const match = pattern.exec(sentence.slice(from))
    if (!match) continue
    const rationale = sentence.slice(from + match.index + match[0].length)
    if (rationale.length < 4) continue
    return { description: opened(sentence.slice(0, from + match.index)), rationale }
  }
  return { description: opened(sentence), rationale: undefined }
}

/** Without "So I", "Therefore, we" at the front and the full stop at the end. */
function opened(text: string): string {
  const bare = closed(text)
    .replace(/^(?:so|therefore|thus|hence|instead|finally|ultimately|then|and|but|also)[,\s]+/i, '')
    .replace(
      /^(?:I|we)(?:'ve|’ve|'ll|’ll|\s+have|\s+will)?\s+(?:also |then |therefore |ultimately |finally )?/i,
      '',
    )
  return bare.charAt(0).toUpperCase() + bare.slice(1)
}

function closed(text: string): string {
  return text.trim().replace(/[\s.,;:]+$/, '')
}
