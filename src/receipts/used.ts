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
 * Whether the run shows traces of an item: the file was touched, or at least two of the item's distinctive words (or its
 * only one) turn up in what the agent said. A hint for people judging what memory is worth, not a proof.
 */
export function showsTraces({ source, text }: ReceiptItem, { texts, files }: RunTraces): boolean {
  if (files.includes(source)) return true
  const words = [...new Set(text?.match(DISTINCTIVE) ?? [])]
  const found = words.filter((word) => texts.some((said) => said.includes(word))).length
  return found > 0 && found >= Math.min(ENOUGH, words.length)
}
