import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FeatureMemory } from '../../src/feature-memory/feature-memory.ts'
import { forgetting } from '../../src/feature-memory/forget.ts'
import { iterationId, toJournalLine } from '../../src/feature-memory/record.ts'
import { Notices } from '../../src/notices.ts'
import type { SearchIndex } from '../../src/search-index/search-index.ts'
import { openSqliteIndex } from '../../src/search-index/sqlite.ts'
import { project } from '../mcp/support.ts'
import { FakeEmbedder } from '../support/fake-embedder.ts'
import { iteration, newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

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

describe('forgetting in the index', () => {
  async function filled(count: number) {
    const folder = await temporaryFolder()
    const index = openSqliteIndex({ path: join(folder, 'index.db') })
    onTestFinished(() => index.close())
    const embedder = new FakeEmbedder()
    let pages = 0
    const watched: SearchIndex = {
      ...boundMethods(index),
      read: (...given) => {
        pages++
        return index.read(...given)
      },
    }
    const memory = new FeatureMemory({
      project: '/home/dev/shop',
      memoryDir: join(folder, 'memory'),
      cacheDir: folder,
      index: watched,
      embedder: async () => embedder,
      notices: new Notices(() => undefined),
    })
    for (let number = 1; number <= count; number++)
      await memory.recordIteration(
        newIteration({ feature: 'auth', summary: `Cookie ${word(number)} expired` }),
      )
    await memory.catchUp('auth')
    const found = async (number: number) => {
      const results = await memory.search('auth', `cookie ${word(number)}`, { minScore: 0 })
      return results
        .map(({ record }) => record)
        .filter(({ summary }) => summary.includes(word(number)))
        .map(({ iterationNumber }) => iterationNumber)
    }
    return { memory, found, embedder, pagesRead: () => pages }
  }

  const word = (number: number) => `name${String.fromCharCode(96 + number)}`

  it('takes out one document and reads no other', async () => {
    const { memory, found, embedder, pagesRead } = await filled(12)
    expect(await found(5)).toEqual([5])
    const before = { texts: embedder.usage.texts, pages: pagesRead() }
    expect(await memory.forget('auth', { iterations: [5] })).toBe(1)
    expect(await memory.forget('auth', { iterations: [12] })).toBe(1)
    expect(await memory.catchUp('auth')).toEqual({ latest: 11 })
    expect({ texts: embedder.usage.texts, pages: pagesRead() }).toEqual(before)
    expect(await found(5)).toEqual([])
    expect(await found(12)).toEqual([])
    for (const number of [1, 4, 6, 11]) expect(await found(number)).toEqual([number])
    await memory.recordIteration(newIteration({ feature: 'auth', summary: `Cookie ${word(20)} expired` }))
    expect(await found(20)).toHaveLength(1)
  })

  it('keeps the other of two that a merge brought under one number', async () => {
    const { memory, found } = await filled(3)
    const { path } = memory.journal('auth')
    const [second] = await records(memory)
    const merged = { ...second!, summary: `Cookie ${word(9)} expired` }
    await appendFile(path, `${toJournalLine(merged)}\n`)
    expect(await found(9)).toEqual([1])
    await expect(memory.forget('auth', { iterations: [1] })).rejects.toThrow('stands 2 times')
    expect(await memory.forget('auth', { ids: [iterationId(second!)] })).toBe(1)
    expect(await found(1)).toEqual([])
    expect(await found(9)).toEqual([1])
    expect((await records(memory)).map(({ iterationNumber }) => iterationNumber)).toEqual([2, 3, 1])
  })

  it('is made good by the next search when it was cut off after the journal', async () => {
    const { memory, found } = await filled(6)
    const { mayMatch, choose } = forgetting({ iterations: [2] })
    await memory.journal('auth').remove(mayMatch, choose)
    expect(await found(2)).toEqual([])
    expect(await found(3)).toEqual([3])
  })

  async function records(memory: FeatureMemory) {
    return Array.fromAsync(memory.journal('auth').records())
  }
})

/** A class's methods, to be spread. */
function boundMethods(index: SearchIndex): SearchIndex {
  return {
    find: (...given) => index.find(...given),
    collections: (...given) => index.collections(...given),
    write: (...given) => index.write(...given),
    read: (...given) => index.read(...given),
    search: (...given) => index.search(...given),
    drop: (...given) => index.drop(...given),
    check: (...given) => index.check(...given),
    reset: () => index.reset(),
    close: () => index.close(),
  }
}
