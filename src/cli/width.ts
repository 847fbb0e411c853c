const USUAL = 80
const NARROWEST = 40

/** How many columns there are: the terminal's, or as COLUMNS says where there is none. */
export function columnsOf(stream: { isTTY?: boolean; columns?: number }): number | undefined {
  const columns = (stream.isTTY && stream.columns) || Number(process.env['COLUMNS']) || undefined
  return columns === undefined ? undefined : Math.max(NARROWEST, Math.floor(columns))
}

/** For text that reads badly in long lines. */
export function readingWidth(stream: { isTTY?: boolean; columns?: number }, most = 100): number {
  return Math.min(columnsOf(stream) ?? USUAL, most)
}
