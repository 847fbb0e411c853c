import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openedApi } from '../../support/dashboard-api.ts'
import { newIteration } from '../../support/records.ts'

describe('a search of the page', () => {
  it('answers with where each memory is, why it was found, and what may be missing', async () => {
    const { ralph, ask } = await openedApi()
    await ralph.featureMemory.recordIteration(newIteration({ summary: 'The session cookie was lost' }))
    const { status, body } = await ask('/search?query=lost%20session%20cookie')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      items: [
        {
          address: { kind: 'iteration', feature: 'authentication', iterationNumber: 1 },
          outcome: 'failure',
          matched: ['words'],
          passage: { words: ['session', 'cookie', 'lost'] },
        },
      ],
    })
    expect(await ask('/search/features')).toMatchObject({ body: { features: ['authentication'] } })
  })

  it.each([
    '/search',
    '/search?query=%20',
    '/search?query=a&kind=secrets',
    '/search?query=a&outcome=great',
    '/search?query=a&since=yesterday',
    '/search?query=a&limit=0',
    `/search?query=${'a'.repeat(4_001)}`,
  ])('refuses %s', async (path) => {
    const { ask } = await openedApi()
    const { status, body } = await ask(path)
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: { code: 'invalid_input', message: expect.any(String) } })
  })

  it('knows no feature but those that there are', async () => {
    const { ask, project } = await openedApi()
    expect(await ask('/search?query=a&feature=..%2F..%2Fetc')).toMatchObject({ status: 404 })
    expect(existsSync(join(project, '.ralph', 'db', 'memory'))).toBe(false)
  })

  it('takes a filter once or several times', async () => {
    const { ralph, ask } = await openedApi()
    for (const outcome of ['success', 'failure', 'partial'] as const)
      await ralph.featureMemory.recordIteration(newIteration({ summary: 'cookie', outcome }))
    const found = async (path: string) => (await ask<{ items: unknown[] }>(path)).body.items.length
    expect(await found('/search?query=cookie&outcome=success&outcome=partial')).toBe(2)
    expect(await found('/search?query=cookie&outcome=success')).toBe(1)
    expect(await found('/search?query=cookie&kind=learning&kind=pattern')).toBe(0)
  })
})

it('shows the agent of a run nothing of project knowledge', async () => {
  const { ralph, ask } = await openedApi({ RALPH_LOOP_RUN: 'run-1', RALPH_EMBEDDER: 'local' })
  await ralph.knowledge.capture({
    kind: 'failure_solution',
    project: ralph.config.project,
    failureDescription: 'the session cookie times out',
    solutionSteps: 'wait for it',
  })
  await ralph.knowledge.checkpoint('manual')
  expect(await ask('/search?query=session%20cookie%20times%20out')).toMatchObject({ body: { items: [] } })
  expect(await ask('/map')).toMatchObject({ body: { points: [], memories: 1 } })
})

describe('receipts of the page', () => {
  it('come page by page, one in full, and added up', async () => {
    const { ralph, ask } = await openedApi()
    const items = [{ kind: 'learning', source: 'learning 1', why: 'reviewed', text: 'use argon2' }]
    for (let at = 0; at < 60; at++)
      ralph.receipts.append({
        surface: 'hook',
        event: 'PreToolUse',
        run: `run-${at}`,
        feature: 'auth',
        items,
      })
    ralph.receipts.ended({ run: 'run-59', outcome: 'success', iterationNumber: 7, used: ['learning 1'] })
    const { body: first } = await ask<{ items: { id: string }[]; next: string }>('/receipts')
    expect(first.items).toHaveLength(50)
    expect(first.items[0]).toMatchObject({ told: 1, used: 1, outcome: 'success', iterationNumber: 7 })
    expect(first.items[0]).not.toHaveProperty('items')
    const { body: rest } = await ask<{ items: unknown[]; next?: string }>(`/receipts?after=${first.next}`)
    expect(rest.items).toHaveLength(10)
    expect(rest.next).toBeUndefined()
    expect(await ask(`/receipts/${first.items[0]!.id}`)).toMatchObject({
      body: { items: [{ text: 'use argon2' }], ending: { iterationNumber: 7 } },
    })
    expect(await ask('/receipts/totals?surface=hook')).toMatchObject({
      body: { receipts: 60, told: 60, used: 1, judged: 1 },
    })
  })

  it('say what is wrong with a question about them', async () => {
    const { ask } = await openedApi()
    expect(await ask('/receipts?surface=nowhere')).toMatchObject({ status: 400 })
    expect(await ask('/receipts?after=gone')).toMatchObject({ status: 404 })
    expect(await ask('/receipts/none')).toMatchObject({
      status: 404,
      body: { error: { message: 'there is no receipt "none"' } },
    })
    expect(await ask('/receipts')).toMatchObject({ body: { items: [], damagedLines: 0 } })
  })
})

describe('the map of the page', () => {
  it('is there without vectors, and says that there are memories', async () => {
    const { ralph, ask } = await openedApi()
    await ralph.featureMemory.recordIteration(newIteration())
    expect(await ask('/map')).toEqual({
      status: 200,
      body: { points: [], memories: 1, otherModel: 0, behind: [] },
    })
  })

  it('keeps places on the disk, and makes new ones when a person wants them', async () => {
    const { ralph, ask, project } = await openedApi({ RALPH_EMBEDDER: 'local' })
    for (const summary of [
      'The session cookie was lost',
      'Invoices come out as PDF',
      'A cookie of a session',
    ])
      await ralph.featureMemory.recordIteration(newIteration({ summary }))
    await ralph.featureMemory.catchUp('authentication')
    const { body } = await ask<{ points: { id: string; x: number }[] }>('/map')
    expect(body.points).toHaveLength(3)
    const file = join(project, '.ralph', 'cache', 'memory-map.json')
    const { positions } = JSON.parse(readFileSync(file, 'utf8'))
    for (const { id, x } of body.points) expect(positions[id][0]).toBe(x)
    expect(await ask('/map/rearrange', 'POST')).toMatchObject({ status: 200, body: { memories: 3 } })
    expect(existsSync(file)).toBe(true)
  })
})
