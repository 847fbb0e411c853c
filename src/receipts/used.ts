import type { ReceiptItem } from './receipt.ts'

/** What a run left behind that can show traces of what it was given. */
export interface RunTraces {
  /** What the agent said. */
  texts: readonly string[]
  /** Project-relative paths it read or changed. */
  files: readonly string[]
}

/** Identifiers, file names, error codes: words that hardly turn up by chance. */
const DISTINCTIVE =
  /(?<![\w$])[A-Za-z_$][\w$]{0,80}(?:[._/-][\w$]+)+|\b(?:[a-z]{1,60}|[A-Z][a-z]{1,60})[A-Z]\w*|\b[A-Z]{2,}\d{2,}|\b\w{1,60}_\w+/g
const ENOUGH = 2

/**
 * Which items the run shows traces of: the file was touched, or at least two of the item's distinctive words (or its
 * only one) turn up in what the agent said. A hint for people judging what memory is worth, not a proof.
 */
export function usedSources(items: readonly ReceiptItem[], traces: RunTraces): string[] {
  const said = traces.texts.join('\n')
  const files = new Set(traces.files)
  const used = items.filter((item) => {
    if (files.has(item.source)) return true
    const words = [...new Set(item.text?.match(DISTINCTIVE) ?? [])]
    const found = words.filter((word) => said.includes(word)).length
    return found > 0 && found >= Math.min(ENOUGH, words.length)
  })
  return [...new Set(used.map(({ source }) => source))]
}
