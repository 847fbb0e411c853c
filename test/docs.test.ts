import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = ['README.md', 'CHANGELOG.md', ...globSync('docs/**/*.md', { cwd: root })].map((page) =>
  page.replaceAll('\\', '/'),
)
const ours = new Set(
  ['src', 'test', 'bench', 'scripts', 'examples']
    // What a benchmark has installed is not ours.
    .flatMap((folder) => globSync(`${folder}/**/*`, { cwd: root, exclude: ['**/node_modules'] }))
    .map((path) => basename(path)),
)

/** Files of an imaginary project that a page uses as an example. */
const EXAMPLES = ['src/auth/LoginForm.tsx']

/** Text outside fenced blocks: what stands inside them is what somebody types, in a project of their own. */
const proseOf = (page: string) => readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '')

const folders = [
  'src',
  'test',
  'docs',
  'bench',
  'scripts',
  'examples',
  'plugins',
  ...readdirSync(join(root, 'src')),
]

/** `src/…`, `retrieval/ask.ts`, `journal.ts`: names of files and folders that only we can mean. */
function namedIn(page: string): string[] {
  const inline = [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!)
  return inline.filter((code) =>
    /^[\w-]+\/[\w./-]*$/.test(code) ? folders.includes(code.split('/')[0]!) : /^[\w.-]+\.ts$/.test(code),
  )
}

function exists(path: string): boolean {
  if (EXAMPLES.includes(path)) return true
  return (
    [join(root, path), join(root, 'src', path)].some(existsSync) || (!path.includes('/') && ours.has(path))
  )
}

function linksIn(page: string): string[] {
  return [...proseOf(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target))
}

describe('the documentation', () => {
  it.each(pages)('%s names only files that exist', (page) => {
    expect(namedIn(page).filter((path) => !exists(path))).toEqual([])
  })

  it.each(pages)('%s links only to pages that exist', (page) => {
    expect(linksIn(page).filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([])
  })

  it('finds names and links at all', () => {
    expect(pages.flatMap(namedIn).length).toBeGreaterThan(20)
    expect(pages.flatMap(linksIn).length).toBeGreaterThan(10)
  })

  it('shows in architecture.md every part of src, and no other', () => {
    const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
    const tree = /^src\/\n((?: {2}.*\n|\n)+)/m.exec(text)![1]!
    const shown = tree
      .split('\n')
      // A part begins after two spaces; its description may go on further to the right.
      .flatMap((line) => /^ {2}(\S.*?)(?: {2,}|$)/.exec(line)?.[1]?.split(' ') ?? [])
      .map((name) => name.replace(/\/$/, ''))
    expect(shown.toSorted()).toEqual(readdirSync(join(root, 'src')).toSorted())
  })
})
