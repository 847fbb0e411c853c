import { renameSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startDashboard } from '../../../src/dashboard/serve.ts'
import { startPostgres } from '../../stand-ins/postgres.ts'
import { noBrowser, openPage } from '../../support/browser.ts'
import { dashboardWorld } from '../../support/dashboard.ts'
import { runRalph } from '../../support/ralph.ts'

describe.skipIf(noBrowser)(`the page while others write${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it('hears of it as it happens, and after it was out of sight', async () => {
    const world = await dashboardWorld()
    const { page, complaints } = await openPage(world.at('/'))
    await page.getByRole('banner').getByText('shop', { exact: true }).waitFor()
    const add = (name: string) =>
      runRalph(['feature', 'add', name, '--description', 'by another process'], {
        cwd: world.project,
        home: world.home,
      })
    expect(await add('billing')).toMatchObject({ code: 0 })
    await page.getByText('billing').first().waitFor({ timeout: 20_000 })

    await showAs(page, 'hidden')
    expect(await add('shipping')).toMatchObject({ code: 0 })
    await showAs(page, 'visible')
    await page.getByText('shipping').first().waitFor({ timeout: 20_000 })
    expect(complaints).toEqual([])
  })

  it('says so when the dashboard ends or another takes its place, and goes on when it is let in again', async () => {
    const world = await dashboardWorld()
    const { page } = await openPage(world.at('/'))
    await page.getByRole('banner').getByText('shop', { exact: true }).waitFor()
    const { port, ralph } = world
    await world.dashboard.close()
    await page.getByText('no answer: asking again').waitFor()
    const next = await startDashboard({ ralph, port, readOnly: false })
    onTestFinished(() => next.close())
    await page.getByText('not let in: open the new address').waitFor()
    const sameBrowser = await page.context().newPage()
    await sameBrowser.goto(next.address)
    await page.getByText('not let in').waitFor({ state: 'detached', timeout: 20_000 })
  })

  it('says so when the database is down, and shows what is there when it is back', async () => {
    const server = await startPostgres()
    onTestFinished(() => server.remove())
    const world = await dashboardWorld({ settings: { storage: { driver: 'postgres', url: server.url } } })
    const approach = 'a form with two fields'
    const gate = {
      project: world.project,
      taskId: 1,
      gateType: 'review',
      taskTitle: 'Build a form',
      approach,
    }
    await world.ralph.knowledge.gates.request(gate)
    const { page } = await openPage(world.at('/gates'))
    await page.getByText('Build a form').first().waitFor()
    await server.stop('immediate')
    await page.getByRole('alert').first().waitFor({ timeout: 20_000 })
    await server.start()
    await page.getByRole('alert').first().waitFor({ state: 'detached', timeout: 30_000 })
    await page.getByText('Build a form').first().waitFor()
  })

  it('says so when the project’s folder is gone, and goes on when it is back', async () => {
    const world = await dashboardWorld()
    const { page } = await openPage(world.at('/settings'))
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    renameSync(world.project, `${world.project} elsewhere`)
    await page.getByText('is not there any more').first().waitFor({ timeout: 20_000 })
    renameSync(`${world.project} elsewhere`, world.project)
    await page.getByText('is not there any more').first().waitFor({ state: 'detached', timeout: 20_000 })
  })
})

/** As a browser does with a tab that is not in front. */
async function showAs(page: Awaited<ReturnType<typeof openPage>>['page'], state: 'visible' | 'hidden') {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`)
}
