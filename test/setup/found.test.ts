import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isPluginEnabled } from '../../src/agent-config/claude-plugin.ts'
import { findAgents } from '../../src/agent-config/found-agents.ts'
import { installedSpec, installForGood, reachOf } from '../../src/setup/installation.ts'
import { needs } from '../support/needs.ts'
import { temporaryFolder } from '../support/temporary.ts'

async function places() {
  const root = await temporaryFolder()
  const [project, userHome, bin] = ['shop', 'user', 'bin'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [project, userHome, bin]) mkdirSync(folder)
  return { root, project, userHome, claudeDir: join(root, 'claude'), bin, searchPath: bin }
}

describe('agents', () => {
  it('are found by their program, by what they left with the user, and by what lies in the project', async () => {
    const where = await places()
    expect(findAgents(where)).toEqual([])
    mkdirSync(join(where.project, '.cursor'))
    mkdirSync(join(where.userHome, '.codeium', 'windsurf'), { recursive: true })
    writeFileSync(join(where.bin, process.platform === 'win32' ? 'gemini.cmd' : 'gemini'), '')
    mkdirSync(where.claudeDir)
    expect(findAgents(where).map(({ client, scope }) => [client, scope])).toEqual([
      ['claude-code', 'project'],
      ['cursor', 'project'],
      ['gemini', 'project'],
      ['windsurf', 'user'],
    ])
  })

  it('may have our plugin, unless nearer settings switch it off', async () => {
    const { project, claudeDir, root } = await places()
    const enabled = () => isPluginEnabled({ project, claudeDir, home: join(root, 'home') })
    const write = (folder: string, on: unknown) => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'settings.json'), JSON.stringify({ enabledPlugins: on }))
    }
    expect(await enabled()).toBe(false)
    write(claudeDir, { 'ralph-memory@ralph-memory': true })
    expect(await enabled()).toBe(true)
    write(join(project, '.claude'), { 'ralph-memory@ralph-memory': false })
    expect(await enabled()).toBe(false)
    writeFileSync(join(project, '.claude', 'settings.json'), '{ broken')
    expect(await enabled()).toBe(true)
  })
})

describe('the installation', () => {
  it('is on the search path, in the project, in a folder, or only passing by', async () => {
    needs('modes')
    const { root, project, bin } = await places()
    const npx = join(root, '_npx', 'a1b2', 'node_modules', 'ralph-memory')
    const own = join(project, 'node_modules', 'ralph-memory')
    mkdirSync(join(npx, 'bin'), { recursive: true })
    const ofNpx = join(npx, '..', '.bin')
    const kind = (packageRoot: string, searchPath = [ofNpx, bin].join(delimiter)) =>
      reachOf({ project, searchPath, root: packageRoot })
    mkdirSync(ofNpx)
    writeFileSync(join(npx, 'package.json'), '{"name":"ralph-memory"}')
    writeFileSync(join(npx, 'bin', 'ralph.js'), '')
    symlinkSync(join(npx, 'bin', 'ralph.js'), join(ofNpx, 'ralph'))
    expect([kind(npx), kind(own), kind(root)]).toEqual(['for_one_run', 'project', 'folder'])
    writeFileSync(join(bin, 'ralph'), 'of somebody else')
    expect(kind(npx)).toBe('for_one_run')
    writeFileSync(join(root, 'package.json'), '{"name":"ralph-memory"}')
    expect(kind(npx)).toBe('search_path')

    expect(installedSpec(npx)).toMatch(/^ralph-memory@\d/)
    writeFileSync(join(npx, '..', '..', 'package.json'), '{"_npx":{"packages":["./ralph.tgz"]}}')
    expect(installedSpec(npx)).toBe('./ralph.tgz')
  })

  it('is made for good by npm, which may refuse', async () => {
    needs('modes')
    const { bin, root } = await places()
    const npm = join(bin, 'npm')
    const runs = (text: string) => {
      writeFileSync(npm, `#!/bin/sh\n${text}\n`)
      chmodSync(npm, 0o755)
    }
    await expect(installForGood('x', join(root, 'nowhere'))).rejects.toThrow('npm is not on the search path')
    runs(`echo "$@" > ${root}/said`)
    await installForGood('ralph-memory@1', bin)
    expect(readFileSync(join(root, 'said'), 'utf8')).toBe(
      'install --global --no-fund --no-audit ralph-memory@1\n',
    )
    runs('exit 243')
    await expect(installForGood('ralph-memory@1', bin)).rejects.toMatchObject({
      message: expect.stringContaining('npm ended with 243'),
      hint: expect.stringContaining('npm install --global ralph-memory@1'),
    })
  })
})
