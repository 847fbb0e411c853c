import { describe, expect, it } from 'vitest'
import { outdatedPages } from '../../scripts/measured/measured-page.ts'
import { missedFloors } from './floors.ts'
import { keptResults, QUALITY_PAGES } from './report/pages.ts'
import { qualityPage } from './report/quality-page.ts'
import { readmeWith } from './report/readme-table.ts'
import type { Results } from './results.ts'
import { SETS } from './sets/all.ts'

const README = `# A product

<!-- figures of docs/quality.json, written by npm run quality -- --write -->
| old | figures |
<!-- end of the figures -->

The rest.
`

const estimate = (value: number) => ({ value, low: value - 0.05, high: value + 0.05, of: 10 })
const figures = (ours: number) => ({ words: estimate(0.5), meaning: estimate(0.25), ours: estimate(ours) })

const results: Results = {
  ...{
    date: '2026-02-07',
    version: '0.1.0',
    commit: 'abc1234',
    node: '24.0.0',
    machine: '2 cores, linux x64',
  },
  ...{ model: 'all-MiniLM-L6-v2', minutes: 9.5 },
  sets: [
    {
      ...{ name: 'sessions-entire', date: '2026-02-07', commit: 'abc1234' },
      documents: 311,
      measures: [
        {
          name: 'MRR',
          figures: { choosing: figures(0.9), reporting: figures(0.75), all: figures(0.8) },
        },
      ],
    },
    {
      name: 'locomo-1',
      skipped: 'no locomo/conversations.json in ../shared/data',
      ...{ date: '2026-02-07', commit: 'abc1234' },
    },
  ],
}

describe('what is written of a run', () => {
  it('replaces the figures in the README by those of the reporting half, and nothing else', () => {
    const readme = readmeWith(README, results)
    expect(readme).toContain('| pull request → agent session, MRR | 50.0 | 25.0 | 75.0 |')
    expect(readme).not.toContain('old')
    expect(readme).toMatch(/^# A product\n[\s\S]*\nThe rest\.\n$/)
    expect(readmeWith(readme, results)).toBe(readme)
  })

  it('refuses a README without a place for them', () => {
    expect(() => readmeWith('# A product\n', results)).toThrow('no place for the figures')
  })

  it('has both halves with intervals on the page, and why a set is absent', () => {
    const page = qualityPage(results)
    expect(page).toContain('| MRR | choosing | 10 | 50.0 (45.0–55.0) | 25.0 (20.0–30.0) | 90.0 (85.0–95.0) |')
    expect(page).toContain(
      '| MRR | reporting | 10 | 50.0 (45.0–55.0) | 25.0 (20.0–30.0) | 75.0 (70.0–80.0) |',
    )
    expect(page).toContain('Skipped: no locomo/conversations.json in ../shared/data.')
  })

  it('is what the pages say now, and no figure of it is worse than it may be', () => {
    expect(outdatedPages(QUALITY_PAGES)).toEqual([])
    expect(missedFloors(keptResults().sets)).toEqual([])
  })

  it('names every set once', () => {
    expect(new Set(SETS.map(({ name }) => name)).size).toBe(SETS.length)
  })
})
