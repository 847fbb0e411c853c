import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { CLAUDE_HOOKS } from '../../src/agent-config/claude-hooks.ts'
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
      expect(hooks[event]).toEqual([
        {
          ...(matcher && { matcher }),
          hooks: [
            {
              type: 'command',
              command: `node "\${CLAUDE_PLUGIN_ROOT}/ralph.mjs" hook ${event}`,
              timeout: 10,
            },
          ],
        },
      ])
    }
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
    copyFileSync(join(plugin, 'ralph.mjs'), copy)
    const run = (launcher: string, args: string[], path: string) =>
      spawnSync(process.execPath, [launcher, ...args], {
        env: { PATH: path, HOME: folder },
        input: '{}',
        encoding: 'utf8',
      })
    expect(run(join(plugin, 'ralph.mjs'), ['--version'], bin)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\d/),
    })
    expect(run(copy, ['hook', 'Stop'], bin)).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(run(copy, ['mcp'], bin)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('npm install'),
    })
    symlinkSync(command, join(bin, 'ralph'))
    expect(run(copy, ['--version'], bin)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d/) })
  })
})
