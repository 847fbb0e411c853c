import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { noBrowser, openPage } from '../../support/browser.ts'
import { type DashboardWorld, dashboardWorld } from '../../support/dashboard.ts'

describe.skipIf(noBrowser)(`pages of other sites${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  // The same site with another port, and another site: browsers treat them differently.
  it.each(['127.0.0.1', 'localhost'])('lead to a view by a link (%s)', async (host) => {
    const world = await dashboardWorld()
    const { page } = await openPage(world.at('/'))
    await page.getByRole('banner').getByText('shop', { exact: true }).waitFor()
    const view = `http://127.0.0.1:${world.port}/gates?state=decided`
    await page.goto(await siteWith(host, `<a href="${view}">look</a>`))
    await page.getByRole('link', { name: 'look' }).click()
    await page.getByRole('heading', { name: 'Gates' }).waitFor()
    expect(page.url()).toBe(view)
  })

  it.each(['127.0.0.1', 'localhost'])('let in whoever follows the printed address (%s)', async (host) => {
    const world = await dashboardWorld()
    const { page } = await openPage(await siteWith(host, `<a href="${world.at('/gates')}">look</a>`))
    await page.getByRole('link', { name: 'look' }).click()
    await page.getByRole('heading', { name: 'Gates' }).waitFor()
    expect(page.url()).not.toContain('token')
  })

  it.each(['127.0.0.1', 'localhost'])('read nothing, frame nothing and change nothing (%s)', async (host) => {
    const world = await dashboardWorld()
    const id = await waitingGate(world)
    const { page } = await openPage(world.at('/'))
    await page.getByRole('banner').getByText('shop', { exact: true }).waitFor()
    const own = `http://127.0.0.1:${world.port}`
    await page.goto(
      await siteWith(host, `<form method="post" action="${own}/api/gates/${id}/approve"></form>`),
    )
    const tried = (await page.evaluate(`(async () => {
      const fate = (promise) => promise.then((answer) => answer.type + ' ' + answer.status, () => 'refused')
      const post = { method: 'POST', credentials: 'include' }
      const frame = document.createElement('iframe')
      frame.src = '${own}/'
      document.body.append(frame)
      return {
        read: await fate(fetch('${own}/api/session', { credentials: 'include' })),
        blind: await fate(fetch('${own}/api/gates/${id}/approve', { ...post, mode: 'no-cors' })),
        asked: await fate(fetch('${own}/api/gates/${id}/approve', { ...post, headers: { 'content-type': 'application/json' } })),
        live: await new Promise((resolve) => {
          const source = new EventSource('${own}/api/live', { withCredentials: true })
          source.onerror = () => resolve('refused')
          source.onopen = () => resolve('heard')
        }),
      }
    })()`)) as Record<string, unknown>
    expect(tried).toMatchObject({ read: 'refused', asked: 'refused', live: 'refused' })
    await expect.poll(() => page.frames().at(-1)!.url()).toMatch(/^chrome-error:/)
    await page.evaluate('document.forms[0].submit()')
    await page.getByText('a page that is not ours').waitFor()
    expect(await world.ralph.knowledge.gates.show(id)).toMatchObject({ state: 'waiting' })
  })
})

async function waitingGate({ ralph, project }: DashboardWorld): Promise<string> {
  const { id } = await ralph.knowledge.gates.request({
    project,
    taskId: 1,
    gateType: 'review',
    approach: 'a form',
  })
  return id
}

/** Another server of this machine, under this name. */
async function siteWith(host: string, html: string): Promise<string> {
  const server = createServer((_, answer) => {
    answer.setHeader('content-type', 'text/html').end(`<!doctype html><title>elsewhere</title>${html}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://${host}:${(server.address() as AddressInfo).port}/`
}
