import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { builtCommand } from '../support/built-command.ts'
import { needs } from '../support/needs.ts'
import { runRalph } from '../support/ralph.ts'
import { rawRequest } from '../support/raw-request.ts'
import { temporaryFolder } from '../support/temporary.ts'

describe('ralph dashboard', { timeout: 120_000 }, () => {
  it('prints its address, serves the page there, and ends cleanly on Ctrl-C with a page that listens', async () => {
    needs('signals')
    const { start } = await world()
    const { address, child, stderr } = await start('--port', '0')
    const { port, search } = new URL(address)
    const { headers } = await rawRequest(Number(port), { path: `/${search}` })
    const cookie = headers['set-cookie']![0]!.split(';')[0]!
    const page = await rawRequest(Number(port), { path: '/', headers: { cookie } })
    expect(page.text).toContain('<div id="page">')
    const [listening] = await once(
      get(`http://127.0.0.1:${port}/api/live`, { headers: { cookie } }),
      'response',
    )
    expect(listening.statusCode).toBe(200)
    const gone = new Promise((resolve) => listening.once('close', resolve))
    listening.on('error', () => undefined).resume() // cut off is as good as ended
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([0, null])
    await gone
    expect(stderr()).toContain('Ctrl-C ends it.')
    await expect(rawRequest(Number(port), { path: '/' })).rejects.toThrow()
  })

  it('says that a port is taken, and takes another where none was asked for', async () => {
    const { start, project, home } = await world()
    const taken = createServer()
    taken.listen(0, '127.0.0.1')
    await once(taken, 'listening')
    onTestFinished(() => void taken.close())
    const { port } = taken.address() as { port: number }
    const refused = await runRalph(['dashboard', '--port', String(port)], { cwd: project, home })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`port ${port} is taken`) })
    expect(refused.stderr).toContain('--port')
    const [first, second] = [await start(), await start()]
    expect(new URL(first.address).port).not.toBe(new URL(second.address).port)
  })

  it.each(['70000', '-1', 'http', ''])('refuses the port %j', async (port) => {
    const { project, home } = await world()
    const { code, stderr } = await runRalph(['dashboard', `--port=${port}`], { cwd: project, home })
    expect(code).toBe(2)
    expect(stderr).toContain('--port must be')
  })

  it.skipIf(process.platform !== 'linux')('opens a browser at an address that is good once', async () => {
    const { start, folder } = await world()
    const [bin, opened] = [join(folder, 'bin'), join(folder, 'opened')]
    mkdirSync(bin)
    writeFileSync(
      join(bin, 'xdg-open'),
      `#!/bin/sh\necho "$1" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`,
    )
    chmodSync(join(bin, 'xdg-open'), 0o755)
    const { address } = await start('--port', '0', '--open', {
      PATH: `${bin}${delimiter}${process.env['PATH']}`,
    })
    await vi.waitFor(() => expect(existsSync(opened)).toBe(true), { timeout: 20_000 })
    const shown = readFileSync(opened, 'utf8').trim()
    expect(shown).not.toBe(address)
    const { port, search } = new URL(shown)
    expect((await rawRequest(Number(port), { path: `/${search}` })).status).toBe(303)
    expect((await rawRequest(Number(port), { path: `/${search}` })).status).toBe(403)
  })

  it('shows the sample project, with nothing of the user’s', async () => {
    const { start, folder, home } = await world()
    const hostile = { RALPH_POSTGRES_URL: 'postgres://nobody@127.0.0.1:1/none', RALPH_STORAGE: 'postgres' }
    const { address } = await start('--port', '0', '--demo', { TMPDIR: folder, TEMP: folder, ...hostile })
    const { port, search } = new URL(address)
    const { headers } = await rawRequest(Number(port), { path: `/${search}` })
    const cookie = headers['set-cookie']![0]!.split(';')[0]!
    const ask = async (path: string) => (await rawRequest(Number(port), { path, headers: { cookie } })).json
    expect(await ask('/api/session')).toMatchObject({ projectName: 'corner-shop', readOnly: false })
    expect((await ask('/api/gates?state=waiting')).items).toHaveLength(2)
    expect(existsSync(join(home, 'ralph.db'))).toBe(false)
  })

  it('goes on without a browser', async () => {
    const { start, folder } = await world()
    const { address, stderr } = await start('--port', '0', '--open', { PATH: folder })
    await vi.waitFor(() => expect(stderr()).toContain('Open the address above yourself'), { timeout: 20_000 })
    expect((await rawRequest(Number(new URL(address).port), { path: '/' })).status).toBe(403)
  })
})

async function world() {
  const command = await builtCommand()
  const folder = await temporaryFolder()
  const [project, home] = [join(folder, 'shop'), join(folder, 'home')]
  mkdirSync(join(project, '.ralph', 'db'), { recursive: true })
  /** Resolves once it has said where it is. */
  const start = async (...args: (string | NodeJS.ProcessEnv)[]) => {
    const words = args.filter((arg) => typeof arg === 'string')
    const extra = args.find((arg) => typeof arg === 'object')
    const env = { PATH: process.env['PATH'], HOME: home, RALPH_HOME: home, ...extra }
    const child: ChildProcess = spawn(process.execPath, [command, 'dashboard', ...words], {
      cwd: project,
      env,
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let talk = ''
    child.stderr!.on('data', (text) => {
      talk += text
    })
    const [printed] = await once(child.stdout!, 'data')
    return { child, address: String(printed).trim(), stderr: () => talk }
  }
  return { start, folder, project, home }
}
