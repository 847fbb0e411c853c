/**
 * The local embedder's two runtimes side by side: cold start to the first vector, a question, throughput, memory.
 * Each run is a fresh process of a bundle, as the product ships; one text at a time, so on one core.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { median } from './support/figures.ts'

const RUNS = 9
const TEXTS = 60

const repository = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-embedding-'))

interface Figures {
  /** From the start of the process to its first vector. */
  coldMs: number
  /** The same in processor time, which other programs disturb less. */
  coldCpuMs: number
  queryMs: number
  queryCpuMs: number
  textsPerSecond: number
  textsPerCpuSecond: number
  /** In the process that long batches use. */
  backgroundTextsPerSecond: number
  rssMb: number
}

const PROGRAM = `
import { openLocalEmbedder } from ${JSON.stringify(join(repository, 'src/embedding/local.ts'))}
const [runtime, cacheDir, only] = process.argv.slice(2)
const embedder = await openLocalEmbedder({ cacheDir, runtime })
await embedder.embed(['how do we keep people signed in?'], 'query')
const coldMs = performance.now()
const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const figures = { coldMs, coldCpuMs: cpuMs() }
const time = async (work) => {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}
const text = (index) => Array.from({ length: 40 }, (_, word) => WORDS[(index * 7 + word * 13) % WORDS.length]).join(' ')
const WORDS = 'the login form now posts session token to an endpoint which checks its signature before each request reaches handler because local storage can be read by scripts and we decided keep cookie instead of header after migration failed on staging database last night'.split(' ')
if (!only) {
  const queries = []
  const beforeQueries = cpuMs()
  for (let index = 0; index < 30; index++)
    queries.push(await time(() => embedder.embed(['why did the migration of the users table fail ' + index], 'query')))
  figures.queryMs = queries.sort((a, b) => a - b)[15] * 1000
  figures.queryCpuMs = (cpuMs() - beforeQueries) / 30
  const beforeTexts = cpuMs()
  const seconds = await time(async () => {
    for (let index = 0; index < ${TEXTS}; index++) await embedder.embed([text(index)], 'document')
  })
  figures.textsPerSecond = ${TEXTS} / seconds
  figures.textsPerCpuSecond = (${TEXTS} / (cpuMs() - beforeTexts)) * 1000
  figures.rssMb = process.memoryUsage().rss / 1e6
  const batch = Array.from({ length: ${TEXTS} }, (_, index) => text(index + 100))
  await embedder.embed(batch.slice(0, 20), 'document')
  figures.backgroundTextsPerSecond = ${TEXTS} / (await time(() => embedder.embed(batch, 'document')))
}
console.log(JSON.stringify(figures))
await embedder.close()
`

async function bundleProgram(): Promise<string> {
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'main.ts'), PROGRAM)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const build = await rolldown({
    input: {
      main: join(folder, 'main.ts'),
      'embedding-process': join(repository, 'src/embedding/local/background-process.ts'),
    },
    platform: 'node',
    external: [/^@lat\.md\//, 'onnxruntime-node'],
    treeshake: { moduleSideEffects: false },
  })
  await build.write({ dir: join(folder, 'dist'), format: 'esm' })
  await build.close()
  return join(folder, 'dist/main.js')
}

function run(program: string, runtime: string, ...more: string[]): Figures {
  const cacheDir = join(folder, 'models')
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, runtime, cacheDir, ...more], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

function measure(program: string, runtime: string): Figures {
  run(program, runtime, 'cold') // Fills the cache of the built model and the system's of files.
  const cold = Array.from({ length: RUNS }, () => run(program, runtime, 'cold'))
  return {
    ...run(program, runtime),
    coldMs: median(cold.map(({ coldMs }) => coldMs)),
    coldCpuMs: median(cold.map(({ coldCpuMs }) => coldCpuMs)),
  }
}

const program = await bundleProgram()
const onnx = measure(program, 'onnx')
const wasm = measure(program, 'wasm')
rmSync(folder, { recursive: true })

const rows: [string, keyof Figures, string][] = [
  ['cold process to first vector', 'coldMs', 'ms'],
  ['  of it processor time', 'coldCpuMs', 'ms'],
  ['a question of ten words', 'queryMs', 'ms'],
  ['  of it processor time', 'queryCpuMs', 'ms'],
  ['texts of 40 words', 'textsPerSecond', '/s'],
  ['  by processor time', 'textsPerCpuSecond', '/s'],
  ['  in the background', 'backgroundTextsPerSecond', '/s'],
  ['memory', 'rssMb', 'MB'],
]
console.log(`${''.padEnd(30)} ${'onnx int8'.padStart(12)} ${'wasm fp32'.padStart(12)}   wasm : onnx`)
for (const [name, key, unit] of rows) {
  const [fast, slow] = [onnx[key], wasm[key]]
  const figure = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`.padStart(12)
  console.log(`${name.padEnd(30)} ${figure(fast)} ${figure(slow)}   ${(slow / fast).toFixed(2)}`)
}
