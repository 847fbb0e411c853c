import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtCommand } from '../support/built-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'ralph-cold-start-'))
const project = join(folder, 'shop')
const unset = Object.entries(process.env).filter(([name]) => !name.startsWith('RALPH_'))
const env = { ...Object.fromEntries(unset), RALPH_HOME: join(folder, 'home') }
let command: string

beforeAll(async () => {
  command = await builtCommand()
  mkdirSync(join(project, '.ralph', 'db'), { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

/** The bundled files that a command loads. */
function filesOf(words: readonly string[], input = ''): string[] {
  const report = join(folder, 'loaded')
  writeFileSync(report, '')
  const preload = pathToFileURL(join(import.meta.dirname, '../support/report-loaded.mjs')).href
  const { status, stderr } = spawnSync(process.execPath, ['--import', preload, command, ...words], {
    cwd: project,
    env: { ...env, LOADED_FILES: report },
    input,
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
  const urls = readFileSync(report, 'utf8').split('\n')
  return urls.filter((url) => url.includes('/dist/')).map((url) => readFileSync(fileURLToPath(url), 'utf8'))
}

/** The modules in them, ours and of libraries. */
function loadedBy(words: readonly string[], input?: string): string[] {
  return filesOf(words, input).flatMap(modulesIn).sort()
}

function modulesIn(bundled: string): string[] {
  return [...bundled.matchAll(/^\/\/ (\S+\.[cm]?[jt]s)$/gm)].map(([, path]) => path!)
}

it('has no module twice', () => {
  const dist = join(import.meta.dirname, '../../dist')
  const files = globSync(['*.js', 'chunks/*.js'], { cwd: dist })
  const modules = files.flatMap((file) => modulesIn(readFileSync(join(dist, file), 'utf8')))
  expect(modules.length).toBeGreaterThan(500)
  expect(modules.filter((path, at) => modules.indexOf(path) !== at)).toEqual([])
})

// Before Node 22.15 nobody tells what is loaded.
describe.skipIf(!('registerHooks' in nodeModule))('a cold start', () => {
  it('takes of Node only what it uses', () => {
    const files = filesOf(['task', 'list'])
    expect(files.length).toBeGreaterThan(5)
    expect(files.flatMap((text) => text.match(/^import .*"node:.*$/gm) ?? [])).toEqual([])
    expect(files.some((text) => text.includes('getBuiltinModule("node:fs")'))).toBe(true)
  })

  it('loads next to nothing to say the version, or what there is', () => {
    const loaded = loadedBy(['--version'])
    expect(loaded).toContain('src/cli/command-table.ts')
    const light =
      /^src\/(?:cli\/(?!commands\/)|text\/(?:wrap|display-width|shell-word)|files\/project-path|version|installation|deferred|conversation-commands\/command-groups)/
    expect(loaded.filter((path) => !light.test(path))).toEqual([])
    expect(loadedBy(['--help'])).toEqual(loaded)
  })

  it('checks no settings where none are made, and judges none', () => {
    const input = JSON.stringify({ hook_event_name: 'Stop', session_id: 's', cwd: project })
    const loaded = loadedBy(['hook', 'Stop'], input)
    expect(loaded).toContain('src/config.ts')
    expect(filesOf(['hook', 'Stop'], input).length).toBeLessThan(10)
    expect(loaded.filter((path) => /settings-schema|src\/trust\/|\/zod\//.test(path))).toEqual([])
  })

  it('opens nothing for a glance at what an earlier one has kept', () => {
    loadedBy(['status'])
    const loaded = loadedBy(['status'])
    expect(loaded).toContain('src/overview/glance.ts')
    const heavy =
      /\/zod\/|\/yaml\/|\/kysely\/|src\/(?:ralph|drivers|settings-schema)\.ts|src\/(?:retrieval|feature-memory|embedding)\//
    expect(loaded.filter((path) => heavy.test(path) && !path.endsWith('retrieval/relevance.ts'))).toEqual([])
  })

  it('searches without a database where none was made', () => {
    const loaded = loadedBy(['search', 'login', '--json'])
    expect(loaded).toContain('src/recall/recall.ts')
    expect(
      loaded.filter((path) => /\/kysely\/|src\/(?:storage\/sqlite|conversation-memory\/)/.test(path)),
    ).toEqual([])
  })

  it('reads no board where it is not asked for', () => {
    const loaded = loadedBy(['memory', 'recent', '--feature', 'auth'])
    expect(loaded).toContain('src/feature-memory/feature-memory.ts')
    expect(loaded.filter((path) => /\/yaml\/|src\/board\/board\.ts|src\/learnings\//.test(path))).toEqual([])
    const board = loadedBy(['task', 'list'])
    expect(board).toContain('src/board/board.ts')
    expect(board.filter((path) => path.includes('src/board/guard/'))).toEqual([])
  })
})
