import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cachedGraph } from '../../../src/embedding/local/graph-cache.ts'
import type { Notice } from '../../../src/notices.ts'

const GRAPH = Uint8Array.from({ length: 5_000 }, (_, index) => index % 251)

let folder: string
let builds: number
let notices: Notice[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ralph-graph-'))
  builds = 0
  notices = []
})
afterEach(() => rm(folder, { recursive: true }))

async function load(path = join(folder, 'models', 'graph.onnx')): Promise<Uint8Array> {
  const build = () => {
    builds++
    return GRAPH
  }
  return new Uint8Array(await cachedGraph(path, build, (notice) => notices.push(notice)))
}

describe('cachedGraph', () => {
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

  it('is not confused by others doing the same, nor leaves anything behind', async () => {
    const graphs = await Promise.all(Array.from({ length: 8 }, () => load()))
    for (const graph of graphs) expect(graph).toEqual(GRAPH)
    expect(await readdir(join(folder, 'models'))).toEqual(['graph.onnx'])
  })
})
