import type { Output } from '../output.ts'

/** How the text of one thing is put together. */

export function factsLine(out: Output, facts: readonly string[]): string {
  return out.style('dim', facts.join(' · '))
}

/** A heading with what stands below it, each item on lines of its own; nothing where there is nothing. */
export function section(out: Output, title: string, items: readonly string[]): string[] {
  const shown = items.filter((item) => item.trim() !== '')
  if (shown.length === 0) return []
  const indent = title === '' ? '' : '  '
  return [
    '',
    ...(title === '' ? [] : [out.style('bold', title)]),
    ...shown.map((item) => indented(item, indent)),
  ]
}

function indented(text: string, indent: string): string {
  return text.trimEnd().replace(/^(?!$)/gm, indent)
}

/** "2026-02-07 14:30", as it is stored: UTC. */
export function time(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ')
}

export function seconds(milliseconds: number): string {
  const all = Math.round(milliseconds / 1_000)
  return all < 60 ? `${all} s` : `${Math.floor(all / 60)} min ${all % 60} s`
}
