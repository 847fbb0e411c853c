import { globSync, readFileSync } from 'node:fs'
import { dirname, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../src', import.meta.url))

interface Import {
  from: string
  to: string
  typeOnly: boolean
  dynamic: boolean
}

function importsOf(file: string): Import[] {
  const text = readFileSync(`${root}/${file}`, 'utf8')
  const statements = text.matchAll(
    /(?:import|export)\s+(type\s)?[^'"]*?from\s+'(\.[^']+)'|import\(\s*'(\.[^']+)'\s*\)/g,
  )
  return [...statements].map(([, type, staticPath, dynamicPath]) => ({
    from: file,
    to: posix.normalize(posix.join(dirname(file).replaceAll('\\', '/'), staticPath ?? dynamicPath!)),
    typeOnly: type !== undefined,
    dynamic: staticPath === undefined,
  }))
}

const files = globSync('**/*.ts', { cwd: root }).map((file) => relative('.', file).replaceAll('\\', '/'))
const imports = files.flatMap(importsOf)

const MEMORIES = ['feature-memory', 'project-knowledge', 'conversation-memory']
const SURFACES = ['cli', 'mcp', 'hooks', 'dashboard', 'demo']
const DRIVER_FOLDERS = ['search-index', 'embedding', 'language-model', 'storage']
/** Pure parts of the driver folders: contracts and what is computed from them. */
const SHARED = new Set([
  'search-index/search-index.ts',
  'search-index/fusion.ts',
  'embedding/embedder.ts',
  'embedding/calibration.ts',
  'embedding/embed-all.ts',
  'language-model/language-model.ts',
  'language-model/summariser.ts',
  'storage/storage.ts',
  'storage/tables.ts',
  'storage/claim.ts',
  // Not drivers: how any of us writes files safely.
  'storage/file-lock.ts',
  'storage/atomic-write.ts',
])
const COMMON = new Set(['errors.ts', 'notices.ts'])

const folderOf = (path: string) => (path.includes('/') ? path.split('/')[0]! : '')
const isDriver = (path: string) => DRIVER_FOLDERS.includes(folderOf(path)) && !SHARED.has(path)
const shown = (found: readonly Import[]) => found.map(({ from, to }) => `${from} → ${to}`)

describe('who may import whom', () => {
  it('finds the imports at all', () => {
    expect(imports.length).toBeGreaterThan(100)
    expect(shown(imports)).toContain('feature-memory/journal.ts → storage/file-lock.ts')
  })

  it('lets only ralph.ts name drivers', () => {
    const outside = imports.filter(
      ({ from, to }) => isDriver(to) && folderOf(from) !== folderOf(to) && from !== 'ralph.ts',
    )
    expect(shown(outside)).toEqual([])
  })

  it('keeps what services have in common to the drivers, and free of everything else', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        (folderOf(to) === 'services' && ![...DRIVER_FOLDERS, 'services'].includes(folderOf(from))) ||
        (folderOf(from) === 'services' && !['services', 'text'].includes(folderOf(to)) && !COMMON.has(to)),
    )
    expect(shown(wrong)).toEqual([])
  })

  it('keeps text and errors free of everything else', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        (folderOf(from) === 'text' || COMMON.has(from)) && folderOf(to) !== 'text' && !COMMON.has(to),
    )
    expect(shown(wrong)).toEqual([])
  })

  it('keeps the memories away from each other, from the loop and from the surfaces', () => {
    const forbidden = (from: string, to: string) =>
      [...MEMORIES, ...SURFACES, 'loop', 'board'].includes(folderOf(to)) && folderOf(to) !== folderOf(from)
    const wrong = imports.filter(({ from, to }) => MEMORIES.includes(folderOf(from)) && forbidden(from, to))
    expect(shown(wrong)).toEqual([])
  })

  it('lets surfaces see only the public API and the configuration', () => {
    // The command line is how the others are started.
    const startsIt = (from: string, to: string) => folderOf(from) === 'cli' && SURFACES.includes(folderOf(to))
    const wrong = imports.filter(
      ({ from, to }) =>
        SURFACES.includes(folderOf(from)) &&
        folderOf(to) !== folderOf(from) &&
        !['index.ts', 'config.ts', 'version.ts'].includes(to) &&
        !(folderOf(from) === 'hooks' && to === 'light.ts') &&
        !startsIt(from, to),
    )
    expect(shown(wrong)).toEqual([])
  })

  it('keeps what hooks load at once light', () => {
    const loaded = new Set(['hooks/main.ts'])
    for (const file of loaded) {
      for (const { to, typeOnly, dynamic } of importsOf(file)) if (!typeOnly && !dynamic) loaded.add(to)
    }
    const heavy = [...loaded].filter(
      (file) =>
        ['index.ts', 'ralph.ts'].includes(file) || isDriver(file) || /\/(journal|board)\.ts$/.test(file),
    )
    expect(heavy).toEqual([])
  })

  it('reads the environment in config.ts alone', () => {
    const readers = files.filter(
      (file) => file !== 'config.ts' && /process\.env/.test(readFileSync(`${root}/${file}`, 'utf8')),
    )
    expect(readers).toEqual([])
  })
})
