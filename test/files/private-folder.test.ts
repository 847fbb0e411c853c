import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { closeHome } from '../../src/files/private-folder.ts'
import { openRalph } from '../../src/ralph.ts'
import { makeCheckout } from '../support/checkout.ts'
import { temporaryFolder } from '../support/temporary.ts'

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8)

describe.skipIf(process.platform === 'win32')("the user's folder", () => {
  it('is made for its user only, with all that is in it', async () => {
    const folder = await temporaryFolder()
    const home = join(folder, 'home')
    const project = join(folder, 'project')
    makeCheckout(project)
    const ralph = await openRalph({ project, home, env: {}, onNotice: () => undefined })
    await ralph.conversations.search('anything')
    expect(existsSync(home)).toBe(false) // whoever only looks makes nothing
    await ralph.knowledge.gates.request({ gateType: 'review', project, taskId: 1, approach: 'as asked' })
    expect(modeOf(home)).toBe('700')
    const files = ['ralph.db', 'index.db', 'index.db-wal'].filter((name) => existsSync(join(home, name)))
    expect(files).toContain('ralph.db')
    for (const name of files) expect([name, modeOf(join(home, name))]).toEqual([name, '600'])
    await ralph.close()
    for (const name of files.filter((name) => existsSync(join(home, name))))
      expect([name, modeOf(join(home, name))]).toEqual([name, '600'])
  })

  it('is closed where an earlier version left it open, and nothing else is touched', async () => {
    const home = join(await temporaryFolder(), '.ralph')
    mkdirSync(join(home, 'logs'), { recursive: true })
    for (const name of ['ralph.db', 'index.db', 'config.json', 'chat_history', 'logs/hooks.log', 'notes.sh'])
      writeFileSync(join(home, name), '')
    chmodSync(join(home, 'notes.sh'), 0o755)
    chmodSync(home, 0o755)
    closeHome(home)
    expect(modeOf(home)).toBe('700')
    expect(modeOf(join(home, 'logs'))).toBe('700')
    for (const name of ['ralph.db', 'index.db', 'config.json', 'chat_history', 'logs/hooks.log'])
      expect([name, modeOf(join(home, name))]).toEqual([name, '600'])
    expect(modeOf(join(home, 'notes.sh'))).toBe('755')
  })

  it('stays open where it holds what is not ours', async () => {
    const home = await temporaryFolder()
    mkdirSync(join(home, 'public'))
    writeFileSync(join(home, 'ralph.db'), '')
    chmodSync(home, 0o755)
    closeHome(home)
    expect(modeOf(home)).toBe('755')
    expect(modeOf(join(home, 'ralph.db'))).toBe('600')
    const shared = await temporaryFolder()
    writeFileSync(join(shared, 'ralph.db'), '')
    chmodSync(shared, 0o1777)
    closeHome(shared)
    expect(modeOf(shared)).toBe('1777')
  })
})
