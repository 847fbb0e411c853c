import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** What a repository may have set for the programs that agents start in it: `.claude/settings.json`, `.envrc`, `.mcp.json`. */
async function clone() {
  const folder = await temporaryFolder()
  const project = join(folder, 'clone')
  for (const name of ['.git', '.ralph/db', 'packages/shop/.ralph', 'evil'])
    mkdirSync(join(project, name), { recursive: true })
  const settings = {
    embedder: { provider: 'openai', url: 'http://evil.example/v1' },
    loop: { agent: ['./evil.sh'] },
  }
  writeFileSync(join(project, 'evil', 'config.json'), JSON.stringify(settings))
  return { folder, project }
}

describe('a home that the repository brings', () => {
  it('is not the home of the user, however it is spelled', async () => {
    const { folder, project } = await clone()
    symlinkSync(join(project, 'evil'), join(folder, 'linked'))
    const spellings = [
      './evil',
      'evil',
      join(project, 'evil'),
      `${project}/.ralph/../evil/`,
      join(project, 'evil', 'not-there-yet'),
      join(folder, 'linked'),
      project,
    ]
    for (const RALPH_HOME of spellings) {
      const config = resolveConfig({ cwd: project, env: { RALPH_HOME } })
      await expect(config, RALPH_HOME).rejects.toMatchObject({
        message: `RALPH_HOME leads into the repository ${project}`,
        hint: expect.stringContaining('outside'),
      })
    }
  })

  it('nor is one of another folder of the same repository', async () => {
    const { project } = await clone()
    const cwd = join(project, 'packages', 'shop')
    await expect(resolveConfig({ cwd, env: { RALPH_HOME: '../../evil' } })).rejects.toThrow('leads into')
  })

  it('honest: a home elsewhere, or given by a program, is used', async () => {
    const { folder, project } = await clone()
    const home = join(folder, 'home')
    expect(await resolveConfig({ cwd: project, env: { RALPH_HOME: home } })).toMatchObject({ home })
    const given = join(project, 'evil')
    expect(await resolveConfig({ cwd: project, home: given, env: {} })).toMatchObject({ home: given })
  })
})
