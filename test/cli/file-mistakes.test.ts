import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { Output } from '../../src/cli/output.ts'
import { writeGiven } from '../../src/files/given-file.ts'
import { saidBy } from '../support/in-process.ts'
import { needs, skipBecause } from '../support/needs.ts'
import { temporaryFolder } from '../support/temporary.ts'

let folder: string
let home: string
const at = (name: string) => join(folder, name)

beforeAll(async () => {
  const cleanUp: (() => Promise<void>)[] = []
  folder = await temporaryFolder((undo) => cleanUp.push(undo))
  home = join(folder, 'home')
  mkdirSync(join(folder, '.ralph', 'db'), { recursive: true })
  mkdirSync(at('a-folder'))
  writeFileSync(at('a-file'), 'text')
  writeFileSync(at('locked'), 'text')
  symlinkSync('circle', at('circle'))
  return async () => {
    for (const undo of cleanUp) await undo()
  }
})

/** Every command that takes the path of a file, with the words in front of the path. */
const READING: Record<string, readonly string[]> = {
  'memory record': ['memory', 'record', '--feature', 'auth', '--task-title', 'x', '--transcript'],
  'memory import': ['memory', 'import'],
  'knowledge import': ['knowledge', 'import'],
  'conversations import jsonl': ['conversations', 'import', '--format', 'jsonl'],
  'task add': ['task', 'add', 'x', '--description', '@'],
  'task set': ['task', 'set', '1', '--description', '@'],
  'feature add': ['feature', 'add', 'x', '--architecture', '@'],
  'discipline add': ['discipline', 'add', 'x', '--conventions', '@'],
}
const WRITING: Record<string, readonly string[]> = {
  'memory export': ['memory', 'export', '--output'],
  'knowledge export': ['knowledge', 'export', '--output'],
  'conversations export': ['conversations', 'export'],
  'conversations export --output': ['conversations', 'export', '--output'],
}
const FOLDERS: Record<string, readonly string[]> = {
  'conversations import': ['conversations', 'import'],
}

const LONG = 'n'.repeat(300)
const MISTAKES: Record<string, { path: string; said: RegExp; except?: Record<string, readonly string[]> }> = {
  'is not there': { path: 'nowhere.jsonl', said: /nowhere\.jsonl does not exist/, except: WRITING },
  'is a folder': { path: 'a-folder', said: /a-folder is a folder/, except: FOLDERS },
  'lies in a folder that is not there': { path: 'no/where.jsonl', said: /no does not exist/ },
  'lies below a file': { path: 'a-file/below.jsonl', said: /is not a folder/ },
  'is a link that leads to itself': { path: 'circle', said: /leads in a circle/ },
  'has too long a name': { path: LONG, said: /too long/ },
}

function withPath(words: readonly string[], path: string): string[] {
  return words.at(-1) === '@' ? [...words.slice(0, -1), `@${path}`] : [...words, path]
}

describe.each(Object.keys(MISTAKES))('a path that %s', (name) => {
  const { path, said, except = {} } = MISTAKES[name]!
  const commands = { ...READING, ...WRITING, ...FOLDERS }
  it.each(Object.keys(commands).filter((command) => !(command in except)))('given to %s', async (command) => {
    const { code, stdout, stderr } = await saidBy([...withPath(commands[command]!, path), '--json'], {
      cwd: folder,
      home,
    })
    expect(stderr).toMatch(said)
    expect(stderr).not.toContain('defect')
    const { error } = JSON.parse(stdout)
    expect(error.message).toMatch(said)
    expect(error.hint).toBeTruthy()
    expect(error.code).toMatch(/^(not_found|invalid_input)$/)
    expect(code).toBe(1)
    expect(existsSync(at(path)) && !['a-folder', 'circle'].includes(path)).toBe(false)
  })
})

it('a full disk stops an export with a sentence', async () => {
  skipBecause(existsSync('/dev/full') ? undefined : 'there is no disk that is always full')
  const lines = async function* () {
    for (let line = 0; line < 10_000; line++) yield 'x'.repeat(100)
  }
  await expect(writeGiven('/dev/full', lines(), 'cannot export')).rejects.toMatchObject({
    code: 'disk_full',
    message: 'cannot export: the disk holding /dev/full is full',
  })
})

it('a mistake that nobody expected is no defect either', async () => {
  const output = new Output({})
  const error = Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS', path: '/mnt/x' })
  const spy = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  expect(output.failure(error)).toBe(1)
  const said = spy.mock.calls.map(([chunk]) => String(chunk)).join('')
  spy.mockRestore()
  expect(said).toContain('/mnt/x lies on a disk that can only be read')
  expect(said).not.toContain('defect')
})

it('a file that may not be read is named with its permissions', async () => {
  needs('modes')
  skipBecause(process.getuid?.() === 0 ? 'root may read everything' : undefined)
  chmodSync(at('locked'), 0o000)
  for (const words of Object.values(READING)) {
    const { code, stderr } = await saidBy(withPath(words, 'locked'), { cwd: folder, home })
    expect(stderr).toMatch(/locked cannot be written or read \(EACCES\)\n {2}→ Check the permissions/)
    expect(code).toBe(1)
  }
})

it.each([
  ['nowhere', /the project folder .*nowhere does not exist/],
  ['a-file', /a-file is no folder/],
  ['circle', /leads in a circle/],
])('--project %s is told what is wrong with it', async (path, said) => {
  const { code, stderr } = await saidBy(['status', '--project', path], { cwd: folder, home })
  expect(stderr).toMatch(said)
  expect(stderr).toContain('→')
  expect(code).toBe(1)
})

it('tells nobody to make a folder that they have not named', async () => {
  const { code, stderr } = await saidBy(['conversations', 'import'], {
    cwd: folder,
    home,
    env: { CLAUDE_CONFIG_DIR: at('no-claude') },
  })
  expect(code).toBe(1)
  expect(stderr).toMatch(/no agent has kept sessions.*\n {2}→ .*ralph conversations import PATH/)
})
