import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openRalph } from '../../src/ralph.ts'
import { QdrantSidecar } from '../../src/search-index/qdrant-sidecar.ts'
import { startQdrant } from '../stand-ins/qdrant.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url))

async function world(program = `exec '${process.execPath}' '${script('fake-qdrant.ts')}'`) {
  const home = await temporaryFolder()
  const bin = join(home, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'qdrant'), `#!/bin/sh\n${program}\n`)
  await chmod(join(bin, 'qdrant'), 0o755)
  const url = `http://127.0.0.1:${await freePort()}`
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` }
  const user = (options: Partial<ConstructorParameters<typeof QdrantSidecar>[0]> = {}) => {
    const sidecar = new QdrantSidecar({ home, url, env, lingerMs: 300, ...options })
    onTestFinished(() => sidecar.close())
    return sidecar
  }
  const started = async () =>
    (await readFile(join(home, 'qdrant_storage', 'started'), 'utf8')).trim().split('\n').map(Number)
  onTestFinished(async () => {
    // The folder may go only when nobody writes into it any more.
    await vi.waitFor(
      () =>
        readFile(join(home, 'run', 'qdrant.json')).then(
          () => Promise.reject(new Error('kept')),
          () => undefined,
        ),
      { timeout: 10_000 },
    )
  })
  return { home, url, env, user, started }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}

const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  )
const isGone = (url: string) =>
  vi.waitFor(async () => expect(await answers(url)).toBe(false), { timeout: 10_000, interval: 100 })

// Its stand-in is a shell script: on Windows there is no shell to run it.
describe.skipIf(process.platform === 'win32')('a qdrant beside us (needs /bin/sh)', () => {
  it('is started once for all, and stopped when the last one has gone', async () => {
    const { url, user, started } = await world()
    const [first, second] = [user(), user()]
    await Promise.all([first.ensure(), second.ensure()])
    expect(await answers(url)).toBe(true)
    await first.close()
    // Whoever looks after it has heard of the one who went by the time it greets the next one.
    const third = user()
    await third.ensure()
    await third.close()
    expect(await answers(url)).toBe(true)
    await second.close()
    await isGone(url)
    expect(await started()).toHaveLength(1)
  })

  it('is stopped when its user is killed, and leaves nothing in the way of the next one', async () => {
    const { home, url, env, user, started } = await world()
    const child = spawn(process.execPath, [script('sidecar-user.ts'), home, url], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await isGone(url)
    await user().ensure()
    expect(await answers(url)).toBe(true)
    expect(await started()).toHaveLength(2)
  })

  it('that ends is started again by the next one who wants it', async () => {
    const { url, user, started } = await world()
    const sidecar = user()
    await sidecar.ensure()
    process.kill((await started())[0]!, 'SIGKILL')
    await isGone(url)
    // The next command, at once, and the one that was there before.
    for (const [name, next] of Object.entries({ next: user(), before: sidecar })) {
      await next.ensure()
      expect(await answers(url), name).toBe(true)
    }
    expect(await started()).toHaveLength(2)
  })

  it('ends with the one who keeps it, however that ended, and is started again', async () => {
    const { home, url, user, started } = await world()
    await user().ensure()
    const { pid } = JSON.parse(await readFile(join(home, 'run', 'qdrant.json'), 'utf8')) as { pid: number }
    process.kill(pid, 'SIGKILL')
    await user().ensure()
    expect(await answers(url)).toBe(true)
    // At the same address, which the first one had to leave for that.
    expect(await started()).toHaveLength(2)
  })

  it('that cannot start says why', async () => {
    const log = [
      'thread panicked: storage is of a newer version',
      '2026-11-17T12:00:00Z INFO actix_web::middleware::logger: 127.0.0.1 "GET /readyz HTTP/1.1" 200',
    ]
    const { user } = await world(`${log.map((line) => `echo '${line}' >&2`).join('; ')}; exit 101`)
    await expect(user().ensure()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('storage is of a newer version'),
      hint: expect.stringContaining('qdrant.log'),
    })
  })

  it('that is not installed is missed in one line', async () => {
    const { user } = await world()
    await expect(user({ env: { PATH: '/nowhere' } }).ensure()).rejects.toMatchObject({
      code: 'missing_dependency',
      message: expect.stringContaining('PATH'),
      hint: expect.stringContaining('Install'),
    })
  })

  it('is not started for another machine, nor where one runs already', async () => {
    const { user } = await world()
    await expect(user({ url: 'https://qdrant.example' }).ensure()).rejects.toMatchObject({
      code: 'invalid_input',
    })
    const running = await startQdrant()
    onTestFinished(() => running.close())
    await user({ url: running.url, env: { PATH: '/nowhere' } }).ensure()
  })

  it('serves memory', { timeout: 120_000 }, async () => {
    const { home, url, env } = await world()
    const project = await temporaryFolder()
    const notices: unknown[] = []
    const ralph = await openRalph({
      project,
      home,
      env,
      settings: {
        index: { driver: 'qdrant', url, sidecar: true, apiKey: 'k' },
        embedder: { provider: 'none' },
      },
      onNotice: (notice) => notices.push(notice),
    })
    await ralph.featureMemory.recordIteration(newIteration())
    const found = await ralph.featureMemory.search('authentication', 'middleware returns another shape', {
      minScore: 0,
    })
    expect(found).toMatchObject([{ record: { iterationNumber: 1 } }])
    expect(notices).toMatchObject([{ key: 'embedder' }])
    await ralph.close()
    await isGone(url)
  })
})
