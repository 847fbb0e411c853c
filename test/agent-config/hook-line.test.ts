import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesOf, hookLine, isOurHook, nodeForHooks } from '../../src/agent-config/hook-line.ts'
import { runsRalph } from '../../src/agent-config/ralph-command.ts'
import { builtCommand } from '../support/built-command.ts'
import { temporaryFolder } from '../support/temporary.ts'

const FROM_PATH =
  "require('child_process').spawnSync(process.argv.slice(1).join(' '),{shell:true,stdio:[0,1]})"
const onWindows = process.platform === 'win32'

describe('the line of a hook', () => {
  it.each([
    [
      'linux' as const,
      { node: '/usr/bin/node', program: '/x/bin/ralph.js' },
      `/usr/bin/node -e "import('file:///x/bin/ralph.js').catch(()=>${FROM_PATH})" ralph hook Stop`,
      ['/usr/bin/node', '/x/bin/ralph.js'],
    ],
    [
      'darwin' as const,
      { node: '/opt/my "node"/node', program: '/a $b\'c"d`e/é!/ralph.js' },
      `"/opt/my \\"node\\"/node" -e "import('file:///a%20%24b%27c%22d%60e/%C3%A9%21/ralph.js').catch(()=>${FROM_PATH})" ralph hook Stop`,
      ['/opt/my "node"/node', '/a $b\'c"d`e/é!/ralph.js'],
    ],
    [
      'win32' as const,
      { node: 'C:\\Program Files\\nodejs\\node.exe', program: 'C:\\Users\\a b\\bin\\ralph.js' },
      `node -e "import('file:///C:/Users/a%20b/bin/ralph.js').catch(()=>${FROM_PATH})" ralph hook Stop`,
      ['C:\\Users\\a b\\bin\\ralph.js'],
    ],
    [
      'win32' as const,
      { node: 'D:\\node\\node.exe', program: 'D:\\ralph\\bin\\ralph.js' },
      `D:/node/node.exe -e "import('file:///D:/ralph/bin/ralph.js').catch(()=>${FROM_PATH})" ralph hook Stop`,
      ['D:/node/node.exe', 'D:\\ralph\\bin\\ralph.js'],
    ],
    ['linux' as const, { node: 'node' }, `node -e "${FROM_PATH}" ralph hook Stop`, []],
    ['win32' as const, { node: 'node' }, `node -e "${FROM_PATH}" ralph hook Stop`, []],
  ])('is one plain call on %s: %j', (platform, start, expected, files) => {
    const line = hookLine('Stop', start, platform)
    expect(line).toBe(expected)
    expect(isOurHook(line)).toBe(true)
    expect(filesOf(line)).toEqual(files)
  })

  it.each([
    ['ralph hook Stop', []],
    ['ralph hook Stop 2>/dev/null || true', []],
    [
      '"/opt/my node/node" "/a \\"b\\"/ralph.js" hook Stop 2>/dev/null || ralph hook Stop 2>/dev/null || true',
      ['/opt/my node/node', '/a "b"/ralph.js'],
    ],
    ['node "C:/Users/a b/ralph.js" hook PreCompact', ['C:/Users/a b/ralph.js']],
    [`node -e "import('file:///x%2Fralph.js')" ralph hook Stop`, []],
  ])('of an earlier version, or edited, is known with the files it names: %s', (line, files) => {
    expect(isOurHook(line)).toBe(true)
    expect(filesOf(line)).toEqual(files)
  })

  it.each(['my-own hook Stop', 'ralphs hook Stop', 'ralph status', 'echo ralph hooks'])(
    'is not taken for ours: %s',
    (line) => expect(isOurHook(line)).toBe(false),
  )
})

/** A stand-in for the installed program: says its words and what it is given. */
const SAYS_WORDS = `import { readFileSync } from 'node:fs'
console.log(JSON.stringify([process.argv.slice(2), readFileSync(0, 'utf8')]))`

