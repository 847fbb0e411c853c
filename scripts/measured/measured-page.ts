/** Pages that say what was measured and nothing else: made from figures kept in docs/, never written by hand. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

export interface MeasuredPage {
  /** From the root of the repository. */
  path: string
  /** What it should say, given what it says now. */
  made: (now: string) => string
}

/** Where and with what something was measured. */
export interface Measured {
  /** YYYY-MM-DD. */
  date: string
  commit: string
  version: string
  node: string
  machine: string
}

export function measuredHere(): Measured {
  const { version } = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8')) as { version: string }
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    version,
    node: process.versions.node,
    machine: `${availableParallelism()} cores, ${process.platform} ${process.arch}`,
  }
}

/** A page with what stands between two marks replaced; the marks are lines of their own. */
export function between(page: string, [begin, end]: readonly [string, string], body: string): string {
  const from = page.indexOf(begin)
  const to = page.indexOf(end, from)
  if (from < 0 || to < from) throw new Error(`the page has no place for the figures: ${begin} … ${end}`)
  return `${page.slice(0, from + begin.length)}\n\n${body}\n\n${page.slice(to)}`
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

export function writePages(pages: readonly MeasuredPage[]): void {
  for (const { path, made } of pages) {
    const now = read(path)
    const wanted = made(now)
    if (wanted !== now) writeFileSync(fromRoot(path), wanted)
  }
}

/** Those that do not say what was measured. */
export function outdatedPages(pages: readonly MeasuredPage[]): string[] {
  const outdated = pages.filter(({ path, made }) => {
    const now = read(path)
    return made(now) !== now
  })
  return [...new Set(outdated.map(({ path }) => path))]
}

export function fromRoot(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url))
}

/** Empty before it was ever made. */
function read(path: string): string {
  try {
    return readFileSync(fromRoot(path), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
