import type { ReceiptItem } from '../../receipts/receipt.ts'
import { type PromptSection, type Steps, usefulSteps, without } from './assemble.ts'

/** One entry of a section, and what the receipt says of it. */
export interface SectionLine {
  text: string
  item: ReceiptItem
}

/** A section that shrinks by showing fewer entries; the most important ones come first. */
export function listed(spec: {
  name: string
  title: string
  lines: readonly SectionLine[]
  steps: Steps
}): PromptSection {
  const { name, title, lines, steps } = spec
  if (lines.length === 0) return without(name)
  const sizes = usefulSteps(steps, lines.length).map(([length, worth]) => {
    const shown = lines.slice(0, length)
    return {
      worth,
      text: shown.length === 0 ? '' : `${title}\n\n${shown.map(({ text }) => text).join('\n')}`,
      items: shown.map(({ item }) => item),
      leftOut:
        shown.length < lines.length ? [`${name}: ${lines.length - shown.length} of ${lines.length}`] : [],
    }
  })
  return { name, sizes }
}
