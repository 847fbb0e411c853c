import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  return filesOf(words, input)
    .flatMap((text) => [...text.matchAll(/^\/\/ (\S+\.[cm]?[jt]s)$/gm)])
    .map(([, path]) => path!)
    .sort()
}

// Before Node 22.15 nobody tells what is loaded.
describe.skipIf(!('registerHooks' in nodeModule))('a cold start', () => {
  it('takes of Node only what it uses', () => {
    const files = filesOf(['task', 'list'])
    expect(files.length).toBeGreaterThan(5)
    expect(files.flatMap((text) => text.match(/^import .*"node:.*$/gm) ?? [])).toEqual([])
    expect(files.some((text) => text.includes('getBuiltinModule("node:fs")'))).toBe(true)
  })

  it('loads next to nothing to say the version', () => {
    expect(loadedBy(['--version'])).toEqual(['src/cli/main.ts', 'src/version.ts'])
  })

  it('loads no command to say what there is', () => {
    const loaded = loadedBy(['--help'])
    expect(loaded).toContain('src/cli/command-table.ts')
    const light =
      /^src\/(?:cli\/(?!commands\/)|text\/|version|deferred|conversation-commands\/command-groups)|commander/
    expect(loaded.filter((path) => !light.test(path))).toEqual([])
  })

  it('checks no settings where none are made, and judges none', () => {
    const input = JSON.stringify({ hook_event_name: 'Stop', session_id: 's', cwd: project })
    const loaded = loadedBy(['hook', 'Stop'], input)
    expect(loaded).toContain('src/config.ts')
    expect(filesOf(['hook', 'Stop'], input).length).toBeLessThan(10)
    expect(loaded.filter((path) => /settings-schema|src\/trust\/|\/zod\//.test(path))).toEqual([])
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
