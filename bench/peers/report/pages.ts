import { readFileSync, writeFileSync } from 'node:fs'
import { fromRoot, type MeasuredPage } from '../../../scripts/measured/measured-page.ts'
import type { Performance } from './figures.ts'
import { growthPicture } from './growth-picture.ts'
import { performancePage } from './performance-page.ts'
import { readmeWithCosts } from './readme-costs.ts'

const KEPT = fromRoot('docs/performance.json')

export const PERFORMANCE_PAGES: readonly MeasuredPage[] = [
  { path: 'docs/performance.md', made: () => performancePage(keptPerformance()) },
  { path: 'docs/pictures/growth.svg', made: () => growthPicture(keptPerformance()) },
  { path: 'README.md', made: (readme) => readmeWithCosts(readme, keptPerformance()) },
]

export function keepPerformance(performance: Performance): void {
  // More digits than anybody reads would only make every run a change.
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(4)) : value
  writeFileSync(KEPT, `${JSON.stringify(performance, rounded, 2)}\n`)
}

export function keptPerformance(): Performance {
  return JSON.parse(readFileSync(KEPT, 'utf8')) as Performance
}
