import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runRalph } from '../support/ralph.ts'
import { temporaryFolder } from '../support/temporary.ts'

const demo = fileURLToPath(new URL('../../demo', import.meta.url))

async function finishedTask() {
  const folder = await temporaryFolder()
  const cwd = join(folder, 'shop')
  await cp(join(demo, 'project'), cwd, { recursive: true })
  await writeFile(join(cwd, '.ralph', 'rag_config.json'), JSON.stringify({ loop: { gate: 'review' } }))
  const ralph = (...args: string[]) => runRalph(args, { cwd, home: join(folder, 'home') })
  const agent = `"${process.execPath}" "${join(demo, 'agent.js')}"`
  const work = () => ralph('loop', '--agent', agent, '--task', '2', '--max-iterations', '3')
  expect(await work()).toMatchObject({ code: 0 })
  const waiting = async () =>
    (await ralph('gate', '--json')).json as { gates: { id: string; task_id: string; attempt: number }[] }
  const inRun = (...args: string[]) =>
    runRalph(args, { cwd, home: join(folder, 'home'), env: { RALPH_LOOP_RUN: 'run-1' } })
  return { ralph, work, waiting, inRun }
}

describe('gates in the loop', { timeout: 120_000 }, () => {
  it('sends rejected work back with the feedback in its next prompt, and asks again', async () => {
    const { ralph, work, waiting } = await finishedTask()
    const { gates } = await waiting()
    expect(gates).toMatchObject([{ task_id: '2', attempt: 1 }])
    const id = gates[0]!.id
    expect(await ralph('gate', 'reject', id)).toMatchObject({ code: 2 })
    expect(await ralph('gate', 'reject', id, '--feedback', 'Explain the rounding')).toMatchObject({ code: 0 })
    expect((await ralph('task', 'show', '2', '--json')).stdout).toContain('"pending"')
    expect((await ralph('prompt', '2')).stdout).toContain('Explain the rounding')
    expect((await ralph('knowledge', 'list', '--staged', '--json')).json).toMatchObject({
      entries: expect.arrayContaining([expect.objectContaining({ kind: 'gate_rejection' })]),
    })
    await work()
    expect((await waiting()).gates).toMatchObject([{ task_id: '2', attempt: 2 }])
  })

  it('are decided by people: an agent in a run is refused, and nothing is decided', async () => {
    const { ralph, waiting, inRun } = await finishedTask()
    const [gate] = (await waiting()).gates
    for (const decision of [['approve'], ['reject', '--feedback', 'Fine as it is']]) {
      const refused = await inRun('gate', decision[0]!, gate!.id, ...decision.slice(1))
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('that is for a person') })
    }
    expect((await waiting()).gates).toMatchObject([{ id: gate!.id }])
    expect(await ralph('gate', 'approve', gate!.id)).toMatchObject({ code: 0 })
  })

  it('keeps a first-attempt approval as a model for others', async () => {
    const { ralph, waiting } = await finishedTask()
    const [gate] = (await waiting()).gates
    expect(await ralph('gate', 'approve', gate!.id.slice(0, 8))).toMatchObject({ code: 0 })
    expect((await waiting()).gates).toEqual([])
    expect((await ralph('knowledge', 'list', '--staged', '--json')).json).toMatchObject({
      entries: expect.arrayContaining([
        expect.objectContaining({ kind: 'gate_approval', gate_type: 'review' }),
      ]),
    })
    expect(await ralph('gate', 'approve', 'ffffffff')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('→'),
    })
  })
})
