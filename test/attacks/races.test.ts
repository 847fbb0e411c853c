import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { isRalphError } from '../../src/errors.ts'
import { writeDisposableFile } from '../../src/files/atomic-write.ts'
import { readOwnFile, writeOwnFile } from '../../src/files/own-files.ts'
import { ProjectIdentity } from '../../src/identity/identity.ts'
import { Notices } from '../../src/notices.ts'
import { TrustStore } from '../../src/trust/trust-store.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { tried } from './tried.ts'

/** Something is one thing when it is looked at and another when it is used. */
const SWAPPING = `
  const { renameSync, rmSync, symlinkSync } = require('node:fs')
  const [folder, outside] = process.argv.slice(1)
  const tried = (work) => { try { work() } catch {} }
  process.stdout.write('.')
  for (const until = Date.now() + 20_000; Date.now() < until; ) {
    tried(() => renameSync(folder, folder + '.aside'))
    tried(() => rmSync(folder, { recursive: true, force: true }))
    tried(() => symlinkSync(outside, folder))
    tried(() => rmSync(folder, { recursive: true, force: true }))
    tried(() => renameSync(folder + '.aside', folder))
  }`

describe.skipIf(process.platform === 'win32')('a folder that is swapped for a link again and again', () => {
  it('leads no line of ours out, and brings none of another in', async () => {
    const root = await temporaryFolder()
    const [cache, outside] = [join(root, 'shop/.ralph/cache'), join(root, 'outside')]
    for (const folder of [cache, outside]) mkdirSync(folder, { recursive: true })
    writeFileSync(join(outside, 'there.json'), 'a stranger’s')
    writeFileSync(join(outside, 'kept.json'), 'a stranger’s')
    const swapping = spawn(process.execPath, ['-e', SWAPPING, cache, outside])
    onTestFinished(() => void swapping.kill('SIGKILL'))
    await once(swapping.stdout, 'data')
    let [written, refused] = [0, 0]
    const read = new Set<string>()
    const attempt = (work: () => void) => {
      try {
        work()
        written++
      } catch {
        refused++
      }
    }
    for (const until = Date.now() + 1_500; Date.now() < until; ) {
      attempt(() => writeOwnFile(join(cache, 'kept.json'), 'ours'))
      attempt(() => writeOwnFile(join(cache, 'there.json'), 'ours\n', { access: 'append' }))
      attempt(() => writeDisposableFile(join(cache, 'made.json'), 'ours'))
      attempt(() => read.add(readOwnFile(join(cache, 'there.json')).toString('utf8')))
    }
    tried(written + refused > 100 ? 4 : 0)
    expect(written).toBeGreaterThan(50)
    expect(refused).toBeGreaterThan(50)
    expect(readFileSync(join(outside, 'there.json'), 'utf8')).toBe('a stranger’s')
    expect(readFileSync(join(outside, 'kept.json'), 'utf8')).toBe('a stranger’s')
    expect([...read].join('')).not.toContain('stranger')
    // What was only made there, before that was seen, is empty.
    for (const name of readdirSync(outside)) {
      const path = join(outside, name)
      if (existsSync(path)) expect(readFileSync(path, 'utf8'), name).not.toContain('ours')
    }
  })
})

/** One file is now this and now that, whole each time. */
const FLIPPING = `
  const { renameSync, writeFileSync } = require('node:fs')
  const [file, ...texts] = process.argv.slice(1)
  process.stdout.write('.')
  for (let turn = 0, until = Date.now() + 20_000; Date.now() < until; turn++) {
    try {
      writeFileSync(file + '.next', texts[turn % texts.length])
      renameSync(file + '.next', file)
    } catch {}
  }`

