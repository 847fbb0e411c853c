import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { factsDir } from '../../../src/hooks/places.ts'
import { TEST_FAILED, world } from '../../hooks/support.ts'
import { runRalph } from '../../support/ralph.ts'

describe('ralph hooks', { timeout: 120_000 }, () => {
  it('installs, tells and takes out', async () => {
    const { project, home } = await world([TEST_FAILED])
    const ralph = (...args: string[]) => runRalph(args, { cwd: project, home })
    expect((await ralph('hooks', 'status', '--json')).json).toMatchObject({
      scopes: [{ scope: 'project', events: [] }, { scope: 'local' }, { scope: 'user' }],
      feature: { name: 'auth', by: 'branch', reason: 'branch "feature/auth"' },
    })
    expect(await ralph('hooks', 'install', '--scope', 'user')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('`ralph feature use NAME` chooses another'),
    })
    expect(await readFile(join(home, '.claude', 'settings.json'), 'utf8')).toContain('hook PreToolUse')
    expect((await ralph('hooks', 'status')).stdout).toContain('✓ user: installed')
    expect((await ralph('mcp', 'config', '--write')).stderr).toContain('→ ralph hooks install')
    expect(await ralph('hooks', 'uninstall', '--scope', 'user')).toMatchObject({ code: 0 })
    expect((await ralph('hooks', 'status', '--json')).json).toMatchObject({
      scopes: [{}, {}, { events: [] }],
    })
    expect(await ralph('hooks', 'install', '--scope', 'world')).toMatchObject({ code: 2 })
    await mkdir(join(project, '.claude'))
    await writeFile(join(project, '.claude', 'settings.json'), '{ oops')
    expect((await ralph('hooks', 'status')).stdout).toMatch(
      /✗ project: .*settings\.json: not valid JSON.*line 1/,
    )
    const refused = await ralph('hooks', 'install', '--scope', 'project')
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('It was not changed.') })
  })

  it('has the very first session told', async () => {
    const { project, home, hook, ralph } = await world([TEST_FAILED])
    await runRalph(['hooks', 'install'], { cwd: project, home })
    expect(await readdir(join(factsDir(ralph.config), 'features'))).toEqual(['auth.json'])
    expect((await hook('SessionStart', { source: 'startup' })).context).toContain(
      'Memory of the feature "auth"',
    )
  })
})
