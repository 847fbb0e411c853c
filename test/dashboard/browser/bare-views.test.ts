import { describe, expect, it } from 'vitest'
import { AXE, barriers } from '../../support/axe.ts'
import { noBrowser, openPage } from '../../support/browser.ts'
import { whenDrawn } from '../../support/chromium.ts'
import { dashboardWorld } from '../../support/dashboard.ts'

/** Of each list what it says while it is empty: the command that changes that. */
const EMPTY = [
  { at: '/', teaches: 'ralph feature add' },
  { at: '/search', teaches: 'ralph search' },
  { at: '/gates', teaches: 'ralph' },
  { at: '/knowledge?tab=entries', teaches: 'ralph' },
  { at: '/knowledge?tab=staged', teaches: 'ralph' },
  { at: '/conversations', teaches: 'ralph conversations import' },
  { at: '/receipts', teaches: 'ralph hooks install' },
  { at: '/effect', teaches: 'ralph config set loop.holdout 0.1' },
  { at: '/map', teaches: 'ralph loop' },
]

const UNKNOWN = [
  '/features/none',
  '/features/none/iterations/3',
  '/features/none/iterations/x',
  '/gates/none',
  '/knowledge/none',
  '/conversations/one?id=none',
  '/conversations/exchange?id=none',
  '/receipts/none',
]

describe.skipIf(noBrowser)('a project in which nothing has happened yet', () => {
  it('teaches the next command wherever there is nothing', async () => {
    const world = await dashboardWorld()
    const { page, complaints } = await openPage(world.at('/'), {}, AXE)
    for (const { at, teaches } of EMPTY) {
      await page.goto(world.at(at))
      await whenDrawn(page)
      await page.locator('.empty', { hasText: teaches }).first().waitFor()
      expect.soft(await barriers(page), at).toEqual([])
    }
    expect(complaints).toEqual([])
  })

  it('says clearly what is not there, and goes on', async () => {
    const world = await dashboardWorld()
    const { page } = await openPage(world.at('/'), {}, AXE)
    for (const at of UNKNOWN) {
      await page.goto(world.at(at))
      await whenDrawn(page)
      await page.getByRole('main').getByRole('alert').waitFor()
      expect.soft(await barriers(page), at).toEqual([])
    }
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await page.getByRole('heading', { name: 'Doctor' }).waitFor()
  })
})
