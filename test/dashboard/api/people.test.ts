import { describe, expect, it } from 'vitest'
import { openedApi } from '../../support/dashboard-api.ts'

const work = { feature: 'cart', taskId: 1, taskTitle: 'Add a cart', gateType: 'review', approach: 'done' }
const solution = {
  kind: 'failure_solution' as const,
  failureDescription: 'the migration times out',
  solutionSteps: 'create the index concurrently',
}

describe('gates', () => {
  it('are those of this project: of no other one can be seen or decided, not even by its id', async () => {
    const { ralph, ask, project } = await openedApi()
    const mine = await ralph.knowledge.gates.request({ ...work, project })
    const other = await ralph.knowledge.gates.request({ ...work, project: '/elsewhere/bank' })
    expect(await ask('/gates?state=waiting')).toMatchObject({
      body: { items: [{ id: mine.id }], waiting: 1 },
    })
    expect(await ask(`/gates/${other.id}`)).toMatchObject({ status: 404 })
    expect(await ask(`/gates/${other.id}/approve`, 'POST')).toMatchObject({ status: 404 })
    expect(await ask(`/gates/${other.id}/reject`, 'POST', { feedback: 'no' })).toMatchObject({ status: 404 })
    expect(await ralph.knowledge.gates.show(other.id)).toMatchObject({ state: 'waiting' })
  })

  it('are rejected with words only, once, and kept as decided on the page', async () => {
    const { ralph, ask, project } = await openedApi()
    await ralph.board.addFeature({ name: 'cart' })
    await ralph.board.addTask({ feature: 'cart', title: 'Add a cart', status: 'done' })
    const { id } = await ralph.knowledge.gates.request({ ...work, project })
    for (const body of [{}, { feedback: ' \n ' }, { feedback: 7 }]) {
      expect(await ask(`/gates/${id}/reject`, 'POST', body)).toMatchObject({ status: 400 })
    }
    expect(await ask(`/gates/${id}/reject`, 'POST', { feedback: 'Round up' })).toMatchObject({
      body: { sentBack: true },
    })
    expect(await ralph.board.task(1)).toMatchObject({ status: 'pending' })
    expect(await ask(`/gates/${id}`)).toMatchObject({
      body: { decision: expect.stringMatching(/^rejected by .+, on the dashboard, /) },
    })
    expect(await ask(`/gates/${id}/approve`, 'POST')).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('already rejected') } },
    })
    const again = await ralph.knowledge.gates.request({ ...work, project })
    expect(await ask(`/gates/${again.id}`)).toMatchObject({ body: { earlier: [{ feedback: 'Round up' }] } })
  })

  it('are decided by people: a page that an agent has started decides nothing', async () => {
    const { ralph, ask, project } = await openedApi({ RALPH_LOOP_RUN: 'run-1' })
    const { id } = await ralph.knowledge.gates.request({ ...work, project })
    expect(await ask(`/gates/${id}/approve`, 'POST')).toMatchObject({ status: 400 })
    expect(await ask('/knowledge/entries')).toMatchObject({ status: 400 })
    expect(await ralph.knowledge.gates.show(id)).toMatchObject({ state: 'waiting' })
  })
})

