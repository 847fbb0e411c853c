import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  CLAUDE_HOOKS,
  HOOK_SCOPES,
  hookCommand,
  hookEntry,
  hooksFile,
  installedHooks,
  installHooks,
  uninstallHooks,
} from '../../src/agent-config/claude-hooks.ts'
import { temporaryFolder } from '../support/temporary.ts'

const OTHERS = `{
  // my settings
  "permissions": { "allow": ["Bash(npm test)"] },
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "my-guard" }] } // keep
    ],
    "Notification": [{ "hooks": [{ "type": "command", "command": "say hi" }] }]
  }
}
`

async function settings(text?: string) {
  const root = await temporaryFolder()
  const file = join(root, 'shop', '.claude', 'settings.json')
  mkdirSync(dirname(file), { recursive: true })
  if (text !== undefined) writeFileSync(file, text)
  return { file, project: root, home: join(root, 'home'), read: () => readFileSync(file, 'utf8') }
}

describe('hooks in the settings of Claude Code', () => {
  it('are added beside those of others, and taken out without a trace', async () => {
    const { read, ...where } = await settings(OTHERS)
    expect((await installHooks(where)).action).toBe('changed')
    expect(read()).toContain('// my settings')
    expect(read()).toContain('"command": "my-guard" }] }, // keep')
    const events = (await installedHooks(where))!.map(({ event }) => event)
    expect(events.sort()).toEqual(CLAUDE_HOOKS.map(({ event }) => event).sort())
    expect((await installHooks(where)).action).toBe('unchanged')
    expect((await uninstallHooks(where)).action).toBe('changed')
    expect(read()).toBe(OTHERS)
  })

  it('are taken out of a file that was edited since', async () => {
    const { read, ...where } = await settings(OTHERS)
    await installHooks(where)
    writeFileSync(where.file, read().replace('my-guard', 'other-guard'))
    await uninstallHooks(where)
    expect(read()).toBe(OTHERS.replace('my-guard', 'other-guard'))
    expect(await installedHooks(where)).toEqual([])
  })

  it('make the file where there is none, and remove it again', async () => {
    const { read, ...where } = await settings()
    expect((await installHooks(where)).action).toBe('created')
    expect(JSON.parse(read()).hooks.PreToolUse[0]).toMatchObject({
      matcher: 'Bash|PowerShell|Read|Edit|Write|MultiEdit|NotebookEdit',
      hooks: [
        {
          type: 'command',
          command: expect.stringMatching(/ralph\.js hook PreToolUse 2>.*\|\| true$/),
          timeout: 10,
        },
      ],
    })
    expect((await uninstallHooks(where)).action).toBe('removed')
    expect(await installedHooks(where)).toBeUndefined()
  })

  it('of another installation are replaced, not doubled', async () => {
    const { read, ...where } = await settings()
    await installHooks({ ...where, portable: true })
    expect(read()).toContain('"command": "ralph hook Stop 2>/dev/null || true"')
    await installHooks(where)
    expect(read()).not.toContain('"ralph hook Stop')
    expect(await installedHooks(where)).toHaveLength(CLAUDE_HOOKS.length)
  })

  it('are not installed into a file that cannot be read', async () => {
    for (const text of ['{', '{"hooks": []}', '{"hooks": {"Stop": "x"}}']) {
      const { read, ...where } = await settings(text)
      await expect(installHooks(where)).rejects.toThrow(where.file)
      expect(read()).toBe(text)
    }
  })

  it('go where the scope says', () => {
    const places = { project: '/shop', claudeDir: '/home/ann/.claude' }
    expect(HOOK_SCOPES.map((scope) => hooksFile(scope, places))).toEqual([
      '/shop/.claude/settings.json',
      '/shop/.claude/settings.local.json',
      '/home/ann/.claude/settings.json',
    ])
  })
})

describe('an installed hook', () => {
  it.each([
    [
      {
        command: 'C:\\Program Files\\nodejs\\node.exe',
        args: ['C:\\Users\\a b\\bin\\ralph.js', 'hook', 'Stop'],
      },
      'node "C:/Users/a b/bin/ralph.js" hook Stop',
    ],
    [
      { command: 'D:\\node\\node.exe', args: ['D:\\ralph\\bin\\ralph.js', 'hook', 'Stop'] },
      'D:/node/node.exe D:/ralph/bin/ralph.js hook Stop',
    ],
    [undefined, 'ralph hook Stop'],
  ])('is one plain call for any shell of Windows: %j', (own, expected) => {
    expect(hookCommand(own, { command: 'ralph', args: ['hook', 'Stop'] }, 'win32')).toBe(expected)
  })

  it('tells which files it names, in quotes or not', async () => {
    const command = (words: string) => ({ hooks: [{ type: 'command', command: words }] })
    const { file, project, home } = await settings(
      JSON.stringify({
        hooks: {
          Stop: [
            command(
              '"/opt/my node/node" "/a \\"b\\"/ralph.js" hook Stop 2>/dev/null || ralph hook Stop 2>/dev/null || true',
            ),
          ],
          PreCompact: [command('node "C:/Users/a b/ralph.js" hook PreCompact')],
        },
      }),
    )
    expect((await installedHooks({ file, project, home }))!.map(({ files }) => files)).toEqual([
      ['/opt/my node/node', '/a "b"/ralph.js'],
      ['C:/Users/a b/ralph.js'],
    ])
  })

  it.skipIf(process.platform === 'win32')(
    'is silent where neither the path nor the search path leads to ralph (needs /bin/sh)',
    () => {
      const { hooks } = hookEntry({ event: 'Stop' }) as { hooks: { command: string }[] }
      const elsewhere = hooks[0]!.command.replaceAll(process.execPath, '/no/such/node')
      const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', elsewhere], {
        env: { PATH: '/no/such/path' },
        input: '{}',
        encoding: 'utf8',
      })
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
    },
  )
})
