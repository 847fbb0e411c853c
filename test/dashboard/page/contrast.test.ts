import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const page = new URL('../../../src/dashboard/page/', import.meta.url)
const styles = ['styles/tokens.css', 'charts/charts.css'].map((file) =>
  readFileSync(new URL(file, page), 'utf8'),
)
/** Of each colour of the page, how it is in the light and in the dark theme. */
const COLOURS = new Map(
  [...styles.join('').matchAll(/(--[\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
    ([, name, light, dark]) => [name!, { light: light!, dark: dark! }],
  ),
)

const TEXTS = ['--text', '--dim', '--accent', '--good', '--bad', '--warn']
const GROUNDS = ['--ground', '--raised', '--sunken']
const MARKS = [...COLOURS.keys()].filter((name) => /^--(outcome-|heat|line-strong)/.test(name))

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (high! + 0.05) / (low! + 0.05)
}

/** Pairs of colours that are too much alike. */
function tooPale(
  fronts: readonly string[],
  grounds: readonly string[],
  least: number,
  theme: 'light' | 'dark',
) {
  return fronts.flatMap((front) =>
    grounds
      .filter((ground) => contrast(COLOURS.get(front)![theme], COLOURS.get(ground)![theme]) < least)
      .map((ground) => `${front} on ${ground}`),
  )
}

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  it('has text that can be read on every ground', () => {
    expect(tooPale(TEXTS, GROUNDS, 4.5, theme)).toEqual([])
    for (const tone of ['accent', 'good', 'bad', 'warn'])
      expect(tooPale([`--${tone}`, '--text'], [`--${tone}-ground`], 4.5, theme)).toEqual([])
    expect(tooPale(['--text', '--dim'], ['--mark'], 4.5, theme)).toEqual([])
  })

  it('has marks in charts that stand out', () => {
    expect(MARKS.length).toBeGreaterThan(5)
    expect(tooPale(MARKS, ['--ground'], 3, theme)).toEqual([])
  })
})
