import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { isRalphError } from '../../src/errors.ts'
import { escapeFeature, parseFeatureName, unescapeFeature } from '../../src/files/feature-name.ts'
import { isSafeRelativePath, placeInProject } from '../../src/files/project-path.ts'
import { openRalph, type Ralph } from '../../src/ralph.ts'
import { connect } from '../mcp/support.ts'
import { makeCheckout } from '../support/checkout.ts'
import fc from '../support/fast-check.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { tried } from './tried.ts'

/** Files and words that are made to break whoever reads them. */
const FEATURES = '.ralph/db/features.yaml'
const SETTINGS = '.ralph/rag_config.json'
const JOURNAL = '.ralph/db/memory/auth.jsonl'
const DEEP = 100_000

const bomb = [...'bcdefghi'].reduce(
  (text, name, at) => `${text}${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(',')}]\n`,
  `a: &a [${Array(9).fill('x').join(',')}]\n`,
)
const deepObject = `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`

const FILES: Record<string, Record<string, string>> = {
  'references that multiply': { [FEATURES]: `${bomb}features: [{ name: auth, description: *i }]\n` },
  'lists in lists': { [FEATURES]: `features: ${'['.repeat(DEEP)}${']'.repeat(DEEP)}` },
  'keys in keys': { [FEATURES]: Array.from({ length: 3_000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n') },
  'a tag that would run': { [FEATURES]: 'features: !!js/function "function(){ evil() }"\n' },
  'a prototype in YAML': {
    [FEATURES]:
      'features:\n  - name: auth\n    __proto__: { polluted: 1 }\n    constructor: { prototype: { polluted: 1 } }\n',
  },
  'a prototype in servers': {
    '.ralph/db/disciplines.yaml':
      'disciplines:\n  - name: d\n    mcp_servers: { __proto__: { command: evil } }\n',
  },
  'a prototype in settings': {
    [SETTINGS]: '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  },
  'a prototype in a group': { [SETTINGS]: '{"embedder":{"__proto__":{"url":"http://evil.example"}}}' },
  'settings in settings': { [SETTINGS]: deepObject },
  'an array of arrays as settings': { [SETTINGS]: '['.repeat(DEEP) + ']'.repeat(DEEP) },
  'a record in a record': { [JOURNAL]: `{"version":1,"record":${deepObject}}\n` },
  'a record that is a prototype': { [JOURNAL]: '{"version":1,"record":{"__proto__":{"polluted":1}}}\n' },
  'a line without end': { [JOURNAL]: 'x'.repeat(20_000_000) },
  'an id in an id': { '.ralph/project.json': `{"id":${deepObject}}` },
  'bytes that are no text': { [FEATURES]: '\u0000\u0001\ufffe\ud800', [JOURNAL]: '\u0000\n\ud800\n' },
}

afterEach(() => {
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

describe.each(Object.entries(FILES))('%s', (_, files) => {
  it('break nothing: what is asked is answered, or refused with the next step', async () => {
    const { open, attempt } = await clone(files)
    const ralph = await attempt(open)
    if (!ralph) return
    onTestFinished(() => ralph.close())
    expect(ralph.config.settings.embedder.url).toBeUndefined()
    await attempt(() => ralph.board.features())
    const disciplines = (await attempt(() => ralph.board.disciplines())) ?? []
    for (const { mcpServers } of disciplines) expect(mcpServers['command']).toBeUndefined()
    await attempt(() => ralph.featureMemory.recall('auth', 'zebra'))
    await attempt(() => ralph.featureMemory.verify('auth'))
    await attempt(() => ralph.identity.key())
    await attempt(() => ralph.health.status())
  })
})

async function clone(files: Record<string, string>) {
  const folder = await temporaryFolder()
  const project = join(folder, 'clone')
  makeCheckout(project)
  for (const [path, text] of Object.entries({
    '.ralph/db/features.yaml': 'features: [{ name: auth }]\n',
    ...files,
  })) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  const request = { project, home: join(folder, 'home'), env: { RALPH_EMBEDDER: 'none' } }
  const open = () => openRalph({ ...request, onNotice: () => undefined })
  const attempt = async <Value>(work: () => Promise<Value>): Promise<Value | undefined> => {
    try {
      return await work()
    } catch (error) {
      if (!isRalphError(error) || !error.hint) throw error
      return undefined
    }
  }
  return { project, open, attempt }
}

describe('what a tool or a resource of MCP is called with', () => {
  const PATHS = [
    ...['../secret.txt', '..%2fsecret.txt', '%2e%2e/secret.txt', '%2e%2e%2fsecret.txt', '..%252fsecret.txt'],
    ...['docs/../../secret.txt', 'docs/notes.md/../../../secret.txt', '..\\secret.txt', '..%5csecret.txt'],
    ...[
      '/etc/passwd',
      '//etc/passwd',
      'file:///etc/passwd',
      'docs/link.md',
      'docs/notes.md%00.txt',
      'DOCS/NOTES.MD',
    ],
    ...['docs/notes.md::$DATA', 'docs/notes.md.', 'docs/NOTES~1.MD', '.env', '.git/config', '%', ''],
  ]

  async function served(): Promise<Ralph> {
    const feature = 'features:\n  - name: auth\n    knowledge_paths: [docs/notes.md, docs/link.md]\n'
    const { project, open } = await clone({
      ...{ [FEATURES]: feature, 'docs/notes.md': 'plain notes\n', '.env': 'KEY=zzsecret\n' },
      ...{ '../secret.txt': 'zzsecret\n', '.git/config': 'zzsecret\n' },
    })
    const { symlinkSync } = await import('node:fs')
    symlinkSync('../../secret.txt', join(project, 'docs/link.md'))
    const ralph = await open()
    onTestFinished(() => ralph.close())
    return ralph
  }

  it('reads no file that is not listed, however its path is spelled', async () => {
    const { client } = await connect(await served())
    for (const feature of ['auth', '..', '%2e%2e', 'auth%2f..%2fauth'])
      for (const path of PATHS) {
        tried(1)
        const uri = `feature://${feature}/files/${path}`
        const answer = await client.readResource({ uri }).catch((error: Error) => error.message)
        expect(JSON.stringify(answer), uri).not.toMatch(/zzsecret|root:/)
      }
    const honest = await client.readResource({ uri: 'feature://auth/files/docs/notes.md' })
    expect(JSON.stringify(honest)).toContain('plain notes')
  })

  it('reaches no other feature from a server that is for one', async () => {
    const ralph = await served()
    await ralph.board.addFeature({ name: 'bank', description: 'zzsecret' })
    const { client, call } = await connect(ralph, { feature: 'auth' })
    for (const name of ['bank', 'BANK', 'b%61nk', 'auth/../bank', 'auth%2f..%2fbank', 'bank?x', 'bank#x'])
      expect(
        JSON.stringify(
          await client.readResource({ uri: `feature://${name}` }).catch((e: Error) => e.message),
        ),
      ).not.toContain('zzsecret')
    for (const feature of ['bank', '../bank', '__proto__']) {
      const { text } = await call('search_feature_memory', { feature, query: 'zzsecret', min_score: 0 })
      expect(text.replaceAll('"zzsecret"', '')).not.toContain('zzsecret')
    }
  })

  it('answers whatever it is called with, or says what is wrong', async () => {
    const { call } = await connect(await served())
    const values = [
      '__proto__',
      'constructor',
      "' OR 1=1 --",
      '%_%',
      '../..',
      '\u0000',
      'x'.repeat(200_000),
      '(a+)+$',
      '*',
    ]
    tried(values.length)
    for (const value of values) {
      const { text } = await call('search_feature_memory', { feature: 'auth', query: value })
      expect(text.length, value.slice(0, 20)).toBeLessThan(20_000)
      expect((await call('get_recent_iterations', { feature: value })).text).not.toContain('at Object.')
    }
  })
})

describe('names of features as names of files', () => {
  const ODD = [
    ...[
      '../../x',
      '..',
      '.',
      '/etc',
      'a/b',
      'a\\b',
      'C:x',
      'x:stream',
      'x::$DATA',
      'CON',
      'con',
      'nul',
      'aux',
      'COM1',
      'lpt9',
    ],
    ...[
      'x.',
      'x ',
      '~',
      '$(x)',
      '`x`',
      '%2e%2e',
      'Auth',
      'AUTH',
      'auth',
      'cafe\u0301',
      'café',
      'progra~1',
      '-rf',
      '*',
      '__proto__',
    ],
  ]

  it('never are a path, a device, a stream or the name of another', () => {
    const names = [...new Set(ODD.map((odd) => parseFeatureName(odd)))]
    const files = names.map(escapeFeature)
    for (const file of files) expect(file).toMatch(/^(?!(?:con|prn|aux|nul|com\d|lpt\d)$)[a-z0-9_%-]+$/)
    // Also on disks that ignore case and the way accents are written.
    expect(new Set(files.map((file) => file.toLowerCase().normalize('NFC'))).size).toBe(names.length)
    expect(files.map(unescapeFeature)).toEqual(names)
  })

  it('whatever they are made of', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }), (text) => {
        let name: string
        try {
          name = parseFeatureName(text)
        } catch {
          return
        }
        expect(escapeFeature(name)).toMatch(/^[a-z0-9_%-]+$/)
        expect(unescapeFeature(escapeFeature(name))).toBe(name)
      }),
      { numRuns: 300 },
    )
  })
})

describe('paths that lead out of a project on any machine', () => {
  it.each([
    ...[
      '../x',
      'a/../../x',
      '/x',
      '\\x',
      'C:\\x',
      'c:x',
      '\\\\server\\x',
      '\\\\?\\C:\\x',
      'a\\..\\..\\x',
      'a\0b',
    ],
  ])('%j', (path) => expect(isSafeRelativePath(path)).toBe(false))

  it.each([
    ['C:\\Users\\ann\\shop', 'C:\\Users\\ann\\shop2\\x'],
    ['C:\\Users\\ann\\shop', '\\\\?\\C:\\Users\\bob\\x'],
    ['C:\\Users\\ann\\shop', '..\\bank\\x'],
    ['C:\\Users\\ann\\shop', 'C:\\Users\\ann\\shop\\..\\bank\\x'],
    ['C:\\Users\\ann\\shop', '/c/Users/ann/bank/x'],
    ['C:\\Users\\ann\\shop', '\\\\server\\share\\shop\\x'],
    ['C:\\Users\\ann\\shop', 'D:x'],
  ])('from %s: %s', (project, path) =>
    expect(placeInProject(path, project, { platform: 'win32', real: () => undefined })).toBeUndefined(),
  )
})
