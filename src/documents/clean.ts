import { redactWithReport } from '../text/redact.ts'

export interface MaskedLine {
  text: string
  /** Which of the lines it was, from 0. */
  from: number
}

/**
 * The lines with their secrets masked. All at once, since a secret may go over many lines, of which one is left: so each says
 * which it was.
 */
export function maskedLines(lines: readonly string[]): { lines: MaskedLine[]; secrets: number } {
  const { text, found } = redactWithReport(lines.join('\n'))
  const masked = text.split('\n')
  const secrets = found.reduce((sum, { count }) => sum + count, 0)
  if (masked.length === lines.length)
    return { lines: masked.map((one, from) => ({ text: one, from })), secrets }
  return { lines: aligned(lines, masked), secrets }
}

/** What was changed stands where the first line of it stood; what comes next is found again by its words. */
function aligned(lines: readonly string[], masked: readonly string[]): MaskedLine[] {
  let next = 0
  return masked.map((text) => {
    // Blank lines are everywhere: they follow what stands above them.
    const found = text.trim() === '' || lines[next] === text ? next : lines.indexOf(text, next)
    const from = Math.min(found === -1 ? next : found, lines.length - 1)
    next = from + 1
    return { text, from }
  })
}
