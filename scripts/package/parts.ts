/** Whose work is in the package, or comes with it: read from what is installed here, and from what the build noted. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledFolders } from './bundled.ts'

/** How it reaches whoever installs the package. */
export type Reach = 'bundled' | 'packed' | 'installed'

export interface Part {
  name: string
  version: string
  licence: string
  /** Licence and notices in full; none if it brings none. */
  texts: readonly string[]
  reach: Reach
}

/** Texts that a package does not bring itself, from the root of the repository, and why these are its own. */
const TEXTS_ELSEWHERE: Readonly<Record<string, string>> = {
  // The file that its repository has, in our own words around it.
  'onnxruntime-node': 'native/NOTICE.md',
  // Of the same authors, under the same terms.
  '@hono/zod-validator': 'node_modules/hono/LICENSE',
}

export interface Lock {
  packages: Record<string, { version: string; license?: string; integrity?: string }>
}

export function readLock(root: string): Lock {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
}

/** Where this version of a package lies: there may be another of the same name. */
export function lockedFolder({ packages }: Lock, name: string, version: string): string | undefined {
  return Object.keys(packages).find(
    (path) => `/${path}`.endsWith(`/node_modules/${name}`) && packages[path]!.version === version,
  )
}

const LICENCE_FILE = /^(?:licen[cs]e|notice|copying)(?:[.-].*)?$/i

export function partAt(root: string, folder: string, reach: Reach): Part {
  const path = join(root, folder)
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  const own = readdirSync(path)
    .filter((file) => LICENCE_FILE.test(file))
    .toSorted()
    .map((file) => join(path, file))
  const files = own.length > 0 || !TEXTS_ELSEWHERE[name] ? own : [join(root, TEXTS_ELSEWHERE[name])]
  const texts = files.map((file) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim())
  // Old packages have an object there.
  return { name, version, licence: license?.type ?? license ?? '', texts, reach }
}

/** What npm installs with it, of which not everything is for this platform. */
export function partBeside(root: string, name: string, version: string): Part {
  const lock = readLock(root)
  const folder = lockedFolder(lock, name, version)!
  if (existsSync(join(root, folder))) return partAt(root, folder, 'installed')
  return { name, version, licence: lock.packages[folder]!.license ?? '', texts: [], reach: 'installed' }
}

/** What is inside the package itself. */
export function partsInside(root: string): Part[] {
  const letterMaps = readFileSync(join(root, 'node_modules', 'pdfjs-dist', 'cmaps', 'LICENSE'), 'utf8')
  const bundled = bundledFolders(root).map((folder) => partAt(root, folder, 'bundled'))
  const pdfVersion = bundled.find(({ name }) => name === 'pdfjs-dist')!.version
  return [
    ...bundled,
    partAt(root, join('node_modules', 'onnxruntime-node'), 'packed'),
    // In dist/cmaps, copied from the package that reads PDFs, under terms of their own.
    {
      name: 'cmap-resources',
      version: pdfVersion,
      licence: 'BSD-3-Clause',
      texts: [letterMaps.replaceAll('%%Copyright: ', '').replaceAll('%%Copyright:', '').trim()],
      reach: 'packed',
    },
  ]
}
