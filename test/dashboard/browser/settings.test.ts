import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { noBrowser, openPage } from '../../support/browser.ts'
import { dashboardWorld } from '../../support/dashboard.ts'

const ATTACK = '<img src=x onerror=alert(1)>\u202Egnp.exe'
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

async function opened(path = '/settings', options: Parameters<typeof dashboardWorld>[0] = {}) {
  const world = await dashboardWorld(options)
  const files = {
    user: join(world.home, 'config.json'),
    project: join(world.project, '.ralph', 'rag_config.json'),
  }
  return { ...world, files, ...(await openPage(world.at(path))) }
}

describe.skipIf(noBrowser)('settings', () => {
  it('are changed by keyboard alone, in the file that one chooses', async () => {
    const { page, files, complaints } = await opened()
    const row = page.getByRole('button', { name: /^search\.limit/ })
    await row.focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('New value').and(page.locator(':focus')).waitFor()
    expect(new URL(page.url()).searchParams.get('edit')).toBe('search.limit')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('7')
    await page.keyboard.press('Enter')
    await row.getByText('you').waitFor()
    expect(json(files.user)).toEqual({ search: { limit: 7 } })
    await row.getByText('after a restart').waitFor()
    await page.locator('.setting-row:focus', { hasText: 'search.limit' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByLabel('New value').fill('0.6')
    await page.getByLabel('for everybody in this project').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: /^search\.min_score.*0\.6.*project/ }).waitFor()
    expect(json(files.project)).toEqual({ search: { min_score: 0.6 } })
    expect(complaints).toEqual([])
  })

  it('say at the field what is wrong, and write nothing', async () => {
    const { page, files } = await opened('/settings?edit=search.limit')
    const field = page.getByLabel('New value')
    await field.fill('many')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('search.limit must be a whole number from 1 to 1000').waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(existsSync(files.user)).toBe(false)
    await field.fill('8')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => existsSync(files.user)).toBe(true)
  })

  it('are taken out again, and follow changes from elsewhere', async () => {
    const { page, files } = await opened('/settings?show=set')
    await page.getByText('Show all settings').waitFor()
    writeFileSync(files.user, '{ "loop": { "gate": "review" }, "hooks": { "repeat": "tell" } }')
    await page.getByRole('button', { name: /^loop\.gate.*review/ }).click()
    await page.getByRole('button', { name: 'Take it out' }).click()
    await page.getByRole('button', { name: /^loop\.gate/ }).waitFor({ state: 'detached' })
    expect(json(files.user)).toEqual({ hooks: { repeat: 'tell' } })
  })

  it('show what waits for trust, exactly and as text, and no secret', async () => {
    const { page, files, complaints } = await opened('/settings')
    writeFileSync(files.user, '{ "embedder": { "api_key": "very-secret-1" } }')
    writeFileSync(
      files.project,
      JSON.stringify({ loop: { agent: [ATTACK], gate: ATTACK }, embedder: { provider: 'openai' } }),
    )
    const held = page.getByRole('region', { name: 'Waits for trust' })
    await held.getByText('<img src=x onerror=alert(1)>').waitFor()
    await held.getByText('provider = "openai"').waitFor()
    await page.getByRole('button', { name: /^loop\.gate.*<img/ }).waitFor()
    await page.getByRole('button', { name: /^embedder\.api_key.*not shown/ }).click()
    expect(await page.getByLabel('New value').inputValue()).toBe('')
    expect(await page.content()).not.toContain('very-secret')
    expect(await page.locator('main img').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('tell of a broken file, and cannot be changed where one only looks', async () => {
    const { page, files } = await opened('/settings?edit=search.limit', { readOnly: true })
    await page.getByText('This dashboard was started to look only.').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    writeFileSync(files.project, '{ "search": ')
    await page.getByRole('alert').getByText('is not a JSON object').waitFor()
  })
})
