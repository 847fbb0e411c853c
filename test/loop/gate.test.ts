import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { rejectWork } from '../../src/loop/gate.ts'
import { openRalph, type Ralph } from '../../src/ralph.ts'
import { temporaryFolder } from '../support/temporary.ts'

async function project(): Promise<Ralph> {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'shop', '.ralph'), { recursive: true })
  const ralph = await openRalph({ project: join(folder, 'shop'), home: join(folder, 'home'), env: {} })
  onTestFinished(() => ralph.close())
  await ralph.board.addFeature({ name: 'cart' })
  await ralph.board.addTask({ feature: 'cart', title: 'Add a cart' })
  await ralph.board.patchTask(1, { status: 'done' })
  return ralph
}

const ask = ({ knowledge, config }: Ralph, more: { project?: string; taskId?: number } = {}) =>
  knowledge.gates.request({
    ...{ project: config.project, feature: 'cart', taskId: 1, gateType: 'review', approach: 'done' },
    ...more,
  })
const reject = ({ knowledge, board, identity }: Ralph, id: string) =>
  rejectWork({ gates: knowledge.gates, board, identity }, id, { feedback: 'Round up' })

describe('rejecting work', () => {
  it('makes its task pending again', async () => {
    const ralph = await project()
    const { id } = await ask(ralph)
    expect(await reject(ralph, id)).toMatchObject({ gate: { state: 'rejected' }, sentBack: true })
    expect(await ralph.board.task(1)).toMatchObject({ status: 'pending' })
  })

  it('leaves the board alone for a task that is gone, and for another project with the same number', async () => {
    const ralph = await project()
    for (const more of [{ taskId: 99 }, { project: '/elsewhere' }]) {
      const { id } = await ask(ralph, more)
      expect(await reject(ralph, id)).toMatchObject({ gate: { state: 'rejected' }, sentBack: false })
    }
    expect(await ralph.board.task(1)).toMatchObject({ status: 'done' })
  })

  it('decides nothing while the board cannot be read', async () => {
    const ralph = await project()
    const { id } = await ask(ralph)
    await writeFile(join(ralph.config.paths.database, 'tasks.yaml'), 'tasks: [')
    await expect(reject(ralph, id)).rejects.toMatchObject({ message: expect.stringContaining('tasks.yaml') })
    expect(await ralph.knowledge.gates.show(id)).toMatchObject({ state: 'waiting' })
  })
})
