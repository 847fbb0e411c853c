import { describe, expect, it } from 'vitest'
import { noBrowser, openPage } from '../../support/browser.ts'
import { dashboardWorld, storyWorld } from '../../support/dashboard.ts'

const ATTACK = '<img src=x onerror=alert(1)> \u202Eevil'

describe.skipIf(noBrowser)(`receipts${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  const story = storyWorld()

  it('tell what was told, what was used and how it ended, and lead to each of them', async () => {
    const { page, complaints } = await openPage(story().at('/receipts'))
    const rows = page.getByRole('list', { name: 'Receipts, the newest first' }).locator('.row')
    await rows.first().waitFor()
    await page
      .getByRole('row', { name: /^learning/ })
      .getByText(/\d+ of \d+/)
      .waitFor()
    await rows
      .filter({ hasText: /used [1-9]/ })
      .first()
      .click()
    await page.waitForURL((url) => /^\/receipts\/[\w-]+$/.test(url.pathname))
    await page.getByRole('heading', { name: 'Told by the loop: prompt' }).waitFor()
    await page.getByText('✓ used').first().waitFor()
    expect(await page.locator('main a[href^="/features/checkout/iterations/"]').count()).toBeGreaterThan(0)
    expect(complaints).toEqual([])
  })

  it('keep their filters in the address', async () => {
    const { page } = await openPage(story().at('/receipts?surface=loop'))
    const rows = page.getByRole('list', { name: 'Receipts, the newest first' }).locator('.row')
    await rows.first().waitFor()
    await page.getByLabel('Told by').selectOption('hook')
    await page.waitForURL((url) => url.searchParams.get('surface') === 'hook')
    await page.getByText('No receipt fits these filters').waitFor()
    await page.goBack()
    await rows.first().waitFor()
    expect(await page.getByLabel('Told by').inputValue()).toBe('loop')
  })

  it('teach how to get some, and show one as soon as another process leaves it', async () => {
    const { at, another } = await dashboardWorld()
    const { page, complaints } = await openPage(at('/receipts'))
    await page.getByText('No receipts yet').waitFor()
    await page.getByText('ralph hooks install').waitFor()
    const other = await another()
    const items = [{ kind: ATTACK, source: ATTACK, why: ATTACK, text: ATTACK }]
    const told = { surface: 'hook', event: ATTACK, run: ATTACK, feature: ATTACK, items } as const
    other.receipts.append({ ...told, text: ATTACK, leftOut: [ATTACK] })
    const row = page.getByRole('list', { name: 'Receipts, the newest first' }).locator('.row')
    await row.getByText('still open').waitFor()
    other.receipts.ended({ run: ATTACK, outcome: ATTACK, remark: ATTACK, used: [ATTACK] })
    await row.getByText('used 1 of 1').waitFor()
    await row.click()
    await page.getByText('Left out').waitFor()
    expect(await page.locator('main').innerText()).toContain('<img src=x onerror=alert(1)>')
    expect(await page.locator('main img').count()).toBe(0)
    expect(await page.locator('main').getByText('U+202E').count()).toBeGreaterThan(0)
    expect(complaints).toEqual([])
  })

  it('come in pages, and say when one is gone', async () => {
    const { ralph, at } = await dashboardWorld()
    for (let run = 0; run < 60; run++)
      ralph.receipts.append({ surface: 'mcp', event: 'search_feature_memory', run: `run-${run}`, items: [] })
    const { page } = await openPage(at('/receipts'))
    const rows = page.getByRole('list', { name: 'Receipts, the newest first' }).locator('.row')
    await rows.nth(49).waitFor()
    expect(await rows.count()).toBe(50)
    await page.getByRole('button', { name: 'More' }).click()
    await rows.nth(59).waitFor()
    expect(await page.getByRole('button', { name: 'More' }).count()).toBe(0)
    await page.goto(at('/receipts/none'))
    await page.getByRole('alert').getByText('there is no receipt "none"').waitFor()
  })
})