describe('knowledge', () => {
  it('is listed page by page, by kind and by project, verified and forgotten', async () => {
    const { ralph, ask, project } = await openedApi()
    const { id } = await ralph.knowledge.capture({ ...solution, project, successVerified: false })
    await ralph.knowledge.capture({ ...solution, project: '/elsewhere', failureDescription: 'another' })
    expect(await ask('/knowledge/staged?from=here')).toMatchObject({
      body: { items: [{ id, verified: false }] },
    })
    expect(await ask('/knowledge/staged?kind=gate_approval')).toMatchObject({ body: { items: [] } })
    expect(await ask('/knowledge/staged?kind=gossip')).toMatchObject({ status: 400 })
    expect(await ask('/knowledge/staged?after=nowhere')).toMatchObject({ status: 400 })
    await ask(`/knowledge/entries/${id}/verify`, 'POST')
    expect(await ask(`/knowledge/entries/${id}`)).toMatchObject({
      body: { state: 'staged', entry: { verified: true } },
    })
    expect(await ask(`/knowledge/entries/${id}`, 'DELETE')).toMatchObject({ body: { forgotten: id } })
    expect(await ask(`/knowledge/entries/${id}`)).toMatchObject({ status: 404 })
    expect(await ask('/knowledge')).toMatchObject({ body: { entries: 0, staged: { waiting: 1 } } })
  })

  it('says what went wrong where a checkpoint stops, and asks for a question', async () => {
    const { ralph, ask, project } = await openedApi()
    await ralph.knowledge.capture({ ...solution, project })
    const checkpoint = await ask<{ stopped?: { message: string; hint?: string } }>(
      '/knowledge/checkpoint',
      'POST',
    )
    expect(checkpoint).toMatchObject({ status: 200, body: { stopped: { message: expect.any(String) } } })
    expect(await ask('/knowledge/patterns?question=%20')).toMatchObject({ status: 400 })
  })
})

describe('conversations', () => {
  it('are read whatever their ids are, tagged, voted for and forgotten', async () => {
    const { ralph, ask } = await openedApi()
    for (const conversationId of ['..', 'a/b?c=d#e', 'plain'])
      await ralph.conversations.record({ conversationId, userMessage: 'why', assistantMessage: 'because' })
    for (const id of ['..', 'a/b?c=d#e']) {
      const query = new URLSearchParams({ id })
      expect(await ask(`/conversations/conversation?${query}`)).toMatchObject({
        body: { conversation: { id }, exchanges: [{ userMessage: 'why' }] },
      })
      expect(await ask('/conversations/tags', 'POST', { id, tag: ' Api Work ' })).toMatchObject({
        body: { tags: ['api-work'] },
      })
      expect(await ask('/conversations/votes', 'POST', { id, vote: 'down' })).toMatchObject({
        body: { votes: -1 },
      })
    }
    expect(await ask('/conversations?tag=api-work')).toMatchObject({ body: { items: [{}, {}] } })
    await ask(`/conversations/tags?${new URLSearchParams({ id: '..', tag: 'api-work' })}`, 'DELETE')
    expect(await ralph.conversations.tags.of('..')).toEqual([])
    await ask(`/conversations/conversation?${new URLSearchParams({ id: '..' })}`, 'DELETE')
    expect(await ask('/conversations/about')).toMatchObject({ body: { counts: { conversations: 2 } } })
    expect(await ask('/conversations/conversation?id=..')).toMatchObject({ status: 404 })
    for (const wrong of [
      '/conversations/conversation',
      '/conversations/exchange?id=',
      '/conversations/search',
    ])
      expect(await ask(wrong)).toMatchObject({ status: 400 })
    expect(await ask('/conversations/votes', 'POST', { id: 'plain', vote: 'twice' })).toMatchObject({
      status: 400,
    })
  })
})

describe('workers', () => {
  it('are switched, and tell how they stand', async () => {
    const { ask } = await openedApi()
    expect(await ask('/workers/switch', 'POST', { worker: 'embedding', on: false })).toMatchObject({
      status: 200,
    })
    const { body } = await ask<{ workers: { worker: string; enabled: boolean }[] }>('/workers')
    expect(body.workers.map(({ worker, enabled }) => [worker, enabled])).toEqual([
      ['conversation', true],
      ['exchange', true],
      ['embedding', false],
    ])
    expect(await ask('/workers/queue')).toMatchObject({ body: { items: [] } })
    expect(await ask('/workers/retry', 'POST', {})).toMatchObject({ body: { retried: 0 } })
    expect(await ask('/workers/clear', 'POST')).toMatchObject({ body: { cleared: 0 } })
    expect(await ask('/workers/switch', 'POST', { worker: 'gardener', on: true })).toMatchObject({
      status: 400,
    })
  })
})
