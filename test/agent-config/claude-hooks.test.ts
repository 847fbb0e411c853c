import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  CLAUDE_HOOKS,
  HOOK_SCOPES,
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

function group(command: string) {
  return { hooks: [{ type: 'command', command }] }
}

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
          command: expect.stringMatching(/ralph\.js'\).* ralph hook PreToolUse$/),
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
    expect((await installedHooks(where))!.flatMap(({ files }) => files)).toEqual([])
    await installHooks(where)
    const installed = (await installedHooks(where))!
    expect(installed).toHaveLength(CLAUDE_HOOKS.length)
    expect(installed.every(({ files }) => files.some((file) => file.endsWith('ralph.js')))).toBe(true)
  })

  const EARLIER = {
    hooks: {
      Stop: [
        group('/usr/bin/node /x/bin/ralph.js hook Stop 2>/dev/null || ralph hook Stop 2>/dev/null || true'),
        group('my-own hook Stop'),
      ],
      PreCompact: [group('ralph hook PreCompact 2>/dev/null || true')],
      SessionEnd: [group('node "C:/Users/a b/bin/ralph.js" hook SessionEnd')],
      SessionStart: [group('ralph hook SessionStart')],
    },
  }

  const SERVER = { server: { name: 'ralph', approve: true } }

  it('that the server answers take its approval with them when they go', async () => {
    const { read, ...where } = await settings(OTHERS)
    await installHooks({ ...where, ...SERVER })
    const written = JSON.parse(read().replace(/\/\/ .*/g, ''))
    expect(written.enabledMcpjsonServers).toEqual(['ralph'])
    expect(written.hooks.PreToolUse[1].hooks[0]).toMatchObject({
      type: 'mcp_tool',
      server: 'ralph',
      tool: 'hook',
      input: { hook_event_name: 'PreToolUse', file_path: `$${'{tool_input.file_path}'}` },
    })
    expect((await installHooks({ ...where, ...SERVER })).action).toBe('unchanged')
    expect(await installedHooks(where)).toHaveLength(CLAUDE_HOOKS.length)
    // Edited since, and by hand: only what is ours goes.
    writeFileSync(where.file, read().replace('my-guard', 'other-guard'))
    await uninstallHooks(where)
    expect(read()).toBe(OTHERS.replace('my-guard', 'other-guard'))
  })

  it('leave an approval that was there before, and servers of others', async () => {
    const before = '{ "enabledMcpjsonServers": ["mine", "ralph"], "model": "a" }'
    const { read, ...where } = await settings(before)
    await installHooks({ ...where, ...SERVER })
    writeFileSync(where.file, read().replace('"a"', '"b"'))
    await uninstallHooks(where)
    expect(JSON.parse(read())).toEqual({ enabledMcpjsonServers: ['mine', 'ralph'], model: 'b' })
    const all = await settings('{ "enableAllProjectMcpServers": true }')
    await installHooks({ ...all, ...SERVER })
    expect(all.read()).not.toContain('enabledMcpjsonServers')
  })

  it('change their way in place', async () => {
    const { read, ...where } = await settings()
    await installHooks(where)
    await installHooks({ ...where, ...SERVER })
    expect(await installedHooks(where)).toHaveLength(CLAUDE_HOOKS.length)
    await installHooks(where)
    expect((await installedHooks(where))!.every(({ command }) => command !== undefined)).toBe(true)
    expect((await uninstallHooks(where)).action).toBe('removed')
  })

  it('as earlier versions wrote them are brought up to date, and those of others left alone', async () => {
    const { read, ...where } = await settings(JSON.stringify(EARLIER))
    expect((await installHooks({ ...where, portable: true })).action).toBe('changed')
    expect(await installedHooks(where)).toHaveLength(CLAUDE_HOOKS.length)
    expect(read()).not.toContain('/dev/null')
    expect(read()).toContain('my-own hook Stop')
  })

  it('as earlier versions wrote them are taken out', async () => {
    const { read, ...where } = await settings(JSON.stringify(EARLIER))
    await uninstallHooks(where)
    expect(JSON.parse(read())).toEqual({ hooks: { Stop: [group('my-own hook Stop')] } })
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
