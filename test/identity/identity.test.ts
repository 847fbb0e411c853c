import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { ProjectIdentity } from '../../src/identity/identity.ts'
import { type Notice, Notices } from '../../src/notices.ts'
import { temporaryFolder } from '../support/temporary.ts'

let folder: string
let said: Notice[]
beforeEach(async () => {
  folder = await temporaryFolder()
  said = []
})

/** A process of its own would see it like this. */
function identityOf(name: string): ProjectIdentity {
  const project = join(folder, name)
  const ralph = join(project, '.ralph')
  const paths = {
    identity: join(ralph, 'project.json'),
    database: join(ralph, 'db'),
    places: join(folder, 'home', 'projects.json'),
  }
  return new ProjectIdentity({ project, paths, notices: new Notices((notice) => said.push(notice)) })
}

function makeProject(name: string): string {
  mkdirSync(join(folder, name, '.ralph', 'db'), { recursive: true })
  return join(folder, name)
}

const fileOf = (name: string) => join(folder, name, '.ralph', 'project.json')
const copy = (from: string, to: string) => cpSync(join(folder, from), join(folder, to), { recursive: true })
const git = (name: string, ...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], {
    cwd: join(folder, name),
    stdio: 'pipe',
  })

describe('the id of a project', () => {
  it('is made where there is memory, and nowhere else', async () => {
    mkdirSync(join(folder, 'plain'))
    expect(await identityOf('plain').key()).toMatchObject({ state: 'unnamed', key: join(folder, 'plain') })
    expect(existsSync(join(folder, 'plain', '.ralph'))).toBe(false)
    makeProject('shop')
    const identity = identityOf('shop')
    expect(identity.look().state).toBe('unnamed')
    expect(existsSync(fileOf('shop'))).toBe(false)
    const { key, state } = await identity.key()
    expect(state).toBe('named')
    expect(JSON.parse(readFileSync(fileOf('shop'), 'utf8'))).toMatchObject({ id: key })
    expect((await identityOf('shop').key()).key).toBe(key)
  })

  it('is one for all who come at once', async () => {
    makeProject('shop')
    const keys = await Promise.all(
      Array.from({ length: 20 }, async () => (await identityOf('shop').key()).key),
    )
    expect(new Set(keys).size).toBe(1)
  })

  it('is the path where nothing can be written', async () => {
    const project = makeProject('shop')
    // A file stands where the folder of ids would be: works for every user, root too.
    rmSync(join(project, '.ralph'), { recursive: true })
    writeFileSync(join(project, '.ralph'), '')
    expect(await identityOf('shop').key()).toMatchObject({ state: 'unnamed', key: project })
  })

  it('goes on where the user folder cannot be written', async () => {
    makeProject('shop')
    writeFileSync(join(folder, 'home'), '')
    const { key, state } = await identityOf('shop').key()
    expect(state).toBe('named')
    copy('shop', 'copy')
    expect((await identityOf('copy').key()).key).toBe(key)
  })

  it.each([
    ['a path', { id: '../../home/me/shop' }],
    ['another type', { id: 7 }],
    ['a list', ['5b0c3a52-9d1f-4c37-8a46-1c1f2f0d9e11']],
    ['another form of UUID', { id: '5B0C3A52-9D1F-4C37-8A46-1C1F2F0D9E11' }],
    ['nothing', {}],
  ])('refuses %s as an id, in one line', async (_, content) => {
    makeProject('shop')
    writeFileSync(fileOf('shop'), JSON.stringify(content))
    expect(await identityOf('shop').key()).toMatchObject({ state: 'unnamed', key: join(folder, 'shop') })
    expect(said).toHaveLength(1)
    expect(said[0]!.message).toContain('project.json')
    expect(JSON.parse(readFileSync(fileOf('shop'), 'utf8'))).toEqual(content)
  })

  it('refuses a file that is a link, a folder, too long, or no JSON', async () => {
    makeProject('shop')
    const secret = join(folder, 'elsewhere.json')
    writeFileSync(secret, '{"id":"5b0c3a52-9d1f-4c37-8a46-1c1f2f0d9e11"}')
    const ways: (() => void)[] = [
      () => symlinkSync(secret, fileOf('shop')),
      () => mkdirSync(fileOf('shop')),
      () =>
        writeFileSync(
          fileOf('shop'),
          `{"id":"5b0c3a52-9d1f-4c37-8a46-1c1f2f0d9e11","x":"${'x'.repeat(1 << 20)}"}`,
        ),
      () => writeFileSync(fileOf('shop'), '<<<<<<< HEAD\n{"id":"5b0c3a52-9d1f-4c37-8a46-1c1f2f0d9e11"}'),
    ]
    for (const put of ways) {
      put()
      said = []
      expect((await identityOf('shop').key()).state).toBe('unnamed')
      expect(said).toHaveLength(1)
      rmSync(fileOf('shop'), { recursive: true })
    }
  })

  it('survives a branch without the file and a merge in it', async () => {
    makeProject('shop')
    const { key } = await identityOf('shop').key()
    rmSync(fileOf('shop'))
    expect(await identityOf('shop').key()).toMatchObject({ state: 'named', key })
    expect(existsSync(fileOf('shop'))).toBe(false)
    writeFileSync(fileOf('shop'), '<<<<<<< HEAD\n')
    expect(await identityOf('shop').key()).toMatchObject({ state: 'named', key })
    expect(said).toHaveLength(1)
  })
})

