import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { expect, it } from 'vitest'
import { loadTokenizer } from '../../src/text/tokens.ts'

/**
 * A pattern that takes four times as long for four times the text is fine; one that takes sixteen times as long holds up
 * a hook for seconds, which no watchdog of the same thread can end. So every pattern that reads what agents and programs
 * write is timed on texts made to be slow.
 */
const FOLDERS = ['feature-memory/extract', 'feature-memory', 'text', 'transcripts', 'hooks', 'learnings']
const SOURCES = join(import.meta.dirname, '../../src')
const SIZE = 1_500
/** Four for what is linear, sixteen for what is quadratic. */
const MOST_GROWTH = 9
/** What is slow by itself is slow every time; what a busy machine made slow is not. */
const AGAIN = { retry: 4 }
/** Below this, a clock on a busy machine tells nothing, and nobody waits. */
const NOTICEABLE_MS = 4

const UNITS = [
  '\n',
  ' ',
  '\t',
  ' \n',
  'a',
  'A',
  'é',
  '7',
  '.',
  '-',
  '_',
  '/',
  '\\',
  '"',
  "'",
  '`',
  '(',
  '[',
  '{',
  '<',
  '[[',
  '({',
  '()',
  '<a',
  '*',
  '#',
  ':',
  '=',
  ',',
  '@',
  '|',
  '>',
  'a.',
  'a/',
  'a-',
  'a_',
  'a ',
  'a\n',
  'aB',
  'a1',
  'a:',
  'a=',
  '- ',
  '1.',
  '\u001b[',
  '\u200b',
  'Error: ',
  'at ',
  'a@a',
  'http://',
  '../',
]

interface Found {
  pattern: RegExp
  place: string
}

function patternsIn(path: string): Found[] {
  const code = readFileSync(path, 'utf8')
  const found: Found[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('regex' in node && 'start' in node) {
      const { pattern: source, flags } = node.regex as { pattern: string; flags: string }
      const pattern = new RegExp(source, [...new Set(`${flags.replace('y', '')}g`)].join(''))
      const line = code.slice(0, node.start as number).split('\n').length
      found.push({ pattern, place: `${path.slice(SOURCES.length + 1)}:${line}` })
    } else Object.values(node).forEach(visit)
  }
  visit(parseSync(path, code).program)
  return found
}

/** What the pattern itself begins to match, over and over. */
function ownUnits({ source }: RegExp): string[] {
  const literal = source
    .replace(/\\[sn]/g, ' ')
    .replace(/\\d/g, '7')
    .replace(/\\w/g, 'a')
    .replace(/\\([^A-Za-z0-9])/g, '$1')
  return [...new Set(literal.match(/[\w <"'`:/.=@-]{2,}/g) ?? [])]
    .slice(0, 6)
    .flatMap((run) => [run, `${run} `])
}

/** The best of a few rounds, in time on the processor: neither other programs nor the garbage collector are a pattern's growth. */
function shortest(work: (round: number) => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5; round++) {
    const started = process.cpuUsage()
    work(round)
    const { user, system } = process.cpuUsage(started)
    best = Math.min(best, (user + system) / 1_000)
    if (best < NOTICEABLE_MS) break
  }
  return best
}

function timeOf(pattern: RegExp, unit: string, size: number): number {
  const text = unit.repeat(Math.ceil(size / unit.length))
  return shortest(() => text.replace(pattern, ''))
}

/** Undefined when it does not matter. */
function growthOf(pattern: RegExp, unit: string): number | undefined {
  const long = timeOf(pattern, unit, SIZE * 4)
  return long < NOTICEABLE_MS ? undefined : long / timeOf(pattern, unit, SIZE)
}

const paths = FOLDERS.flatMap((folder) => globSync(join(SOURCES, folder, '**/*.ts')))
const patterns = [...new Set(paths)].flatMap(patternsIn)

it('finds the patterns', () => {
  expect(patterns.length).toBeGreaterThan(200)
})

it('no pattern grows faster than the text it reads', { timeout: 120_000, ...AGAIN }, () => {
  const slow = patterns.flatMap(({ pattern, place }) =>
    [...UNITS, ...ownUnits(pattern)].flatMap((unit) => {
      const growth = growthOf(pattern, unit)
      return growth !== undefined && growth > MOST_GROWTH
        ? [`${place} ${pattern} on ${JSON.stringify(unit)}: ${growth.toFixed(1)} times`]
        : []
    }),
  )
  expect(slow).toEqual([])
})

it('and the measure itself tells quadratic from linear', AGAIN, () => {
  expect(growthOf(/^\s*x/gm, '\n')).toBeGreaterThan(MOST_GROWTH)
  expect(growthOf(/\s+$/g, ' ') ?? 0).toBeLessThan(MOST_GROWTH)
})

it.each([
  ['Thai', 0xe01, 0xe3a],
  ['Devanagari', 0x904, 0x94d],
  ['Burmese', 0x1000, 0x103f],
])('tokens of %s, written without spaces, are counted in linear time', AGAIN, async (_, first, last) => {
  const { count } = await loadTokenizer()
  // Never the same twice: the library remembers words.
  const textOf = (size: number, seed: number) => {
    let state = size + seed
    return Array.from({ length: size }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return String.fromCharCode(first + Math.floor((state / 2 ** 32) * (last - first + 1)))
    }).join('')
  }
  const time = (size: number) => {
    const texts = [0, 1, 2, 3, 4].map((seed) => textOf(size, seed))
    return shortest((round) => count(texts[round]!))
  }
  count(textOf(2_000, 0))
  const long = time(24_000)
  if (long >= NOTICEABLE_MS) expect(long / time(6_000)).toBeLessThan(MOST_GROWTH)
})
