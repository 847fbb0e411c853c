import { appendFile, readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { forgetting } from '../../src/feature-memory/forget.ts'
import { iterationId, toJournalLine } from '../../src/feature-memory/record.ts'
import { project } from '../mcp/support.ts'
import { iteration } from '../support/records.ts'

const twins = [
  iteration({ iterationNumber: 7, summary: 'on the main branch' }),
  iteration({ iterationNumber: 7, summary: 'on another branch' }),
]

describe('what is forgotten', () => {
  it('is named by number, by task, or is everything', () => {
    const records = [
      iteration({ iterationNumber: 1, taskId: 3 }),
      iteration({ iterationNumber: 12, taskId: 4 }),
    ]
    expect(forgetting({ iterations: [1] }).choose(records)).toEqual([records[0]])
    expect(forgetting({ taskId: 4 }).choose(records)).toEqual([records[1]])
    expect(forgetting({})).toMatchObject({ everything: true })
    const { mayMatch } = forgetting({ iterations: [1] })
    expect(records.map((record) => mayMatch(toJournalLine(record)))).toEqual([true, false])
  })

  it('is asked for by id where a merge brought two of one number', () => {
    expect(() => forgetting({ iterations: [7] }).choose(twins)).toThrow(/iteration 7 stands 2 times/)
    const ids = [iterationId(twins[1]!)]
    expect(forgetting({ iterations: [7], ids }).choose(twins)).toEqual([twins[1]])
  })

  it('leaves damaged lines where they are, also when everything else goes', async () => {
    const ralph = await project([{ feature: 'auth', summary: 'to be forgotten' }])
    const { path } = ralph.featureMemory.journal('auth')
    await appendFile(path, 'half a line of somebody\n')
    expect(await ralph.featureMemory.forget('auth')).toBe(1)
    expect(await readFile(path, 'utf8')).toBe('half a line of somebody\n')
  })
})

describe('files of a feature', () => {
  it('are counted once, however often they are asked for and whatever was counted before', async () => {
    const touch = (path: string) => ({
      feature: 'auth',
      filesTouched: [{ path, action: 'modified' as const }],
    })
    const ralph = await project([touch('a.ts'), touch('a.ts'), touch('b.ts')])
    const { path } = ralph.featureMemory.journal('auth')
    const counts = async () =>
      (await ralph.featureMemory.files('auth')).map(({ path: file, touches }) => `${file} ${touches}`)
    expect(await counts()).toEqual(['a.ts 2', 'b.ts 1'])
    expect(await counts()).toEqual(['a.ts 2', 'b.ts 1'])
    // A last line without its line feed counts, once also when it is finished.
    await appendFile(path, toJournalLine(iteration({ ...touch('b.ts'), iterationNumber: 4 })))
    expect(await counts()).toEqual(['b.ts 2', 'a.ts 2'])
    await appendFile(path, '\n')
    expect(await counts()).toEqual(['b.ts 2', 'a.ts 2'])
    await ralph.featureMemory.forget('auth', { iterations: [1, 2] })
    expect(await counts()).toEqual(['b.ts 2'])
  })
})
