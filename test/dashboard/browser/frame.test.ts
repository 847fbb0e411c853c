import { describe, expect, it } from 'vitest'
import { noBrowser, openPage } from '../../support/browser.ts'
import { dashboardWorld } from '../../support/dashboard.ts'

describe.skipIf(noBrowser)(`the page's frame${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('shows the project, and takes the token out of the address', async () => {
    const world = await dashboardWorld()
    const { page, complaints, elsewhere } = await openPage(world.at('/'))
    await page.getByRole('banner').getByText('shop', { exact: true }).waitFor()
    expect(page.url()).not.toContain('token')
    expect(elsewhere).toEqual([])
    expect(complaints).toEqual([])
  })

  it('teaches the keyboard', async () => {
    const world = await dashboardWorld()
    const { page } = await openPage(world.at('/nowhere'))
    await page.getByText('There is nothing at this address').waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('overview').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    await page.waitForURL((url) => url.pathname === '/')
  })
})
