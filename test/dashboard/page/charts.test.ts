import { h, type JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, it } from 'vitest'
import { ActivityChart } from '../../../src/dashboard/page/charts/activity-chart.tsx'
import { EffectChart } from '../../../src/dashboard/page/charts/effect-chart.tsx'
import { ErrorLives } from '../../../src/dashboard/page/charts/error-lives.tsx'
import { FileHeat } from '../../../src/dashboard/page/charts/file-heat.tsx'
import { OutcomesChart } from '../../../src/dashboard/page/charts/outcomes-chart.tsx'
import { SpendChart } from '../../../src/dashboard/page/charts/spend-chart.tsx'
import { OutcomeStrip } from '../../../src/dashboard/page/charts/strip.tsx'
import { ToldChart } from '../../../src/dashboard/page/charts/told-chart.tsx'
import type { MeasuredEffect } from '../../../src/effect/report.ts'
import type { Outcome } from '../../../src/feature-memory/record.ts'

const drawn = (node: JSX.Element) => renderToString(node)
const count = (html: string, part: string | RegExp) => html.split(part).length - 1

const ALL: Outcome[] = ['success', 'failure', 'partial', 'timeout', 'rate_limited']
const points = (length: number) =>
  Array.from({ length }, (_, at) => ({ iterationNumber: at + 1, outcome: ALL[at % ALL.length]! }))
const seen = (...iterations: number[]) => iterations.map((iteration) => ({ iteration }))

describe('the outcome strip', () => {
  it('tells the last outcomes in words as well', () => {
    const html = drawn(h(OutcomeStrip, { outcomes: ['failure', 'success', 'success'], most: 2 }))
    expect(html).toContain('aria-label="The last 2 iterations: 2 success"')
    expect(count(html, '<rect')).toBe(2)
  })

  it('says when there is nothing', () => {
    expect(drawn(h(OutcomeStrip, { outcomes: [] }))).toContain('no iterations yet')
  })
})

describe('outcomes over iterations', () => {
  it('draws one mark for each of a few, which leads to it', () => {
    const html = drawn(h(OutcomesChart, { points: points(10), hrefOf: (number) => `/iterations/${number}` }))
    expect(count(html, 'class="chart-mark"')).toBe(10)
    expect(html).toContain('href="/iterations/10"')
    expect(html).toContain('aria-label="Iteration 2: failure"')
    // One of them is reached by Tab, the others from it.
    expect(count(html, 'tabindex="0"')).toBe(1)
    expect(html).toContain('10 iterations: 2 success')
  })

  it('puts many together', () => {
    const html = drawn(h(OutcomesChart, { points: points(100_000) }))
    expect(html).toContain('Each column is 2000 iterations.')
    expect(html.length).toBeLessThan(100_000)
  })

  it('says when there is nothing', () => {
    expect(drawn(h(OutcomesChart, { points: [] }))).toContain('No iterations yet')
  })
})

describe('activity and cost', () => {
  it('shows days on which nothing happened', () => {
    const days = [
      { day: '2026-11-01', counts: { success: 2 } },
      { day: '2026-11-04', counts: { failure: 1 } },
    ]
    const html = drawn(h(ActivityChart, { days }))
    expect(count(html, 'class="chart-reach"')).toBe(4)
    expect(html).toContain('2 success, 1 failure on 2 days.')
  })

  it('adds up what was spent, and leaves out what nobody reported', () => {
    const html = drawn(
      h(SpendChart, {
        unit: 'day',
        points: [{ name: '1 Nov', costUsd: 0.004 }, { name: '2 Nov', costUsd: 1.5 }, { name: '3 Nov' }],
      }),
    )
    expect(html).toContain('$1.50 and 0 tokens in all.')
    expect(count(html, 'class="chart-cost"')).toBe(3)
    expect(html).not.toContain('class="chart-tokens"')
    expect(drawn(h(SpendChart, { unit: 'day', points: [{ name: '1 Nov' }] }))).toContain('No cost yet')
  })
})

