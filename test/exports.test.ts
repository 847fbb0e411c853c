import { globSync, readFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
/** What a benchmark has installed is not ours. */
const filesIn = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: ['**/node_modules'] }).map((file) => file.replaceAll('\\', '/'))
const textOf = (file: string) => readFileSync(`${root}/${file}`, 'utf8')

const source = filesIn('src/**/*.{ts,tsx}')
/** Exported for others than us: the public API, and what other programs start. */
const entrances = ['src/index.ts', 'src/cli/main.ts', 'src/hooks/main.ts']
const users = [...source, ...filesIn('scripts/*.ts')]
/** They may look at a step by itself, as long as the product takes it, too. */
const lookers = [...filesIn('test/**/*.{ts,tsx}'), ...filesIn('bench/**/*.ts')]

/** "type A, b as c" → A, b: the names as the other file exports them. */
function namesIn(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim().replace(/^type\s+/, ''))
    .map((name) => name.replace(/\s*(?:\bas\b|:)[\s\S]*$/, ''))
    .filter(Boolean)
}

function exportsOf(file: string): { file: string; name: string; taken: boolean }[] {
  const text = textOf(file)
  const declared = text.matchAll(
    /^export (?:async )?(?:abstract )?(?:function\*?|class|const|let|interface|type) (\w+)/gm,
  )
  const listed = text.matchAll(/^export (?:type )?\{([^}]*)\}\s*$/gm)
  const names = [
    ...[...declared].map(([, name]) => name!),
    ...[...listed].flatMap(([, list]) => namesIn(list!)),
  ]
  return [...new Set(names)].map((name) => {
    const mentions = [...text.matchAll(new RegExp(`\\b${name}\\b`, 'g'))].length
    const declarations = names.filter((one) => one === name).length
    return { file, name, taken: mentions > declarations }
  })
}

/** A type that says what something else of its file takes or gives: whoever uses that may want to name it. */
function isShape({ file, name, taken }: { file: string; name: string; taken: boolean }): boolean {
  return taken && new RegExp(`^export (?:interface|type) ${name}\\b`, 'm').test(textOf(file))
}

/** "file name" of everything these files import, "file *" where a module is taken as a whole. */
function importedBy(files: readonly string[]): Set<string> {
  const used = new Set<string>()
  for (const file of files) {
    const text = textOf(file)
    const use = (path: string, names: readonly string[]) => {
      const from = posix.normalize(posix.join(dirname(file), path))
      for (const name of names) used.add(`${from} ${name}`)
    }
    const listed = /(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s+'(\.[^']+)'/g
    for (const [, names, path] of text.matchAll(listed)) use(path!, namesIn(names!))
    const whole = /(?:import|export)\s+(?:type\s+)?\*(?:\s+as\s+\w+)?\s+from\s+'(\.[^']+)'/g
    for (const [, path] of text.matchAll(whole)) use(path!, ['*'])
    // const { name } = await import('./file.ts'), (await import('./file.ts')).name, import('./file.ts')
    const dynamic = /(?:\{([^{}]*)\}\s*=\s*await\s+)?import\(\s*'(\.[^']+)'\s*\)(?:\)\.(\w+))?/g
    for (const [, names, path, name] of text.matchAll(dynamic))
      use(path!, names !== undefined ? namesIn(names) : [name ?? '*'])
  }
  return used
}

it('exports no name that nobody uses', () => {
  const used = importedBy(users)
  const lookedAt = importedBy(lookers)
  const exported = source.filter((file) => !entrances.includes(file)).flatMap(exportsOf)
  const idle = exported.filter((one) => {
    const key = `${one.file} ${one.name}`
    if (used.has(key) || used.has(`${one.file} *`) || isShape(one)) return false
    return !(one.taken && lookedAt.has(key))
  })
  expect(exported.length).toBeGreaterThan(500)
  expect(idle.map(({ file, name }) => `${file} ${name}`)).toEqual([])
})
