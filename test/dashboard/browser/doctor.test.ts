import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { noBrowser, openPage } from '../../support/browser.ts'
import { dashboardWorld } from '../../support/dashboard.ts'

describe.skipIf(noBrowser)('the doctor', () => {
  it('looks at one thing after the other, and mends what can be mended', async () => {
    const { at, project } = await dashboardWorld()
    writeFileSync(join(project, '.ralph', 'db', 'features.yaml'), 'features: []\n')
    const { page, complaints } = await openPage(at('/doctor'))
    await page.getByText('that could be better').waitFor()
    const row = page.getByRole('listitem').filter({ hasText: '.ralph/db lacks tasks.yaml' })
    await row.getByText('Features and tasks have no place').waitFor()
    await row.getByRole('button', { name: 'Mend' }).click()
    await page.getByText('Mended: made').waitFor()
    expect(existsSync(join(project, '.ralph', 'db', 'tasks.yaml'))).toBe(true)
    expect(readFileSync(join(project, '.ralph', '.gitignore'), 'utf8')).toContain('cache/')
    await page.getByRole('button', { name: 'Look again' }).click()
    await page.getByText('All is well.').waitFor()
    expect(complaints).toEqual([])
  })

  it('says what is broken and what to do, as text', async () => {
    const { at, ralph } = await dashboardWorld({ readOnly: true })
    writeFileSync(
      join(ralph.config.paths.database, 'tasks.yaml'),
      'tasks:\n  - id: 1\n    title: <img src=x onerror=alert(1)>\n    status: <b>odd</b>\n',
    )
    const { page, complaints } = await openPage(at('/doctor'))
    const board = page.getByRole('listitem').filter({ hasText: 'Correct it in an editor' })
    await board.getByText('✗ problem').waitFor()
    await page.getByText('1 problem,').waitFor()
    expect(await page.getByRole('button', { name: 'Mend' }).count()).toBe(0)
    expect(await page.locator('main img, main b').count()).toBe(0)
    expect(complaints).toEqual([])
  })
})
