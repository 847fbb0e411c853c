import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

/** To be run in a page before anything of its own: see `openPage`. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: { target: string[]; failureSummary: string }[]
}

/** What an accessibility checker has to say of a page, or of its colours alone, with where. */
export async function barriers(page: Page, of: 'everything' | 'colours' = 'everything'): Promise<string[]> {
  const options = { resultTypes: ['violations'], ...(of === 'colours' && { runOnly: ['color-contrast'] }) }
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(document, ${JSON.stringify(options)})`,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}
