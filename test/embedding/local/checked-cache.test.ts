import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkedCache, checkedPair } from '../../../src/embedding/local/checked-cache.ts'
import type { Notice } from '../../../src/notices.ts'

const GRAPH = Uint8Array.from({ length: 5_000 }, (_, index) => index % 251)

let folder: string
let builds: number
let notices: Notice[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ralph-graph-'))
  await writeFile(join(folder, 'ralph.db'), '')
  builds = 0
  notices = []
})
afterEach(() => rm(folder, { recursive: true }))

async function load(path = join(folder, 'models', 'graph.onnx')): Promise<Uint8Array> {
  const build = () => {
    builds++
    return GRAPH
  }
  return new Uint8Array(await checkedCache(path, build, (notice) => notices.push(notice)))
}

describe('checkedCache', () => {
  it('builds once', async () => {
    expect(await load()).toEqual(GRAPH)
    expect(await load()).toEqual(GRAPH)
    expect(builds).toBe(1)
    expect(notices).toEqual([])
  })

  it.each([
    ['empty', (path: string) => truncate(path, 0)],
    ['cut', (path: string) => truncate(path, 2_000)],
    ['overwritten', (path: string) => writeFile(path, 'something else')],
    [
      'changed in one bit',
      async (path: string) => {
        const bytes = await readFile(path)
        bytes[1_234]! ^= 1
        await writeFile(path, bytes)
      },
    ],
  ])('builds again when the file is %s', async (_, damage) => {
    await load()
    await damage(join(folder, 'models', 'graph.onnx'))
    expect(await load()).toEqual(GRAPH)
    expect(await load()).toEqual(GRAPH)
    expect(builds).toBe(2)
  })

  it('works without a place to write, and says so', async () => {
    await writeFile(join(folder, 'file'), '')
    expect(await load(join(folder, 'file', 'graph.onnx'))).toEqual(GRAPH)
    expect(notices).toMatchObject([{ key: 'embedding-cache', hint: expect.stringContaining('writable') }])
  })

  it('leaves a folder as it is in which nothing was ever stored', async () => {
    await rm(join(folder, 'ralph.db'))
    expect(await load()).toEqual(GRAPH)
    expect(await readdir(folder)).toEqual([])
    expect(await load(join(folder, 'not made', 'models', 'graph.onnx'))).toEqual(GRAPH)
    expect(await readdir(folder)).toEqual([])
    expect(notices).toEqual([])
  })

  it('is not confused by others doing the same, nor leaves anything behind', async () => {
    const graphs = await Promise.all(Array.from({ length: 8 }, () => load()))
    for (const graph of graphs) expect(graph).toEqual(GRAPH)
    expect(await readdir(join(folder, 'models'))).toEqual(['graph.onnx'])
  })
})

describe('checkedPair', () => {
  const pair = () => ({ path: join(folder, 'models', 'graph'), besides: join(folder, 'models', 'matrices') })
  const keep = () => {
    const build = () => {
      builds++
      return [GRAPH.slice(0, 1_000), GRAPH] as const
    }
    return checkedPair(pair(), build, (notice) => notices.push(notice))
  }

  it.each(['path', 'besides'] as const)('builds once, and again when %s is damaged', async (which) => {
    expect(await keep()).toBe(true)
    expect(await keep()).toBe(true)
    expect(builds).toBe(1)
    const bytes = await readFile(pair()[which])
    for (const damaged of [bytes.subarray(0, -1), bytes.with(500, bytes[500]! ^ 1), bytes.subarray(0, 2)]) {
      await writeFile(pair()[which], damaged)
      builds = 0
      expect(await keep()).toBe(true)
      expect(builds).toBe(1)
      expect(await readFile(pair()[which])).toEqual(bytes)
    }
    // The first is for others to read as it is.
    expect(new Uint8Array(await readFile(pair().path))).toEqual(GRAPH.slice(0, 1_000))
  })

  it('builds nothing where nothing can be kept', async () => {
    await rm(join(folder, 'ralph.db'))
    expect(await keep()).toBe(false)
    expect(await readdir(folder)).toEqual([])
    expect(notices).toEqual([])
    expect(builds).toBe(0)
  })
})
