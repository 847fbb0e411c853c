import { describe, expect, it } from 'vitest'
import { behind } from '../../bench/peers/report/behind.ts'
import type { PeerFigures, Performance, SizeFigures } from '../../bench/peers/report/figures.ts'
import { growthPicture } from '../../bench/peers/report/growth-picture.ts'
import { PERFORMANCE_PAGES } from '../../bench/peers/report/pages.ts'
import { performancePage } from '../../bench/peers/report/performance-page.ts'
import { readmeWithCosts } from '../../bench/peers/report/readme-costs.ts'
import { outdatedPages } from '../../scripts/measured/measured-page.ts'

const README = `# A product

<!-- figures of docs/performance.json, written by npm run bench -- peers --write -->
| old | figures |
<!-- end of the costs -->

The rest.
`

const size = (documents: number, medianMs: number): SizeFigures => ({
  documents,
  filled: { seconds: 2, cpuSeconds: 1, peakMb: 200, diskMb: 40 },
  searched: {
    ...{ openMs: 20, medianMs, p95Ms: 2 * medianMs, cpuMs: medianMs, times: 100 },
    ...{ peakMb: 120, meant: 1, recall: 0.987, one: { medianMs: 4, p95Ms: 8, times: 100 } },
  },
})

const peer = (name: string, title: string, sizes: SizeFigures[]): PeerFigures => ({
  ...{ name, title, sizes, versions: [`${name} 1.0.0`], installedMb: 95 },
  ...{ searches: 'meaning and words', durable: 'flushed', how: 'as recommended' },
})

const start = (what: string, command: string, medianMs: number) => ({
  ...{ what, command, medianMs },
  ...{ leastMs: medianMs, cpuMs: medianMs },
})

const figures: Performance = {
  ...{
    date: '2026-02-07',
    version: '0.1.0',
    commit: 'abc1234',
    node: '24.0.0',
    machine: '2 cores, linux x64',
  },
  ...{ minutes: 20, processor: 'a processor', bareMb: 74, sizes: [1_000, 10_000] },
  quiet: { isQuiet: true, load: 0.2, processors: 2, waited: 1.1, looks: 5, noisyLooks: 0 },
  peers: [
    peer('ours', 'Ralph Memory', [size(1_000, 3), size(10_000, 6)]),
    peer('sqlite-vec', 'FTS5 + sqlite-vec', [size(1_000, 1.3), size(10_000, 14)]),
    peer('vectra', 'vectra', [size(1_000, 500), { documents: 10_000, stopped: 'over 150 s' }]),
  ],
  notRun: [{ title: 'claude-mem', version: 'claude-mem 13', why: 'npm finds no versions' }],
  recall: [
    {
      ...{ set: 'random', documents: 10_000 },
      found: [
        { name: 'our-index', recall: 0.8 },
        { name: 'sqlite-vec', recall: 1 },
      ],
    },
    { set: 'MiniLM', documents: 0, skipped: 'no texts', found: [] },
  ],
  append: { recordMs: 1.5, flushMs: 0.5, bytes: 529, times: 200 },
  starts: [
    start('node', 'node -e 0', 30),
    start('Ralph Memory, MCP', 'ralph mcp', 120),
    start('server-memory, MCP', 'mcp-server-memory', 165),
    start('agentmemory, MCP', 'agentmemory mcp', 90),
  ],
  upkeep: [{ documents: 1_000, importPerSecond: 4_000, rebuildPerSecond: 2_000 }],
  embedding: [
    { runtime: 'onnx', questionMs: 1.6, textsPerSecond: 300 },
    { runtime: 'wasm', questionMs: 19, textsPerSecond: 20 },
  ],
}

describe('what is written of a comparison', () => {
  it('has a row for each, what was stopped, and what was not run', () => {
    const page = performancePage(figures)
    expect(page).toContain('| **Ralph Memory** | 3.0 / 6.0 | 3.0 | 6.0 / 12 | 6.0 |')
    expect(page).toContain('| vectra | 500 / 1,000 | 500 | over 150 s |  |')
    expect(page).toContain('| claude-mem | claude-mem 13 | npm finds no versions |')
    expect(page).toContain('MiniLM: skipped, no texts.')
    expect(page).toContain('That is 3.0 × the disk')
  })

  it('says whether the machine was quiet', () => {
    expect(performancePage(figures)).toContain('The machine was quiet')
    const noisy = { ...figures, quiet: { ...figures.quiet, isQuiet: false, noisyLooks: 3 } }
    expect(performancePage(noisy)).toContain('**The machine was not quiet**')
    expect(readmeWithCosts(README, noisy)).toContain('**not** quiet')
  })

  it('says where others are better, and nowhere else', () => {
    expect(behind(figures)).toEqual([
      '1,000 documents, a search: 3.0 ms; FTS5 + sqlite-vec 1.3.',
      'First answer of a cold MCP server: 120 ms; agentmemory 90.',
      'Recall@10 of 10,000 vectors, random: its index 80.0 %; FTS5 + sqlite-vec 100 %.',
    ])
  })

  it('replaces the costs in the README, and nothing else', () => {
    const readme = readmeWithCosts(README, figures)
    expect(readme).toContain('| search in 10,000, ms | 6.0 | 14 | – | – | over 150 s | – | – |')
    expect(readme).not.toContain('| old')
    expect(readme).toMatch(/^# A product\n[\s\S]*\nThe rest\.\n$/)
    expect(readmeWithCosts(readme, figures)).toBe(readme)
    expect(() => readmeWithCosts('# A product\n', figures)).toThrow('no place for the figures')
  })

  it('draws a curve for each that has a figure, ours in the colour of the text', () => {
    const picture = growthPicture(figures)
    expect(picture.match(/<polyline[^>]*stroke-width="3"/g)).toHaveLength(4)
    expect(picture.match(/>vectra</g)).toHaveLength(4)
    expect(picture).toContain('prefers-color-scheme: dark')
    expect(picture).not.toMatch(/NaN|undefined|Infinity/)
  })

  it('is what the pages say now', () => {
    expect(outdatedPages(PERFORMANCE_PAGES)).toEqual([])
  })
})
