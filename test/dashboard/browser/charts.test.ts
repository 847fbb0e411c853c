import { describe, expect, it } from 'vitest'
import { noBrowser, openPage } from '../../support/browser.ts'
import { whenDrawn } from '../../support/chromium.ts'
import { storyWorld } from '../../support/dashboard.ts'

describe.skipIf(noBrowser)('charts', () => {
  const world = storyWorld()

  it('are walked through by the arrow keys, say where one is, and lead there without loading the page anew', async () => {
    const { page, complaints } = await openPage(world().at('/features/checkout'))
    await whenDrawn(page)
    const chart = page.getByRole('figure', { name: 'Outcomes over iterations' })
    // One stop for the Tab key, however many marks there are.
    expect(await chart.locator('a[tabindex="0"]').count()).toBe(1)
    await chart.locator('a[tabindex="0"]').focus()
    const inFocus = () => page.evaluate('document.activeElement.getAttribute("aria-label")')
    expect(await inFocus()).toBe('Iteration 38: partial')
    await page.keyboard.press('ArrowLeft')
    expect(await inFocus()).toBe('Iteration 37: success')
    await chart.locator('.chart-said', { hasText: 'Iteration 37: success' }).waitFor()
    await page.keyboard.press('Home')
    expect(await inFocus()).toBe('Iteration 1: failure')
    await page.evaluate('globalThis.stillHere = true')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Iteration 1' }).waitFor()
    expect(await page.evaluate('globalThis.stillHere')).toBe(true)
    expect(complaints).toEqual([])
  })

  it('are tables for those who would rather read', async () => {
    const { page } = await openPage(world().at('/features/checkout'))
    await whenDrawn(page)
    const chart = page.getByRole('figure', { name: 'Outcomes over iterations' })
    await chart.getByText('As a table').click()
    await chart.getByRole('row', { name: '37 success' }).waitFor()
    expect(await chart.getByRole('row').count()).toBe(39)
  })

  it('are drawn for the room they have, with text of the same size', async () => {
    const { page } = await openPage(world().at('/'))
    await whenDrawn(page)
    const height = async () => (await page.locator('.chart-text').first().boundingBox())!.height
    const before = await height()
    await page.setViewportSize({ width: 360, height: 800 })
    await expect
      .poll(async () => (await page.locator('svg.chart-picture').first().boundingBox())!.width)
      .toBeLessThan(360)
    await expect.poll(height).toBeCloseTo(before, 0)
  })
})
