import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { snakeKeys } from '../../src/text/case.ts'
import { countOf } from '../search-index/documents.ts'
import { failures, type Opened, openKnowledge, STORAGES } from './setup.ts'

function startCheckpoint({ target, indexPath }: Opened) {
  const script = join(import.meta.dirname, 'checkpoint-process.ts')
  return spawn(process.execPath, [script, JSON.stringify(target), indexPath], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

describe.each(STORAGES)('a checkpoint that is killed, on %s', (_name, makeTarget) => {
  it('leaves whole batches, and the next one finishes at once what is left', async () => {
    const opened = await openKnowledge(makeTarget)
    const lines = failures(400).map((entry) => JSON.stringify(snakeKeys(entry)))
    await opened.knowledge.importJsonl(lines)
    const child = startCheckpoint(opened)
    const ended = once(child, 'exit')
    for await (const _batch of createInterface({ input: child.stdout })) {
      child.kill('SIGKILL')
      break
    }
    await ended
    const { entries } = await opened.knowledge.statistics()
    expect(entries % 100).toBe(0)
    expect(entries).toBeGreaterThan(0)
    expect(entries).toBeLessThan(400)
    // No waiting for the leases of the dead.
    expect(await opened.knowledge.checkpoint('manual')).toMatchObject({
      embedded: 400 - entries,
      merged: 0,
      staged: { elsewhere: 0, waiting: 0 },
    })
    expect(await opened.knowledge.statistics()).toMatchObject({ entries: 400, successes: 400 })
    expect(await countOf(opened.index, 'project_knowledge')).toBe(400)
  })
})
