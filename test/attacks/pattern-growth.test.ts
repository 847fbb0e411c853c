import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { expect, it } from 'vitest'
import { loadTokenizer } from '../../src/text/tokens.ts'

/**
 * A pattern that takes four times as long for four times the text is fine; one that takes sixteen times as long holds up
 * a hook for seconds, which no watchdog of the same thread can end. So every pattern there is gets texts made to be slow.
 */
const SOURCES = join(import.meta.dirname, '../../src')
/** They run when they are loaded, the page in a browser, and build nothing of their own. */
const PROGRAMS = /[\\/](?:background-process|keeper)\.ts$|[\\/]dashboard[\\/]page[\\/]/
const SIZE = 1_500
/** Four for what is linear, sixteen for what is quadratic. */
const MOST_GROWTH = 9
/** What is slow by itself is slow every time; what a busy machine made slow is not. */
const ATTEMPTS = 12
/** Below this, a clock tells nothing, and nobody waits. */
const NOTICEABLE_MS = 4

const UNITS = [
  ...[
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
  ],
  ...[
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
  ],
  ...[
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
    'ก',
    '👍',
  ],
]

interface Found {
  pattern: RegExp
  place: string
}

const found = new Map<string, Found>()

function add({ source, flags }: { source: string; flags: string }, place: string): void {
  // Looked for everywhere, as far as it reaches.
  const pattern = new RegExp(source, [...new Set(`${flags.replace('y', '')}g`)].join(''))
  found.set(String(pattern), { pattern, place })
}

/** Those that are written out. */
function addLiterals(path: string): void {
  const code = readFileSync(path, 'utf8')
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('regex' in node && 'start' in node) {
      const { pattern: source, flags } = node.regex as { pattern: string; flags: string }
      const line = code.slice(0, node.start as number).split('\n').length
      add({ source, flags }, `${relative(SOURCES, path)}:${line}`)
    } else Object.values(node).forEach(visit)
  }
  visit(parseSync(path, code).program)
}

/** Those that are put together from parts when a module is loaded. */
async function addBuilt(paths: readonly string[]): Promise<void> {
  const original = globalThis.RegExp
  let loading = ''
  globalThis.RegExp = new Proxy(original, {
    construct(target, args, newTarget) {
      const pattern: RegExp = Reflect.construct(
        target,
        args,
        newTarget === globalThis.RegExp ? target : newTarget,
      )
      built.push({ pattern, place: loading })
      return pattern
    },
  })
  const built: Found[] = []
  try {
    for (const path of paths) {
      loading = `built on loading ${relative(SOURCES, path)}`
      await import(path)
    }
  } finally {
    globalThis.RegExp = original
  }
  for (const { pattern, place } of built) add(pattern, place)
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

/** Of the processor, which others on the machine do not spend for us. */
function spentMs(work: () => void): number {
  const { user, system } = process.cpuUsage()
  work()
  const after = process.cpuUsage()
  return (after.user + after.system - user - system) / 1_000
}

/** Undefined when it is too little to tell or to matter. The least of many attempts: noise only ever adds. */
function growthOf(
  work: (size: number, round: number) => void,
  size: number,
  attempts = ATTEMPTS,
): number | undefined {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < attempts; round++) {
    const long = spentMs(() => work(size * 4, round))
    if (long < NOTICEABLE_MS) return undefined
    // So short that the clock's own steps would count: done several times.
    const short =
      spentMs(() => {
        for (let again = 0; again < 4; again++) work(size, round * 4 + again)
      }) / 4
    least = Math.min(least, long / Math.max(short, 0.001))
    if (least <= MOST_GROWTH) break
  }
  return least
}

function growthOfPattern(pattern: RegExp, unit: string): number | undefined {
  const text = unit.repeat(Math.ceil((SIZE * 4) / unit.length))
  return growthOf((size) => text.slice(0, size).replace(pattern, ''), SIZE)
}

it('no pattern grows faster than the text it reads', { timeout: 600_000 }, async () => {
  const paths = globSync(join(SOURCES, '**/*.{ts,tsx}')).sort()
  for (const path of paths) addLiterals(path)
  const literals = found.size
  await addBuilt(paths.filter((path) => !PROGRAMS.test(path)))
  expect(literals).toBeGreaterThan(350)
  expect(found.size).toBeGreaterThan(literals + 20)
  const slow = [...found.values()].flatMap(({ pattern, place }) =>
    [...UNITS, ...ownUnits(pattern)].flatMap((unit) => {
      const growth = growthOfPattern(pattern, unit)
      return growth !== undefined && growth > MOST_GROWTH
        ? [`${place} ${pattern} on ${JSON.stringify(unit)}: ${growth.toFixed(1)} times`]
        : []
    }),
  )
  expect(slow).toEqual([])
})

it('and the measure itself tells quadratic from linear', { retry: 5 }, () => {
  const blank = '\n'.repeat(12_000)
  const quadratic = (size: number) => blank.slice(0, size).replace(/^\s*x/gm, '')
  expect(growthOf(quadratic, 3_000, 2)).toBeGreaterThan(MOST_GROWTH)
  expect(growthOfPattern(/\s+$/g, 'a ') ?? 0).toBeLessThan(MOST_GROWTH)
})

it.each([
  ['Thai', 0xe01, 0xe3a],
  ['Khmer', 0x1780, 0x17d2],
  ['Lao', 0xe81, 0xebd],
  ['Tibetan', 0xf40, 0xf6c],
  ['Devanagari', 0x904, 0x94d],
  ['Burmese', 0x1000, 0x103f],
  ['Japanese', 0x3041, 0x30fe],
  ['Chinese', 0x4e00, 0x9fa5],
  ['Korean', 0xac00, 0xd7a3],
  ['pictures', 0x1f300, 0x1f64f],
  ['marks', 0x21, 0x2f],
  ['combining marks', 0x300, 0x36f],
  ['small letters', 0x61, 0x7a],
])('tokens of %s, written without spaces, are counted in linear time', async (_, first, last) => {
  const { count, fits, truncate } = await loadTokenizer()
  // Never the same twice: the library remembers words.
  const textOf = (size: number, seed: number) => {
    let state = size + seed
    return Array.from({ length: size }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return String.fromCodePoint(first + Math.floor((state / 2 ** 32) * (last - first + 1)))
    }).join('')
  }
  const texts = new Map<string, string>()
  for (let round = 0; round < ATTEMPTS * 4; round++)
    for (const size of [6_000, 24_000])
      if (round < ATTEMPTS || size === 6_000) texts.set(`${size} ${round}`, textOf(size, round))
  count(textOf(2_000, 0))
  expect(growthOf((size, round) => count(texts.get(`${size} ${round}`)!), 6_000) ?? 0).toBeLessThan(
    MOST_GROWTH,
  )
  expect(
    growthOf((size, round) => truncate(texts.get(`${size} ${round}`)!, size / 10), 6_000) ?? 0,
  ).toBeLessThan(MOST_GROWTH)
  expect(fits(texts.get('24000 0')!, 10)).toBe(false)
})
