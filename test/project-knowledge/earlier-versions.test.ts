import type { Kysely } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MIGRATIONS } from '../../src/storage/migrations/migrations.ts'
import { deterministicUuid } from '../../src/text/ids.ts'
import { openTarget } from '../storage/open-target.ts'
import { NOW, openKnowledge, STORAGES } from './setup.ts'

const GATE = '6a1f0c5e-0000-4000-8000-000000000001'
const REJECTION = deterministicUuid('gate', GATE, 'rejection')

/** A rejection as it was kept before its task was: the gate knows the title, the entry does not. */
const gate = {
  ...{ id: GATE, project: 'shop', feature: 'orders', task_id: '7', task_title: 'Export the orders as CSV' },
  ...{ gate_type: 'review', agent_type: '', task_type: '', technology: '', approach: 'in the browser' },
  ...{ change_text: '', state: 'rejected', feedback: 'stream it from the server', decided_by: 'Ann' },
  ...{ attempt: 1, created_at: NOW, decided_at: NOW },
}
const entry = {
  ...{ id: REJECTION, entry_type: 'gate_rejection', project: 'shop', agent_type: '', task_type: '' },
  content: '{"gate_type":"review","human_feedback":"stream it from the server","revision_approach":""}',
  ...{ technology: 'React', twin_key: 't', problem_key: 'p', solution_key: 's', captured_at: NOW },
}
const embedded = { success_count: 1, helped: 0, misled: 0, embedded_at: NOW, outdated: 0 }
const staged = { verified: 1, success_count: 1, lease_owner: null, lease_until: 0 }

describe.each(STORAGES)('what an earlier version kept on %s', (_name, makeTarget) => {
  it.each([
    ['knowledge_entries', embedded],
    ['knowledge_staging', staged],
  ])('is found by its task after the next checkpoint (%s)', async (table, columns) => {
    const { target, remove } = await makeTarget()
    onTestFinished(remove)
    const old = await openTarget(target, MIGRATIONS.slice(0, 2))
    // The types describe the schema of today.
    // biome-ignore lint/suspicious/noExplicitAny: see above
    const db = old.db as unknown as Kysely<any>
    await db.insertInto('gates').values(gate).execute()
    await db
      .insertInto(table)
      .values({ ...entry, ...columns })
      .execute()
    await old.close()

    const { knowledge } = await openKnowledge(async () => ({ target, remove: async () => undefined }))
    expect(await knowledge.show(REJECTION)).toMatchObject({
      entry: { taskTitle: 'Export the orders as CSV', taskDescription: '' },
    })
    await knowledge.checkpoint('manual')
    const task = { title: 'Export the orders as CSV', technology: 'react' }
    expect(await knowledge.contextFor(task)).toContain('stream it from the server')
    expect(await knowledge.contextFor({ ...task, technology: 'vue' })).toBeUndefined()
    // A person's decision after the update goes on where the earlier version left off.
    const again = await knowledge.gates.request({
      ...{ project: 'shop', feature: 'orders', taskId: 7, taskTitle: 'Export the orders as CSV' },
      ...{ gateType: 'review', approach: 'a stream from the server' },
    })
    const { captured } = await knowledge.gates.approve(again.id)
    expect(captured).toEqual([REJECTION])
  })
})
