import { shortIdOf } from '../lookup/address.ts'
import type { MemoryKind, Recollection } from '../recall/recollection.ts'
import type { Passage } from '../text/passage.ts'
import { oneLine } from '../text/truncate.ts'
import { wrap } from '../text/wrap.ts'
import { differingAgents } from '../transcripts/agents.ts'
import { outcomeBadge } from './iteration-text.ts'
import { LIFE_WORDS } from './life-words.ts'
import type { Output } from './output.ts'

/** What each kind of memory is called on a line. */
export const KIND_WORDS: Record<MemoryKind, string> = {
  iteration: 'iteration',
  learning: 'learning',
  feature: 'feature',
  error: 'error',
  pattern: 'knowledge',
  exchange: 'conversation',
  document: 'document',
}
const INDENT = '  '

/** What was found, each with its agent where they are not all the same one's. */
export function recollectionsText(out: Output, found: readonly Recollection[], width: number): string {
  const agents = differingAgents(found.map(({ agent }) => agent))
  return found.map((one, at) => recollectionText(out, one, width, agents[at])).join('\n\n')
}

/** One memory that was found: its short id, what it is, and the passage that answers, in lines of at most so many columns. */
function recollectionText(
  out: Output,
  found: Recollection,
  width: number,
  agent: string | undefined,
): string {
  const id = shortIdOf(found.address)
  const { title, outcome } = found
  const used = title === '' ? id.length + 2 : INDENT.length
  const facts = wrap(factsOf(found, agent).join(' · '), width - used)
    .split('\n')
    .map((line) => out.style('dim', line))
    .join(`\n${INDENT}`)
  const badge = outcome === undefined ? '' : `${outcomeBadge(out, outcome)} `
  const room = Math.max(20, width - id.length - 2 - (outcome === undefined ? 0 : outcome.length + 3))
  const head = title === '' ? facts : `${badge}${out.style('bold', oneLine(title, room))}`
  return [
    `${out.style('cyan', id)}  ${head}`,
    ...(title === '' ? [] : [`${INDENT}${facts}`]),
    passageText(out, withoutTitle(found.passage, title), width),
  ].join('\n')
}

function factsOf(
  { address, from, life, place, timestamp, relevance, score, matched, alike }: Recollection,
  agent: string | undefined,
): string[] {
  return [
    KIND_WORDS[address.kind],
    ...('feature' in address && address.kind !== 'feature' ? [address.feature] : []),
    ...(agent ? [agent] : []),
    ...(from === undefined ? [] : [`shared by ${from}`]),
    ...(place ? [place] : []),
    ...(life ? [LIFE_WORDS[life]] : []),
    ...(timestamp ? [timestamp.slice(0, 10)] : []),
    `${relevance} ${score.toFixed(2)} by ${matched.join(' and ')}`,
    ...(alike ? [`${alike} alike`] : []),
  ]
}

/** Said above already; of an exchange the answer is left, behind its arrow. */
function withoutTitle({ text, marks, words }: Passage, title: string): Passage {
  const behind = text.startsWith(title) ? text.slice(title.length) : ''
  const gap = behind.startsWith(': ') ? 2 : behind.startsWith(' → ') ? 1 : 0
  if (title === '' || gap === 0) return { text, marks, words }
  const said = title.length + gap
  const left = marks.filter(([from]) => from >= said)
  return { text: text.slice(said), marks: left.map(([from, to]) => [from - said, to - said]), words }
}

/** Breaking lines puts a line feed where a space was, so that every mark keeps its place. */
function passageText(out: Output, { text, marks }: Passage, width: number): string {
  const lines = wrap(text, width - INDENT.length)
  let shown = ''
  let at = 0
  for (const [from, to] of lines.length === text.length ? marks : []) {
    shown += lines.slice(at, from) + out.style(['bold', 'yellow'], lines.slice(from, to))
    at = to
  }
  return INDENT + (shown + lines.slice(at)).replaceAll('\n', `\n${INDENT}`)
}
