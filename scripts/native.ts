/**
 * Packs onnxruntime for each platform by itself into native/, so that an installation does not hold the libraries of five
 * platforms that it cannot use. Takes some seconds once; what is there already is left alone.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { archived, type PackedFile } from '../src/embedding/local/native-archive.ts'
import { archiveName } from '../src/embedding/local/shipped-onnxruntime.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const library = join(root, 'node_modules', 'onnxruntime-node')
const BINARIES = join('bin', 'napi-v3')

/** 11 would save another eighth and take five minutes. */
const QUALITY = 6

function filesBelow(folder: string, base: string, wanted = /./): PackedFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && wanted.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted()
    .map((path) => ({ path: relative(base, path).split(sep).join('/'), content: readFileSync(path) }))
}

/** Of the library's own code only what opens it: see src/embedding/local/native-library.ts. */
function code(): PackedFile[] {
  const description = { path: 'package.json', content: readFileSync(join(library, 'package.json')) }
  return [description, ...filesBelow(join(library, 'dist'), library, /^(?:binding|version)\.js$/)]
}

export function packPlatform(platform: string, arch: string): Uint8Array {
  const files = [...code(), ...filesBelow(join(library, BINARIES, platform, arch), library)]
  const piece = archived(files)
  return brotliCompressSync(piece, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: piece.length,
    },
  })
}

export function packEveryPlatform(): void {
  mkdirSync(join(root, 'native'), { recursive: true })
  for (const platform of readdirSync(join(library, BINARIES))) {
    for (const arch of readdirSync(join(library, BINARIES, platform))) {
      const path = join(root, 'native', `${archiveName(platform, arch)}.br`)
      if (!existsSync(path)) writeFileSync(path, packPlatform(platform, arch))
    }
  }
}
