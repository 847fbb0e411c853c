import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { tellStory } from '../../../src/demo/tell-story.ts'
import { noBrowser, openPage } from '../../support/browser.ts'
import { whenDrawn } from '../../support/chromium.ts'
import { dashboardWorld } from '../../support/dashboard.ts'

const MOST_ROWS = 30

/** Moves by `j` until the row in focus says this. */
async function walkTo(page: Page, words: string): Promise<void> {
  for (let row = 0; row < MOST_ROWS; row++) {
    await page.keyboard.press('j')
    const here = await page.evaluate<string>('document.activeElement.textContent')
    if (here.includes(words)) return
  }
  throw new Error(`no row says ${JSON.stringify(words)}`)
}

async function goTo(page: Page, key: string, path: string): Promise<void> {
  await page.keyboard.press('g')
  await page.keyboard.press(key)
  await page.waitForURL((url) => url.pathname === path)
  await whenDrawn(page)
}

describe.skipIf(noBrowser)('a day of reviewing', () => {
  it('is done by the keyboard alone: a gate, a contradiction, three learnings', async () => {
    const world = await dashboardWorld()
    await tellStory(world.ralph)
    const { page, complaints } = await openPage(world.at('/'))
    await page.getByText('Discount codes').first().waitFor()

    // The gate, from what waits.
    await walkTo(page, 'Discount codes')
    await page.keyboard.press('Enter')
    await page.getByText('GRACE_MS').first().waitFor()
    await page.keyboard.press('a')
    await page.getByText('Approve this work?').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Decide' }).waitFor({ state: 'detached' })
    const knowledge = await (await world.another()).openKnowledge()
    expect((await knowledge.gates.waiting()).map(({ taskTitle }) => taskTitle)).toEqual(['Cancel an order'])

    // The contradiction.
    await goTo(page, 'o', '/')
    await walkTo(page, 'whole cents')
    await page.keyboard.press('Enter')
    await page.getByText('Say the opposite of each other').waitFor()
    const kept = (await world.ralph.learnings.list('checkout')).filter((one) => one.conflictsWith.length > 0)
    expect(kept).toHaveLength(2)
    await walkTo(page, 'Suppliers send prices')
    await page.keyboard.press('2')
    await page.getByRole('button', { name: 'Yes' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Say the opposite of each other').waitFor({ state: 'detached' })

    // Three learnings.
    for (const words of ['idempotency key', 'Break pages', 'bookkeeping']) {
      await walkTo(page, words)
      await page.keyboard.press('a')
      await page.locator('li', { hasText: words }).getByText('not reviewed').waitFor({ state: 'detached' })
    }

    const left = await (await world.another()).learnings.list('checkout')
    expect(left.filter(({ text }) => text.includes('whole cents'))).toHaveLength(1)
    expect(left.filter(({ reviewed }) => reviewed).length).toBeGreaterThanOrEqual(3)
    expect(complaints).toEqual([])
  })
})