describe('the same id in two folders', () => {
  it('is another project at a path that one has left', async () => {
    makeProject('workspace')
    const first = await identityOf('workspace').key()
    renameSync(join(folder, 'workspace'), join(folder, 'a'))
    makeProject('workspace')
    const second = await identityOf('workspace').key()
    expect(second.key).not.toBe(first.key)
    expect(await identityOf('a').key()).toMatchObject({ state: 'named', key: first.key })
  })

  it('moves on with a project that was moved', async () => {
    makeProject('shop')
    const { key } = await identityOf('shop').key()
    renameSync(join(folder, 'shop'), join(folder, 'store'))
    expect(await identityOf('store').key()).toMatchObject({ state: 'named', key, elsewhere: [] })
    expect(said).toEqual([])
  })

  it('keeps a copy apart until a person says that it is the same project', async () => {
    makeProject('shop')
    const { key } = await identityOf('shop').key()
    copy('shop', 'copy')
    const apart = await identityOf('copy').key()
    expect(apart).toMatchObject({ state: 'apart', id: key, elsewhere: [join(folder, 'shop')] })
    expect(apart.key).not.toBe(key)
    expect((await identityOf('copy').key()).key).toBe(apart.key)
    expect(said[0]).toMatchObject({ hint: expect.stringContaining('ralph project id --same') })
    expect(await identityOf('shop').key()).toMatchObject({ state: 'named', key })

    const same = await identityOf('copy').decide('same')
    expect(same).toMatchObject({ state: 'named', key, formerly: [join(folder, 'copy'), apart.key] })
    expect(await identityOf('copy').key()).toMatchObject({ state: 'named', key })
    expect(await identityOf('shop').key()).toMatchObject({
      state: 'named',
      key,
      elsewhere: [join(folder, 'copy')],
    })
  })

  it('makes a copy a project of its own, with what was kept apart', async () => {
    makeProject('shop')
    const { key } = await identityOf('shop').key()
    copy('shop', 'copy')
    const apart = await identityOf('copy').key()
    const own = await identityOf('copy').decide('new')
    expect(own).toMatchObject({ state: 'named', key: apart.key, id: apart.key })
    expect(JSON.parse(readFileSync(fileOf('copy'), 'utf8'))).toMatchObject({ id: apart.key })
    expect(await identityOf('shop').key()).toMatchObject({ state: 'named', key, elsewhere: [] })
  })

  it('lets a copy go on as the project once the original is gone', async () => {
    makeProject('shop')
    const { key } = await identityOf('shop').key()
    copy('shop', 'copy')
    const apart = await identityOf('copy').key()
    rmSync(join(folder, 'shop'), { recursive: true })
    expect(await identityOf('copy').key()).toMatchObject({
      state: 'named',
      key,
      formerly: [join(folder, 'copy'), apart.key],
    })
  })

  it('asks for each of several copies, whoever of them comes first', async () => {
    makeProject('shop')
    await identityOf('shop').key()
    for (const name of ['b', 'c']) copy('shop', name)
    const found = await Promise.all(['b', 'c', 'shop'].map((name) => identityOf(name).key()))
    expect(found.map(({ state }) => state)).toEqual(['apart', 'apart', 'named'])
    expect(new Set(found.map(({ key }) => key)).size).toBe(3)
  })

  it('takes worktrees and clones for the same project', async () => {
    makeProject('shop')
    const { key } = await identityOf('shop').key()
    git('shop', 'init', '-q')
    git('shop', 'add', '.ralph/project.json')
    git('shop', 'commit', '-q', '-m', 'one')
    git('shop', 'worktree', 'add', '-q', '../tree')
    git('shop', 'clone', '-q', '.', '../clone')
    git('clone', 'remote', 'set-url', 'origin', 'https://me:secret@Example.com/team/shop.git')
    git('shop', 'remote', 'add', 'origin', 'git@example.com:team/shop.git')
    git('shop', 'clone', '-q', '.', '../local')
    for (const name of ['tree', 'clone', 'local'])
      expect(await identityOf(name).key()).toMatchObject({ state: 'named', key })
    expect(said).toEqual([])
  })

  it('asks about a repository of somebody else that carries the id', async () => {
    makeProject('shop')
    await identityOf('shop').key()
    git('shop', 'init', '-q')
    git('shop', 'remote', 'add', 'origin', 'https://example.com/team/shop.git')
    makeProject('evil')
    cpSync(fileOf('shop'), fileOf('evil'))
    git('evil', 'init', '-q')
    git('evil', 'remote', 'add', 'origin', 'https://example.com/evil/shop.git')
    expect((await identityOf('evil').key()).state).toBe('apart')
    rmSync(join(folder, 'evil', '.git'), { recursive: true })
    // A pointer to somebody's repository, which knows nothing of it.
    writeFileSync(join(folder, 'evil', '.git'), `gitdir: ${join(folder, 'shop', '.git')}\n`)
    expect((await identityOf('evil').key()).state).toBe('apart')
  })

  it('takes over an id that was given up, and none that is in use', async () => {
    makeProject('shop')
    makeProject('bank')
    const { key } = await identityOf('shop').key()
    const bank = await identityOf('bank').key()
    await expect(identityOf('shop').takeOver(bank.key)).rejects.toThrow('is the project with that id')
    rmSync(join(folder, 'bank'), { recursive: true })
    await identityOf('shop').takeOver(bank.key)
    expect(await identityOf('shop').key()).toMatchObject({ key, formerly: [join(folder, 'shop'), bank.key] })
  })

  it('asks about a second folder of the same repository', async () => {
    makeProject('mono/packages/one')
    git('mono', 'init', '-q')
    git('mono', 'remote', 'add', 'origin', 'https://example.com/team/mono.git')
    await identityOf('mono/packages/one').key()
    copy('mono/packages/one', 'mono/packages/two')
    expect((await identityOf('mono/packages/two').key()).state).toBe('apart')
  })
})