async function flipping(file: string, ...texts: string[]) {
  const child = spawn(process.execPath, ['-e', FLIPPING, file, ...texts])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

const RACING_MS = 600

/** What is replaced faster than it is read is refused: that lets nobody in, either. */
function unlessRefused(error: unknown): undefined {
  if (!isRalphError(error) || error.code !== 'conflict') throw error
}

describe('what a person trusts', () => {
  const loopOf = (command: string) => JSON.stringify({ loop: { agent: [command, 'run.sh'] } })
  const [HONEST, EVIL] = [loopOf('claude'), loopOf('zzevil')]

  async function project() {
    const root = await temporaryFolder()
    const [path, home] = [join(root, 'shop'), join(root, 'home')]
    mkdirSync(join(path, '.ralph'), { recursive: true })
    writeFileSync(join(path, 'run.sh'), 'honest')
    const settings = join(path, '.ralph/rag_config.json')
    writeFileSync(settings, HONEST)
    const config = () => resolveConfig({ project: path, home, env: {} })
    const { paths, project } = await config()
    const store = new TrustStore({ file: paths.trust, project })
    const shown = async () => (await config()).demands.all.map((one) => store.withFiles(one))
    return { path, settings, config, store, shown, paths }
  }

  it('is what was shown, however often the file changes meanwhile', async () => {
    const { settings, store, shown, path, paths } = await project()
    const stop = await flipping(settings, HONEST, EVIL)
    const stopScript = await flipping(join(path, 'run.sh'), 'honest', 'evil')
    const seen = new Set<string>()
    for (const until = Date.now() + RACING_MS; Date.now() < until; ) {
      const demands = await shown().catch(unlessRefused)
      if (!demands) continue
      await store.trustOnly(demands)
      const kept = JSON.parse(readFileSync(paths.trust, 'utf8')).projects
      const lines = Object.values(Object.values(kept)[0] as object).flatMap((one) => one.lines)
      expect(lines).toEqual(demands.flatMap((one) => one.lines))
      seen.add(lines.join())
    }
    await stop()
    await stopScript()
    tried(seen.size)
    expect(seen.size).toBeGreaterThan(1)
  })

  it('is not what was put in its place while they read, nor a script that was', async () => {
    const { settings, config, store, shown, path } = await project()
    tried(2)
    for (const swap of [
      () => writeFileSync(settings, EVIL),
      () => writeFileSync(join(path, 'run.sh'), 'evil'),
    ]) {
      writeFileSync(settings, HONEST)
      writeFileSync(join(path, 'run.sh'), 'honest')
      const demands = await shown()
      swap()
      await store.trustOnly(demands)
      expect((await config()).settings.loop.agent.join()).not.toMatch(/zzevil|run\.sh/)
      writeFileSync(settings, HONEST)
      writeFileSync(join(path, 'run.sh'), 'honest')
      expect((await config()).settings.loop.agent).toEqual(['claude', 'run.sh'])
    }
  })

  it('is kept of every project, however many people and processes trust at once', async () => {
    const root = await temporaryFolder()
    const file = join(root, 'trust.json')
    const { shown } = await project()
    const demands = await shown()
    const names = Array.from({ length: 12 }, (_, at) => join(root, `project-${at}`))
    const stores = names.map((path) => new TrustStore({ file, project: path }))
    tried(names.length)
    await Promise.all(stores.map((store) => store.trustOnly(demands)))
    await Promise.all(stores.slice(6).map((store) => store.trustOnly([])))
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).projects).sort()).toEqual(
      names.slice(0, 6).sort(),
    )
  })
})

describe('the id of a project', () => {
  async function projects() {
    const root = await temporaryFolder()
    return (name: string) => {
      const project = join(root, name)
      mkdirSync(join(project, '.ralph/db'), { recursive: true })
      const paths = {
        identity: join(project, '.ralph/project.json'),
        database: join(project, '.ralph/db'),
        places: join(root, 'home/projects.json'),
      }
      return {
        paths,
        look: () => new ProjectIdentity({ project, paths, notices: new Notices(() => undefined) }),
      }
    }
  }

  it('of another project is not taken over by a file that changes while it is read', async () => {
    const make = await projects()
    const [ours, theirs] = [make('ours'), make('theirs')]
    const { id } = await ours.look().key()
    await theirs.look().key()
    const own = readFileSync(theirs.paths.identity, 'utf8')
    const stop = await flipping(theirs.paths.identity, own, readFileSync(ours.paths.identity, 'utf8'))
    const keys = new Set<string>()
    let looks = 0
    for (const until = Date.now() + RACING_MS; Date.now() < until; looks++) {
      const identity = theirs.look()
      const found = await identity.key().catch(unlessRefused)
      if (!found) continue
      keys.add(found.key)
      expect(found.key).not.toBe(id)
      // For as long as a process runs, it is one project.
      expect((await identity.key()).key).toBe(found.key)
    }
    await stop()
    tried(2)
    expect(looks).toBeGreaterThan(20)
    expect(keys.size).toBeGreaterThan(1)
    expect(await ours.look().key()).toMatchObject({ state: 'named', id })
  })

  it('that several copies carry is that of one of them, whoever is first', async () => {
    const make = await projects()
    const copies = ['a', 'b', 'c', 'd'].map(make)
    const id = '3f0c9a2e-5b1d-4c6e-8f00-000000000001'
    for (const { paths } of copies) writeFileSync(paths.identity, JSON.stringify({ version: 1, id }))
    tried(copies.length)
    const found = await Promise.all(copies.map(({ look }) => look().key()))
    expect(found.filter(({ state }) => state === 'named')).toHaveLength(1)
    expect(new Set(found.map(({ key }) => key)).size).toBe(copies.length)
  })
})
