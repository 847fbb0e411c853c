import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { packPlatform } from '../../../scripts/native.ts'
import { loadOnnxruntime, loadTrouble } from '../../../src/embedding/local/runtime-onnx.ts'
import {
  archiveName,
  isMadeForThisSystem,
  shippedLibrary,
} from '../../../src/embedding/local/shipped-onnxruntime.ts'
import { skipBecause } from '../../support/needs.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const MODULE = fileURLToPath(new URL('../../../src/embedding/local/shipped-onnxruntime.ts', import.meta.url))

describe('the native library that the package brings', () => {
  let archives: string
  beforeAll(async () => {
    archives = await temporaryFolder(afterAll)
    writeFileSync(join(archives, `${archiveName()}.br`), packPlatform(process.platform, process.arch))
  })

  // As the library itself does not: on musl.
  beforeEach(() => {
    const installed = loadOnnxruntime(archives)
    skipBecause('problem' in installed ? installed.problem : undefined)
  })

  /** In a process of its own, as a library stays loaded once it is. */
  async function loadedVersion(cache: string): Promise<string> {
    const code = `const { shippedLibrary } = await import(${JSON.stringify(MODULE)})
      console.log(shippedLibrary(process.argv[1], [process.argv[2]])?.version)`
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '-e',
      code,
      cache,
      archives,
    ])
    return stdout.trim()
  }

  it('is unpacked by whoever needs it first, whole, also when several do at once', async () => {
    const cache = await temporaryFolder()
    const versions = await Promise.all([1, 2, 3].map(() => loadedVersion(cache)))
    expect(versions).toEqual(['1.17.0', '1.17.0', '1.17.0'])
    expect(readdirSync(cache)).toEqual([archiveName()])
  })

  it('is unpacked again where what was unpacked is damaged, and leftovers of a killed process are taken away', async () => {
    const cache = await temporaryFolder()
    await loadedVersion(cache)
    const binaries = join(cache, archiveName(), 'bin', 'napi-v3', process.platform, process.arch)
    for (const name of readdirSync(binaries)) truncateSync(join(binaries, name), 1000)
    const left = join(cache, `${archiveName()}.999999-00000000.tmp`)
    mkdirSync(left)
    utimesSync(left, 0, 0)
    expect(await loadedVersion(cache)).toBe('1.17.0')
    expect(readdirSync(cache)).toEqual([archiveName()])
  })

  it('is not unpacked where it would not load', async () => {
    const cache = await temporaryFolder()
    expect(shippedLibrary(cache, [archives], () => false)).toBeUndefined()
    expect(readdirSync(cache)).toEqual([])
  })

  it('is not there where none was brought', async () => {
    const none = await temporaryFolder()
    expect(shippedLibrary(none, [none])).toBeUndefined()
    expect(shippedLibrary(none, [join(none, 'missing')])).toBeUndefined()
  })
})

it.each([
  ['linux', { glibcVersionRuntime: '2.36' }, true],
  ['linux', {}, false],
  ['darwin', {}, true],
  ['win32', {}, true],
] as const)('is made for %s with %o: %s', (platform, header, expected) => {
  expect(isMadeForThisSystem(platform, () => header)).toBe(expected)
})

it('says in one line why it does not load, and what would help', () => {
  const trouble = (message: string, code: string) =>
    loadTrouble(Object.assign(new Error(message), { code }), '/home/ann/.ralph/models')
  expect(trouble('Module not found.\r\n\\\\?\\C:\\x\\onnxruntime_binding.node', 'ERR_DLOPEN_FAILED')).toEqual(
    {
      problem: 'onnxruntime does not load here: Module not found',
      hint: expect.stringContaining('the slower way needs nothing'),
    },
  )
  expect(trouble("EACCES: permission denied, mkdir '/home/ann/.ralph/models'", 'EACCES')).toEqual({
    problem: expect.stringContaining('permission denied'),
    hint: expect.stringContaining('It is unpacked into /home/ann/.ralph/models: make that writable'),
  })
})
