import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { CLAUDE_HOOKS } from '../../src/agent-config/claude-hooks.ts'
import { canBeServed, servedHook } from '../../src/agent-config/served-hook.ts'
import { builtCommand } from '../support/built-command.ts'
import { temporaryFolder } from '../support/temporary.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const plugin = join(root, 'plugins', 'claude-code')
const readJson = (path: string) => JSON.parse(readFileSync(join(plugin, path), 'utf8'))

describe('the Claude Code plugin', () => {
  it('listens to what `ralph hooks install` installs', () => {
    const { hooks } = readJson('hooks/hooks.json')
    expect(Object.keys(hooks)).toEqual(CLAUDE_HOOKS.map(({ event }) => event))
    for (const { event, matcher } of CLAUDE_HOOKS) {
      const hook = canBeServed(event)
        ? servedHook(event, 'plugin:ralph-memory:ralph')
        : { type: 'command', command: `node "\${CLAUDE_PLUGIN_ROOT}/ralph.mjs" hook ${event}` }
      expect(hooks[event]).toEqual([{ ...(matcher && { matcher }), hooks: [{ ...hook, timeout: 10 }] }])
    }
    // As Claude Code calls the servers of a plugin: by its name and theirs.
    expect(readJson('.claude-plugin/plugin.json').name).toBe('ralph-memory')
    expect(Object.keys(readJson('.mcp.json').mcpServers)).toEqual(['ralph'])
  })

  it('is what the marketplace of this repository offers', () => {
    const { name, plugins } = JSON.parse(
      readFileSync(join(root, '.claude-plugin', 'marketplace.json'), 'utf8'),
    )
    const [offered] = plugins
    expect(plugins).toHaveLength(1)
    expect(join(root, offered.source)).toBe(plugin)
    expect(offered.name).toBe(readJson('.claude-plugin/plugin.json').name)
    // As every text of ours names it.
    expect(`${offered.name}@${name}`).toBe('ralph-memory@ralph-memory')
    const { files, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(files).toEqual(expect.arrayContaining(['.claude-plugin', 'plugins']))
    // `npx ralph-memory` starts the command whose name is that of the package.
    expect(bin['ralph-memory']).toBe(bin.ralph)
  })

  it('has the version of the package, and shows its tools at once', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(readJson('.claude-plugin/plugin.json').version).toBe(version)
    expect(readJson('.mcp.json').mcpServers.ralph.alwaysLoad).toBe(true)
  })

  it('finds ralph beside itself, on the search path, or says nothing', async () => {
    const command = await builtCommand()
    const folder = await temporaryFolder()
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    const copy = join(folder, 'ralph.mjs')
    for (const file of ['ralph.mjs', 'stand-in.mjs']) copyFileSync(join(plugin, file), join(folder, file))
    const run = (launcher: string, args: string[], path: string, input = '{}') =>
      spawnSync(process.execPath, [launcher, ...args], {
        env: { PATH: path, HOME: folder },
        input,
        encoding: 'utf8',
      })
    expect(run(join(plugin, 'ralph.mjs'), ['--version'], bin)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\d/),
    })
    expect(run(copy, ['hook', 'Stop'], bin)).toMatchObject({ status: 0, stdout: '', stderr: '' })
    // Said where the user sees it, once, and by a server that only keeps hooks from being errors.
    expect(run(copy, ['hook', 'SessionStart'], bin)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\{"systemMessage":"Ralph Memory is off in this session: .*npm install/),
    })
    const compacted = '{"source":"compact"}'
    expect(run(copy, ['hook', 'SessionStart'], bin, compacted)).toMatchObject({ status: 0, stdout: '' })
    const asked = ['initialize', 'server/discover', 'tools/list', 'tools/call'].map((method, id) =>
      JSON.stringify({ jsonrpc: '2.0', id, method, params: { protocolVersion: '2025-11-25' } }),
    )
    const server = run(copy, ['mcp'], bin, `${asked.join('\n')}\n`)
    expect(server).toMatchObject({ status: 1, stderr: expect.stringContaining('npm install') })
    expect(
      server.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { id: 0, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} } } },
      { id: 1, error: { code: -32601 } },
      { id: 2, result: { tools: [] } },
      { id: 3, result: { content: [] } },
    ])
    symlinkSync(command, join(bin, 'ralph'))
    expect(run(copy, ['--version'], bin)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d/) })
  })

  it('says in a session what an old Node is to it: once, by a hook, or by the server where no hook can', async () => {
    const old = `data:text/javascript,${encodeURIComponent(
      "Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.1.0'}})",
    )}`
    const run = (words: string[], input: string, env: NodeJS.ProcessEnv = {}) =>
      spawnSync(process.execPath, ['--import', old, join(root, 'bin', 'ralph.js'), ...words], {
        env,
        input,
        encoding: 'utf8',
      })
    const started = run(['hook', 'SessionStart'], '{"source":"startup"}')
    expect(started).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(started.stdout)).toEqual({
      systemMessage: expect.stringMatching(
        /^Ralph Memory is off in this session: ralph needs Node 22.13 .* → install/,
      ),
    })
    expect(run(['hook', 'Stop'], '{}')).toMatchObject({ status: 0, stdout: '', stderr: '' })
    const asked = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}\n'
    const refused = {
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^error: .*Node 22.13.*\n {2}→ install/),
    }
    expect(run(['mcp'], asked)).toMatchObject(refused)
    expect(run(['status'], '')).toMatchObject(refused)
    // Claude Code shows an error for every hook that its server does not answer: there has to be one.
    const { stdout } = run(['mcp'], asked, { CLAUDECODE: '1' })
    expect(JSON.parse(stdout).result.instructions).toMatch(/^Ralph Memory is off .*Tell the user so once\.$/)
  })
})
