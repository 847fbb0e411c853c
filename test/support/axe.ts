import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

/** To be run in a page before anything of its own: see `openPage`. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Contrast is another in each theme, all else at each width: neither need be asked for both. */
const RULES = {
  structure: { rules: { 'color-contrast': { enabled: false } } },
  contrast: { runOnly: ['color-contrast'] },
  everything: {},
} as const

interface Violation {
  id: string
  nodes: { target: string[]; failureSummary: string }[]
}

/** What an accessibility checker has to say of a page, with where. */
export async function barriers(page: Page, asked: keyof typeof RULES = 'everything'): Promise<string[]> {
  const options = JSON.stringify({ ...RULES[asked], resultTypes: ['violations'] })
  const { violations } = await page.evaluate<{ violations: Violation[] }>(`axe.run(document, ${options})`)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}