describe.skipIf(onWindows)('the line, as /bin/sh runs it', () => {
  async function world() {
    const folder = await temporaryFolder()
    const odd = join(folder, 'a $HOME \'b\' "c" `d` é')
    mkdirSync(odd)
    return { folder, program: join(odd, 'ralph.mjs') }
  }
  const run = (line: string, path: string) => {
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', line], {
      env: { PATH: path },
      input: '{"a":1}',
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }
  const said = `${JSON.stringify([['hook', 'Stop'], '{"a":1}'])}\n`

  it('calls the program, wherever it lies', async () => {
    const { program } = await world()
    writeFileSync(program, SAYS_WORDS)
    const line = hookLine('Stop', { node: process.execPath, program })
    expect(run(line, '/no/such')).toEqual({ status: 0, stdout: said, stderr: '' })
  })

  it('calls the one on the search path where that is gone', async () => {
    const { folder, program } = await world()
    const script = join(folder, 'ralph')
    writeFileSync(join(folder, 'other.mjs'), SAYS_WORDS)
    writeFileSync(
      script,
      `#!/bin/sh\necho trouble >&2\n"${process.execPath}" "${folder}/other.mjs" "$@"\nexit 2\n`,
      { mode: 0o755 },
    )
    for (const start of [{ node: process.execPath, program }, { node: process.execPath }]) {
      expect(run(hookLine('Stop', start), folder)).toEqual({ status: 0, stdout: said, stderr: '' })
    }
  })

  it('says nothing where there is none', async () => {
    const { program } = await world()
    for (const start of [{ node: process.execPath, program }, { node: process.execPath }]) {
      expect(run(hookLine('Stop', start), '/no/such')).toEqual({ status: 0, stdout: '', stderr: '' })
    }
  })
})

describe.skipIf(onWindows)('the Node of a hook', () => {
  async function folders() {
    const root = await temporaryFolder()
    const [here, elsewhere] = [join(root, 'here'), join(root, 'elsewhere')]
    for (const folder of [here, elsewhere]) mkdirSync(folder)
    symlinkSync(process.execPath, join(here, 'node'))
    writeFileSync(join(elsewhere, 'node'), 'another')
    const search = (...parts: string[]) => ({ searchPath: parts.join(delimiter), runs: () => false })
    return { here, elsewhere, search }
  }

  it('is named as the search path spells it, which outlives an update', async () => {
    const { here, search } = await folders()
    expect(nodeForHooks(search('/no/such', here), false)).toBe(join(here, 'node'))
  })

  it('has its name alone in a file that others use, where that leads to one that will do', async () => {
    const { here, elsewhere, search } = await folders()
    expect(nodeForHooks(search(here, elsewhere), true)).toBe('node')
    expect(nodeForHooks(search(elsewhere, here), true)).toBe(process.execPath)
    const runs = (node: string) => node === join(elsewhere, 'node')
    expect(nodeForHooks({ ...search(elsewhere), runs }, true)).toBe('node')
    expect(nodeForHooks({ ...search(elsewhere), runs }, false)).toBe(process.execPath)
    expect(nodeForHooks({ searchPath: undefined, runs }, true)).toBe(process.execPath)
  })

  it('runs ralph, or says that it does not', async () => {
    await builtCommand()
    expect(runsRalph(process.execPath)).toBe(true)
    expect(runsRalph((await folders()).elsewhere)).toBe(false)
  })

  it('is not looked for where npm puts one for the time being', async () => {
    const { here, search } = await folders()
    const bin = join(here, 'node_modules', '.bin')
    mkdirSync(bin, { recursive: true })
    symlinkSync(process.execPath, join(bin, 'node'))
    expect(nodeForHooks(search(bin), true)).toBe(process.execPath)
    expect(nodeForHooks(search(bin, here), false)).toBe(join(here, 'node'))
  })
})