describe('life lines of errors', () => {
  const error = {
    id: 'e1',
    message: '<b>boom</b>',
    life: 'came_back' as const,
    times: 3,
    sightings: seen(2, 3, 9),
    solutions: [{ iteration: 5, cameBackIn: 9 }],
  }

  it('tells each life in words, and draws each event by its own sign', () => {
    const html = drawn(h(ErrorLives, { errors: [error], latest: 12, label: ({ message }) => message }))
    expect(html).toContain(
      'first seen in iteration 2, met in 3 iterations, solved in 5, came back in 9, now came back',
    )
    for (const kind of ['first', 'again', 'solved', 'back']) expect(html).toContain(`life-sign life-${kind}`)
    expect(html).toContain('&lt;b>boom&lt;/b>')
    expect(html).not.toContain('<b>')
  })

  it('draws only so many, and says so', () => {
    const errors = Array.from({ length: 500 }, (_, at) => ({ ...error, id: `e${at}` }))
    const html = drawn(h(ErrorLives, { errors, latest: 12, label: () => 'this one' }))
    expect(html).toContain('500 errors, the first 30 drawn.')
    expect(count(html, 'this one')).toBe(30)
  })
})

describe('files over iterations', () => {
  it('puts iterations together when there are many', () => {
    const files = [{ path: 'src/a.ts', iterations: Array.from({ length: 3_000 }, (_, at) => at + 1) }]
    const html = drawn(h(FileHeat, { files, from: 1, to: 3_000, label: ({ path }) => h('b', null, path) }))
    expect(html).toContain('each cell is 50 iterations')
    expect(count(html, /class="heat-\d"/)).toBe(60)
    expect(html).toContain('iterations 1 to 50: 50 times')
  })

  it('says when there is nothing', () => {
    expect(drawn(h(FileHeat, { files: [], from: 1, to: 1, label: () => '' }))).toContain('No files touched')
  })
})

it('shows what memory told against the runs that succeeded, and claims no cause', () => {
  const groups = [{ name: 'nothing', runs: 4, succeeded: 1, told: 0, used: 0 }]
  const html = drawn(h(ToldChart, { groups }))
  expect(html).toContain('25 % of 4 runs succeeded')
  expect(html).toContain('not what caused what')
  expect(drawn(h(ToldChart, { groups: [] }))).toContain('No receipts yet')
})

it('draws both sides of an effect with how sure it is, and says the same in words', () => {
  const effect: MeasuredEffect = {
    measure: 'repeated_failures',
    told: { value: 0.2, runs: 90, tasks: 40, count: 18 },
    withheld: { value: 0.5, runs: 30, tasks: 20, count: 15 },
    comparedAs: 'difference',
    effect: -0.3,
    interval: { low: -0.45, high: -0.1 },
    ...{ verdict: 'helps', sentence: 'Memory helped.' },
  }
  const html = drawn(h(EffectChart, { measures: [effect] }))
  expect(html).toContain('aria-label="With memory 20 of 100, without 50 of 100. Memory helped."')
  expect(count(html, 'class="effect-reach"')).toBe(1)
  const { effect: _, interval: __, ...bare } = effect
  const unsure = drawn(h(EffectChart, { measures: [{ ...bare, verdict: 'too little data' }] }))
  expect(unsure).not.toContain('effect-reach')
  const none = { runs: 0, tasks: 0, count: 0 }
  expect(drawn(h(EffectChart, { measures: [{ ...bare, told: none, withheld: none }] }))).toContain(
    'No runs to compare',
  )
})

it('has no style attribute, which our policy for contents would forbid', () => {
  const charts = [
    h(OutcomesChart, { points: points(500) }),
    h(ToldChart, { groups: [{ name: 'all', runs: 1, succeeded: 1, told: 3, used: 1 }] }),
    h(FileHeat, { files: [{ path: 'a', iterations: [1] }], from: 1, to: 2, label: () => 'a' }),
  ]
  for (const chart of charts) expect(drawn(chart)).not.toContain('style=')
})
