import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeCheckout } from '../support/checkout.ts'
import { runRalph } from '../support/ralph.ts'
import { temporaryFolder } from '../support/temporary.ts'

let root: string
beforeEach(async () => {
  root = await temporaryFolder()
  makeCheckout(join(root, 'shop'))
})

const ralph = (name: string, args: string[], env: NodeJS.ProcessEnv = {}) =>
  runRalph(args, {
    cwd: join(root, name),
    home: join(root, 'home'),
    env: { RALPH_EMBEDDER: 'none', ...env },
  })
const identityFile = () => join(root, 'shop', '.ralph', 'project.json')
const idOf = async (name: string) => (await ralph(name, ['project', 'id', '--json'])).json as { id: string }

describe('ralph project', { timeout: 120_000 }, () => {
  it('names a project when it is set up, and not for a look', async () => {
    expect((await ralph('shop', ['project', 'id', '--json'])).json).toMatchObject({
      id: null,
      state: 'unnamed',
    })
    await ralph('shop', ['status'])
    expect(existsSync(identityFile())).toBe(false)
    expect((await ralph('shop', ['init'])).stdout).toContain('+ .ralph/project.json')
    const { id } = JSON.parse(readFileSync(identityFile(), 'utf8'))
    expect(await idOf('shop')).toMatchObject({ id, state: 'named', elsewhere: [] })
    expect((await ralph('shop', ['init'])).stdout).toContain('.ralph/ is there already')
    rmSync(identityFile())
    expect((await ralph('shop', ['doctor'])).stdout).toMatch(/! project: .*project\.json is missing/)
    await ralph('shop', ['doctor', '--fix'])
    expect((await ralph('shop', ['doctor'])).stdout).toContain('✓ project')
  })

  it('says what a copy waits for, and lets a person decide, not an agent', async () => {
    await ralph('shop', ['init'])
    await ralph('shop', ['gate', 'list'])
    const { id } = await idOf('shop')
    cpSync(join(root, 'shop'), join(root, 'copy'), { recursive: true })
    const shown = await ralph('copy', ['project'])
    expect(shown.stdout).toMatch(/which had the id first[\s\S]*ralph project id --same, or --new/)
    expect((await ralph('copy', ['status'])).stdout).toMatch(
      /kept apart until a person says[^→]*→ ralph project id --same, or --new/,
    )
    expect((await ralph('copy', ['doctor'])).stdout).toMatch(
      /! project: this folder has the id of the project in/,
    )
    expect((await ralph('copy', ['gate', 'list'])).stderr).toContain('ralph project id --same, or --new')
    expect((await ralph('shop', ['gate', 'list'])).stderr).not.toContain('project id')

    const refused = await ralph('copy', ['project', 'id', '--new'], { CLAUDECODE: '1' })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('an agent cannot decide') })
    expect((await ralph('copy', ['project', 'id', '--new', '--same'])).code).toBe(2)
    const made = (await ralph('copy', ['project', 'id', '--new', '--json'])).json
    expect(made).toMatchObject({ state: 'named', elsewhere: [] })
    expect(made).not.toMatchObject({ id })
    expect((await ralph('copy', ['status'])).stdout).not.toContain('kept apart')
    expect((await ralph('shop', ['status', '--json'])).json).toMatchObject({
      identity: { id, state: 'named' },
    })
  })
})
