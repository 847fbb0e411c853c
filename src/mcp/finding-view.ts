import { z } from 'zod'
import type { Finding, FoundFeature, FoundLearning } from '../feature-memory/finding.ts'
import type { ShownLearning } from '../learnings/display.ts'
import { type Packed, packed } from '../text/pack.ts'
import { dataLine, nameOrQuoted } from '../text/quote.ts'
import { shorten } from '../text/truncate.ts'
import {
  cited,
  cleanFinding,
  DETAILS,
  type Detail,
  IterationView,
  viewOf,
  viewText,
} from './iteration-view.ts'

/** A learning, or what the board says of the feature itself. */
const NoteView = z.object({
  type: z.enum(['learning', 'feature']),
  id: z.string().optional(),
  text: z.string(),
  reason: z.string().optional().describe('Why the learning exists'),
  source: z.string().optional().describe('Who it comes from; repository: it says so itself'),
  iteration: z.number().optional().describe('The iteration that taught it'),
  alike: z.number().optional(),
  relevance: z.string(),
  score: z.number(),
})
type NoteView = z.infer<typeof NoteView>

export const FindingView = z.union([IterationView, NoteView])
type FindingView = z.infer<typeof FindingView>

/** What a search has found, as much of each as fits, in both forms. `learnings` tells where those found come from. */
export function findingViews(
  findings: readonly Finding[],
  learnings: readonly Pick<ShownLearning, 'id' | 'source'>[],
): Packed<FindingView> {
  const sources = new Map(learnings.map(({ id, source }) => [id, source]))
  const items = findings.map((finding) =>
    finding.type === 'iteration'
      ? { type: 'iteration' as const, finding: cleanFinding(finding) }
      : { type: 'note' as const, note: noteOf(finding, sources) },
  )
  return packed(items, {
    details: DETAILS,
    view: (item, detail): FindingView =>
      item.type === 'iteration' ? viewOf(item.finding, detail) : shortened(item.note, detail),
    text: (view) => ('type' in view ? noteText(view) : viewText(view)),
  })
}

function noteOf(
  finding: FoundLearning | FoundFeature,
  sources: ReadonlyMap<string, ShownLearning['source']>,
): NoteView {
  const { type, relevance, matched, score } = finding
  const found = {
    ...(finding.alike && { alike: finding.alike }),
    relevance: `${relevance} (${matched.join(', ')})`,
    score: Math.round(score * 100) / 100,
  }
  if (type === 'feature') return { type, text: dataLine(finding.text), ...found }
  const { id, text, reason, iteration } = finding.learning
  return {
    type,
    id: dataLine(id),
    text: dataLine(text),
    reason: dataLine(reason),
    source: sources.get(id) ?? 'repository',
    ...(iteration !== undefined && { iteration }),
    ...found,
  }
}

/** What a learning says is short and matters as a whole; of a feature's description the beginning does. */
function shortened(note: NoteView, detail: Detail): NoteView {
  const { reason, ...rest } = note
  const room = note.type === 'learning' ? detail.summary * 2 : detail.summary
  const withReason = reason !== undefined && detail.errors > 0
  return {
    ...rest,
    text: shorten(note.text, room),
    ...(withReason && { reason: shorten(reason, detail.error) }),
  }
}

function noteText({ type, id, text, reason, source, iteration, alike, relevance, score }: NoteView): string {
  const facts = [
    ...(source ? [source] : []),
    ...(iteration === undefined ? [] : [`iteration ${iteration}`]),
    ...(alike ? [`and ${alike} alike`] : []),
    `${relevance} ${score}`,
  ]
  const name = type === 'learning' ? `learning ${nameOrQuoted(id ?? '', 20)}` : 'feature'
  return [
    `- [${name}] ${cited(text)} (${facts.join('; ')})`,
    ...(reason ? [`  because ${cited(reason)}`] : []),
  ].join('\n')
}
