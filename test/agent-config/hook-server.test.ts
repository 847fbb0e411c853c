import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { installedHooks } from '../../src/agent-config/claude-hooks.ts'
import { LEAST_CLAUDE_CODE, serverForHooks } from '../../src/agent-config/hook-server.ts'
import { ralphProgram } from '../../src/agent-config/ralph-command.ts'
import { setUpHooks } from '../../src/agent-config/set-up-hooks.ts'
import { packageRoot } from '../../src/version.ts'
import { temporaryFolder } from '../support/temporary.ts'

const OURS = { command: process.execPath, args: [ralphProgram(), 'mcp', '--project=/shop'] }
const BY_NPX = { command: 'npx', args: ['-y', 'ralph-memory', 'mcp'] }
const IN_PROJECT = (entry: object) => ({ '.mcp.json': { mcpServers: { ralph: entry } } })

async function machine(files: Record<string, object> = {}, version: string | undefined = '2.1.325') {
  const root = await temporaryFolder()
  const project = join(root, 'shop')
  mkdirSync(join(project, '.claude'), { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    const text = JSON.stringify(content).replaceAll('PROJECT', JSON.stringify(project).slice(1, -1))
    writeFileSync(name.startsWith('~') ? join(root, name.slice(2)) : join(project, name), text)
  }
  const place = { project, home: join(root, 'home'), userHome: root, claudeDir: join(root, '.claude') }
  return { ...place, searchPath: '', claudeVersion: () => version }
}

describe('which server answers hooks', () => {
  it.each([
    ['the project names ours', 'local', IN_PROJECT(OURS), { server: { name: 'ralph', approve: true } }],
    [
      'the user has it everywhere',
      'user',
      { '~/.claude.json': { mcpServers: { ralph: OURS } } },
      { server: { name: 'ralph', approve: false } },
    ],
    [
      'the user has it for this project',
      'local',
      { '~/.claude.json': { projects: { PROJECT: { mcpServers: { ralph: OURS } } } } },
      { server: { name: 'ralph', approve: false } },
    ],
    [
      'nobody names one',
      'local',
      {},
      { why: 'no MCP server of ours is set up for Claude Code here', hint: 'ralph mcp config --write' },
    ],
    [
      'only the project has it, and hooks are for all',
      'user',
      IN_PROJECT(OURS),
      { hint: expect.stringContaining('--scope user') },
    ],
    ['others use the file', 'project', IN_PROJECT(OURS), { why: expect.stringContaining('others') }],
    [
      'it was turned off',
      'local',
      { ...IN_PROJECT(OURS), '.claude/settings.local.json': { disabledMcpjsonServers: ['ralph'] } },
      { why: expect.stringContaining('turned off') },
    ],
    // A clone brings what it likes under our name.
    [
      'another program has our name',
      'local',
      IN_PROJECT({ command: '/tmp/evil', args: OURS.args }),
      { why: expect.any(String) },
    ],
    [
      'another file has our place',
      'local',
      IN_PROJECT({ command: process.execPath, args: ['/tmp/evil/ralph.js', 'mcp'] }),
      { why: expect.any(String) },
    ],
    [
      'it is started with more than we said',
      'local',
      IN_PROJECT({ ...OURS, env: { NODE_OPTIONS: '-r ./evil' } }),
      { why: expect.any(String) },
    ],
    [
      'npx would fetch it from wherever the clone says',
      'local',
      IN_PROJECT(BY_NPX),
      {
        why: 'the MCP server ralph that is set up here (npx -y ralph-memory mcp) is not certain to start this copy of ralph',
        hint: 'ralph mcp config --write',
      },
    ],
    [
      'it is not on the search path',
      'local',
      IN_PROJECT({ command: 'ralph', args: ['mcp'] }),
      { why: expect.any(String) },
    ],
  ] as const)('when %s', async (_, scope, files, expected) => {
    expect(serverForHooks({ ...(await machine(files)), scope })).toMatchObject(expected)
  })

  it('and the project has ralph among its own packages', async () => {
    const here = await machine(IN_PROJECT(BY_NPX))
    mkdirSync(join(here.project, 'node_modules'))
    symlinkSync(packageRoot, join(here.project, 'node_modules', 'ralph-memory'), 'junction')
    expect(serverForHooks({ ...here, scope: 'local' })).toHaveProperty('server')
  })

  it.each([
    [undefined, false],
    ['2.1.118', false],
    ['2.1.280', false],
    [LEAST_CLAUDE_CODE, true],
    ['2.2.0', true],
    ['3.0.1', true],
    ['1.9.999', false],
  ])('and Claude Code is %s', async (version, good) => {
    const here = await machine(IN_PROJECT(OURS))
    const found = serverForHooks({ ...here, claudeVersion: () => version, scope: 'local' })
    expect('server' in found).toBe(good)
  })
})

describe('setting hooks up', () => {
  it('takes the server where it can, and stays in the file where they are', async () => {
    const here = await machine(IN_PROJECT(OURS))
    expect(await setUpHooks(here)).toMatchObject({ scope: 'local', way: 'server', action: 'created' })
    expect(await setUpHooks(here)).toMatchObject({ scope: 'local', way: 'server', action: 'unchanged' })
    expect(await setUpHooks({ ...here, way: 'command' })).toMatchObject({ way: 'command', action: 'changed' })
    const shared = await machine(IN_PROJECT(OURS))
    expect(await setUpHooks({ ...shared, portable: true })).toMatchObject({
      scope: 'project',
      way: 'command',
    })
    expect(await setUpHooks(shared)).toMatchObject({
      scope: 'project',
      way: 'command',
      why: expect.any(String),
    })
    expect(await setUpHooks({ ...shared, scope: 'local', shared: true })).toMatchObject({ way: 'command' })
    expect(await setUpHooks({ ...shared, scope: 'project', way: 'server' })).toMatchObject({
      scope: 'project',
      way: 'server',
    })
    const installed = await installedHooks({ ...shared, file: join(shared.project, '.claude/settings.json') })
    expect(installed!.filter(({ server }) => server === 'ralph').map(({ event }) => event)).toEqual([
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUseFailure',
      'Stop',
    ])
  })

  it('refuses a way that would show errors in every session', async () => {
    const without = { ...(await machine()), way: 'server' as const }
    await expect(setUpHooks(without)).rejects.toThrow('no MCP server of ours')
    const old = { ...(await machine(IN_PROJECT(OURS), '2.1.117')), way: 'server' as const }
    await expect(setUpHooks(old)).rejects.toThrow('2.1.117 is older than')
  })
})
