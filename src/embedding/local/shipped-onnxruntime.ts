import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { makeOwnFolder, writeOwnFile } from '../../files/own-files.ts'
import { renameFileNow } from '../../files/rename.ts'
import { sweepTemporaries } from '../../files/sweep-temporaries.ts'
import { temporaryBeside } from '../../files/temporary-name.ts'
import { ONNXRUNTIME_VERSION, unpacked } from './native-archive.ts'
import { type OnnxLibrary, openLibrary } from './native-library.ts'

/** From dist/chunks/ as from here. */
const ARCHIVES = ['../../native/', '../../../native/'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
)
/** What was unpacked, with sizes: a library that was cut short would end the process that loads it. */
const LIST = 'unpacked.json'

/**
 * The native library as our package brings it: of six platforms, 98 MB, a person needs one, so each is packed by itself
 * and the one for this machine unpacked on first use. Undefined where none was brought, or what was does not load.
 */
export function shippedLibrary(
  cacheDir: string,
  archives = ARCHIVES,
  isForThis = isMadeForThisSystem,
): OnnxLibrary | undefined {
  const archive = archives.map((folder) => join(folder, `${archiveName()}.br`)).find(existsSync)
  if (archive === undefined) return undefined
  const folder = join(cacheDir, archiveName())
  if (!isWhole(folder)) {
    if (!isForThis()) return undefined
    unpack(archive, folder)
  }
  return openLibrary(createRequire(join(folder, 'package.json')), '.')
}

/** It is made for every system with its usual C library: on Linux for glibc, not for musl, as Alpine has it. */
export function isMadeForThisSystem(
  platform: NodeJS.Platform = process.platform,
  header = () => reportHeader(),
): boolean {
  return platform !== 'linux' || header()['glibcVersionRuntime'] !== undefined
}

/** The only thing that knows of the C library. Without what is connected to this process, which may take long to name. */
function reportHeader(): Record<string, unknown> {
  // Its types are behind.
  const report: { excludeNetwork?: boolean; getReport: () => object } = process.report
  const before = report.excludeNetwork ?? false
  report.excludeNetwork = true
  try {
    return (report.getReport() as { header: Record<string, unknown> }).header
  } finally {
    report.excludeNetwork = before
  }
}

export function archiveName(platform: string = process.platform, arch: string = process.arch): string {
  return `onnxruntime-${ONNXRUNTIME_VERSION}-${platform}-${arch}`
}

function isWhole(folder: string): boolean {
  try {
    const list: [string, number][] = JSON.parse(readFileSync(join(folder, LIST), 'utf8'))
    return list.every(([path, size]) => statSync(join(folder, path)).size === size)
  } catch {
    // Not there, or damaged: both mean that it is to be unpacked.
    return false
  }
}

/** Whole or not at all, whoever else does it at the same time. */
function unpack(archive: string, folder: string): void {
  const temporary = temporaryBeside(folder)
  makeOwnFolder(dirname(folder))
  sweepTemporaries(dirname(folder), archiveName())
  try {
    const files = [...unpacked(brotliDecompressSync(readFileSync(archive)))]
    const list = JSON.stringify(files.map(({ path, content }) => [path, content.length]))
    for (const { path, content } of [...files, { path: LIST, content: Buffer.from(list) }]) {
      const file = join(temporary, path)
      makeOwnFolder(dirname(file))
      writeOwnFile(file, content, { access: 'create' })
    }
    // Somebody else may have been faster, and may use it already: only what is damaged is taken away.
    if (!isWhole(folder)) {
      rmSync(folder, { recursive: true, force: true })
      renameFileNow(temporary, folder)
    }
  } catch (error) {
    if (!isWhole(folder)) throw error
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}
