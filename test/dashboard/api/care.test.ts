import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openedApi } from '../../support/dashboard-api.ts'
import { newIteration } from '../../support/records.ts'

interface Features {
  items: { name: string }[]
  next?: string
}

it('gives features page by page', async () => {
  const { ralph, ask } = await openedApi()
  for (const feature of ['cart', 'login', 'search'])
    await ralph.featureMemory.recordIteration(newIteration({ feature }))
  await ralph.overview.work()
  const { body: first } = await ask<Features>('/overview/work?limit=2')
  expect(first).toMatchObject({ featureCount: 3, iterations: 3, counting: 0, next: '2' })
  const { body: second } = await ask<Features>(`/overview/work?limit=2&after=${first.next}`)
  expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(['cart', 'login', 'search'])
  expect(second.next).toBeUndefined()
  expect(await ask('/overview/work?limit=0')).toMatchObject({ status: 400 })
})

it('says what waits, what was told, and whether memory can be searched', async () => {
  const { ralph, ask } = await openedApi()
  await ralph.board.addTask({ title: 'Lost', feature: 'nowhere' })
  expect(await ask('/overview/waiting')).toMatchObject({ body: { count: 1, items: [{ kind: 'board' }] } })
  expect(await ask('/overview/told')).toMatchObject({ body: { told: 0 } })
  expect(await ask('/overview/health')).toMatchObject({
    body: { badge: { active: false, label: 'RAG off', hint: expect.any(String) }, storage: { ok: true } },
  })
})

it('changes a setting in the file it is told, and says what is wrong with a value', async () => {
  const { ask, home, project } = await openedApi()
  const set = (key: string, value: string, place: string) =>
    ask(`/settings/${key}`, 'PUT', { value, in: place })
  expect(await set('search.limit', '7', 'user')).toMatchObject({ body: { changed: true } })
  expect(JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))).toEqual({ search: { limit: 7 } })
  expect(await set('search.limit', '0', 'project')).toMatchObject({
    status: 400,
    body: { error: { message: 'search.limit must be a whole number from 1 to 1000' } },
  })
  expect(existsSync(join(project, '.ralph', 'rag_config.json'))).toBe(false)
  expect(await set('search.limit', '7', 'elsewhere')).toMatchObject({ status: 400 })
  expect(await set('no.such', '7', 'user')).toMatchObject({ status: 400 })
  expect(await ask('/settings/search.limit?in=user', 'DELETE')).toMatchObject({ body: { changed: true } })
  expect(JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))).toEqual({})
})

it('examines one thing at a time, and mends it', async () => {
  const { ask, project } = await openedApi()
  const { body } = await ask<{ checks: string[] }>('/doctor')
  expect(body.checks).toContain('project')
  writeFileSync(join(project, '.ralph', 'db', 'features.yaml'), 'features: []\n')
  expect(await ask('/doctor/project')).toMatchObject({ body: { level: 'warning', mendable: true } })
  expect(await ask('/doctor/project/mend', 'POST')).toMatchObject({ body: { level: 'ok' } })
  expect(existsSync(join(project, '.ralph', 'db', 'tasks.yaml'))).toBe(true)
  writeFileSync(join(project, '.ralph', 'db', 'tasks.yaml'), 'tasks: [')
  expect(await ask('/doctor/board')).toMatchObject({ body: { level: 'problem' } })
  expect(await ask('/doctor/nothing')).toMatchObject({ status: 404 })
})
