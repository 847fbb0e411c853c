import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { dashboardApi } from '../../src/dashboard/api/api.ts'
import { Keys } from '../../src/dashboard/keys.ts'
import { projectChanges } from '../../src/dashboard/live/project-changes.ts'
import { startDashboard } from '../../src/dashboard/serve.ts'
import { WriteLimit } from '../../src/dashboard/write-limit.ts'
import { openRalph } from '../../src/ralph.ts'
import { builtCommand } from '../support/built-command.ts'
import { dashboardWorld } from '../support/dashboard.ts'
import { type RawAnswer, type RawRequest, rawRequest } from '../support/raw-request.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { tried } from './tried.ts'

const PAGES = [
  '/',
  '/index.html',
  '/gates',
  '/api/session',
  '/api/gates?state=waiting',
  '/api/live',
  '/assets/x.js',
]

it('lets nobody in without its cookie, and tells them nothing', async () => {
  const { port, project, token, cookie } = await world()
  const [name, value] = cookie.split('=') as [string, string]
  const others = [
    {},
    { cookie: '' },
    { cookie: `${name}=` },
    { cookie: `${name}=${token}` }, // the one is not the other
    { cookie: `${name}=${value.slice(0, -1)}` },
    { cookie: `${name}=${value}x` },
    { cookie: `ralph-${port + 1}=${value}` },
    { authorization: `Bearer ${token}` },
  ]
  for (const headers of others) {
    for (const path of PAGES) {
      tried(1)
      const answer = await rawRequest(port, { path, headers })
      expect(answer.status, `${path} ${JSON.stringify(headers)}`).toBe(403)
      expect(answer.text).not.toContain(project)
      expect(answer.text).not.toContain('shop')
      expect(answer.text).not.toContain('<script')
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
  }
})

it('answers a wrong token with what to do, and takes no cookie away for it', async () => {
  const { port, token, cookie } = await world()
  for (const wrong of ['', 'x', token.slice(1), `${token}x`, token.toLowerCase(), '%00', '[]']) {
    const answer = await rawRequest(port, { path: `/?token=${wrong}`, headers: { cookie } })
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('Open the address that ralph dashboard printed')
    expect(answer.headers['set-cookie']).toBeUndefined()
  }
  const twice = await rawRequest(port, { path: `/?token=wrong&token=${token}` })
  expect(twice.status).toBe(403)
  // Neither in a body nor with a change is a token what it is in an address.
  const posted = await rawRequest(port, { method: 'POST', path: `/?token=${token}`, body: `token=${token}` })
  expect(posted.status).toBe(403)
})

it('exchanges the token for a cookie that no script and no other site gets, and goes on inside itself', async () => {
  const { port, token } = await world()
  for (const path of ['/', '//evil.example/', '/\\evil.example', '/%2f/evil.example', '/..//evil.example']) {
    const answer = await rawRequest(port, { path: `${path}?token=${token}&q=1` })
    // What is no path at all is refused as such.
    expect(answer.status, path).toBeOneOf(path === '/' ? [303] : [303, 400])
    if (answer.status === 400) continue
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(new RegExp(`^ralph-${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`)),
    ])
    const target = new URL(answer.headers.location!, `http://127.0.0.1:${port}`)
    expect(target.host).toBe(`127.0.0.1:${port}`)
    expect(target.searchParams.get('token')).toBeNull()
    expect(target.searchParams.get('q')).toBe('1')
  }
})

it('lets an address for one use in once, and not too late', async () => {
  const { port, dashboard } = await world()
  const ticket = new URL(dashboard.addressForOnce()).search
  expect((await rawRequest(port, { path: `/${ticket}` })).status).toBe(303)
  expect((await rawRequest(port, { path: `/${ticket}` })).status).toBe(403)
  let now = 0
  const keys = new Keys(() => now)
  const late = keys.ticket()
  now = 120_000
  expect(keys.opens(late)).toBe(false)
  expect(keys.opens(keys.token)).toBe(true)
})

it('does nothing for a page of another site', async () => {
  const { ask, approve, isWaiting, port } = await world()
  const elsewhere: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `http://127.0.0.1:${port + 1}` },
    { origin: `http://localhost:${port}` }, // asked under the other of its names
    { origin: `http://127.0.0.1:${port}.evil.example` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'cross-site' },
  ]
  for (const headers of elsewhere) {
    tried(3)
    expect((await ask({ path: '/api/session', headers })).status).toBe(403)
    expect((await approve(headers)).status).toBe(403)
    const preflight = await ask({ method: 'OPTIONS', path: '/api/session', headers })
    expect(preflight.status).toBe(403)
    expect(Object.keys(preflight.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  }
  // A change that says nothing of where it comes from comes from no browser.
  expect((await approve({})).status).toBe(403)
  expect(await isWaiting()).toBe(true)
})

it('shows a link from elsewhere nothing but the way to itself', async () => {
  const { ask } = await world()
  const followed = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  }
  const answer = await ask({ path: `/search?q="><script>alert(1)</script>`, headers: followed })
  expect(answer.status).toBe(200)
  expect(answer.text).not.toContain('<script')
  expect(answer.text).toContain('http-equiv="refresh"')
  const framed = await ask({ path: '/', headers: { ...followed, 'sec-fetch-dest': 'iframe' } })
  expect(framed.status).toBe(403)
  expect((await ask({ path: '/api/session', headers: followed })).status).toBe(403)
})

it('answers under its own names only', async () => {
  const { ask, port } = await world()
  const names = [
    'evil.example',
    `evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    `localhost.evil.example:${port}`,
    '127.0.0.1',
    'localhost',
    `127.0.0.1:${port + 1}`,
    `0.0.0.0:${port}`,
    `[::1]:${port}`,
    `127.0.0.1:${port}@evil.example`,
    ' ',
  ]
  tried(names.length * PAGES.length)
  for (const host of names) {
    for (const path of PAGES)
      expect((await ask({ path, headers: { host } })).status, host).toBeOneOf([400, 403])
  }
  expect((await ask({ path: '/api/session', headers: { host: `localhost:${port}` } })).status).toBe(200)
})

it('forbids a browser whatever the page does not need, with every answer', async () => {
  const { ask, port } = await world()
  const answers = [
    await ask({ path: '/' }),
    await ask({ path: '/api/session' }),
    await ask({ path: '/api/nothing' }),
    await ask({ path: '/assets/nothing.js' }),
    await rawRequest(port, { path: '/' }),
    await ask({ path: '/', headers: { host: 'evil.example' } }),
  ]
  for (const { headers } of answers) {
    const policy = headers['content-security-policy'] as string
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("form-action 'none'")
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:/)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  }
})

it('reads no more of a body than anybody writes by hand', async () => {
  const { ask, ours, gate, isWaiting } = await world()
  const body = JSON.stringify({ feedback: 'x'.repeat(200_000) })
  for (const chunked of [false, true]) {
    const headers = { ...ours, 'content-type': 'application/json' }
    const answer = await ask({ method: 'POST', path: `/api/gates/${gate}/reject`, headers, body, chunked })
    expect(answer.status).toBe(413)
    expect(answer.json.error.message).toContain('more than 100000 bytes')
  }
  expect(await isWaiting()).toBe(true)
  const broken = ['', '{', '[]', '"x"', 'null', '{"feedback":7}', '{"__proto__":{"feedback":"x"}}']
  for (const text of broken) {
    const headers = { ...ours, 'content-type': 'application/json' }
    const answer = await ask({ method: 'POST', path: `/api/gates/${gate}/reject`, headers, body: text })
    expect(answer.status, text).toBe(400)
    expect(answer.json.error.code).toBe('invalid_input')
  }
})

it('takes no flood of changes', async () => {
  const { ask, ours } = await world()
  const flood = Array.from({ length: 250 }, () =>
    ask({ method: 'POST', path: '/api/gates/nothing/approve', headers: ours }),
  )
  const answers = await Promise.all(flood)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(60)
  expect(Number(refused[0]!.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused[0]!.json.error.code).toBe('limit_reached')
  // Whoever reads goes on.
  expect((await ask({ path: '/api/session' })).status).toBe(200)
})

it('lets changes through again after a while', () => {
  let now = 0
  const limit = new WriteLimit(() => now)
  while (!limit.take());
  expect(limit.take()).toEqual({ waitSeconds: 1 })
  now += 1_000
  expect(limit.take()).toBeUndefined()
})

it('changes nothing by a method in disguise', async () => {
  const { ask, ours, gate, isWaiting } = await world()
  const path = `/api/gates/${gate}/approve`
  const tricks: RawRequest[] = [
    { method: 'GET', path },
    { method: 'HEAD', path },
    { method: 'GET', path: `${path}?_method=POST` },
    { method: 'GET', path, headers: { 'x-http-method-override': 'POST' } },
    { method: 'TRACE', path },
    { method: 'PROPFIND', path },
    { method: 'PUT', path, headers: ours },
    { method: 'POST', path: '/', headers: ours },
    { method: 'DELETE', path: '/index.html', headers: ours },
  ]
  tried(tricks.length)
  for (const trick of tricks) expect((await ask(trick)).status, trick.method).toBeOneOf([403, 404])
  expect(await isWaiting()).toBe(true)
})

it('gives out the files of the page and no others', async () => {
  const { ask } = await world()
  const page = (await ask({ path: '/' })).text
  const names = [
    '/../../package.json',
    '/..%2f..%2fpackage.json',
    '/%2e%2e/%2e%2e/package.json',
    '/..\\..\\package.json',
    '/assets/../../../package.json',
    '/assets/..%2f..%2f..%2fpackage.json',
    '//etc/passwd',
    '/file:///etc/passwd',
    '/index.html%00.js',
    '/.ralph/db/features.yaml',
    '/%',
  ]
  tried(names.length)
  for (const path of names) {
    const { status, text } = await ask({ path })
    if (status === 200) expect(text, path).toBe(page)
    else expect(status, path).toBeOneOf([400, 404])
  }
})

it('knows of no id that it has not got, and of no other project’s', async () => {
  const { ask, ours, home } = await world()
  const bank = await openRalph({ project: await temporaryFolder(), home, env: {}, onNotice: () => undefined })
  onTestFinished(() => bank.close())
  const foreign = await bank.knowledge.gates.request({
    project: bank.config.project,
    taskId: 1,
    gateType: 'review',
    approach: 'move the money',
  })
  for (const id of [foreign.id, 'nothing', '%2e%2e', "' or 1=1 --", '0'.repeat(5_000)]) {
    const path = `/api/gates/${encodeURIComponent(id)}`
    const answer = await ask({ path })
    expect(answer.status, id).toBe(404)
    expect(answer.text).not.toContain('move the money')
    expect(answer.json.error).toMatchObject({ code: 'not_found' })
    expect((await ask({ method: 'POST', path: `${path}/approve`, headers: ours })).status, id).toBe(404)
  }
  expect(await bank.knowledge.gates.show(foreign.id)).toMatchObject({ state: 'waiting' })
})

it('changes nothing at all when it was started to look only', async () => {
  const { ask, ours, isWaiting, ralph } = await world({ readOnly: true })
  const changes = projectChanges(ralph)
  onTestFinished(() => changes.close())
  const { routes } = dashboardApi({ ralph, readOnly: true, changes })
  const changing = routes.filter(({ method }) => !['GET', 'ALL'].includes(method))
  expect(changing.length).toBeGreaterThan(5)
  tried(changing.length)
  for (const { method, path } of changing) {
    const answer = await ask({ method, path: `/api${path}`, headers: ours })
    expect(answer.status, `${method} ${path}`).toBe(403)
    expect(answer.json.error.hint).toContain('--read-only')
  }
  expect(await isWaiting()).toBe(true)
})

it('lets an agent that starts it look, and decide nothing', async () => {
  const command = await builtCommand()
  const { project, home, gate, isWaiting } = await world()
  const env = { PATH: process.env['PATH'], HOME: home, RALPH_HOME: home, CLAUDECODE: '1' }
  const child = spawn(process.execPath, [command, 'dashboard', '--json', '--port', '0'], {
    cwd: project,
    env,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [printed] = await once(child.stdout, 'data')
  const { address, port, read_only } = JSON.parse(String(printed))
  expect(read_only).toBe(true)
  const { headers } = await rawRequest(port, { path: `/${new URL(address).search}` })
  const cookie = headers['set-cookie']![0]!.split(';')[0]!
  const origin = `http://127.0.0.1:${port}`
  const asked = { method: 'POST', path: `/api/gates/${gate}/approve`, headers: { cookie, origin } }
  expect((await rawRequest(port, asked)).status).toBe(403)
  expect(await isWaiting()).toBe(true)
  child.kill('SIGINT')
  await once(child, 'exit')
})

it('decides nothing for an agent that started it in another way either', async () => {
  const { project, home, gate, isWaiting } = await world()
  const ralph = await openRalph({
    project,
    home,
    env: { CLAUDECODE: '1' },
    via: 'page',
    onNotice: () => undefined,
  })
  onTestFinished(() => ralph.close())
  const dashboard = await startDashboard({ ralph, port: 0, readOnly: false })
  onTestFinished(() => dashboard.close())
  const { cookie, origin } = await letIn(dashboard.address)
  const path = `/api/gates/${gate}/approve`
  const answer = await rawRequest(dashboard.port, { method: 'POST', path, headers: { cookie, origin } })
  expect(answer.json.error.message).toContain('an agent cannot')
  expect(await isWaiting()).toBe(true)
})

/** A dashboard, somebody who has been let in, and work that waits for a decision. */
async function world(options: { readOnly?: boolean } = {}) {
  const dashboard = await dashboardWorld(options)
  const { ralph, project, port } = dashboard
  const waiting = await ralph.knowledge.gates.request({
    project,
    taskId: 1,
    gateType: 'review',
    approach: 'a form',
  })
  const { cookie, origin } = await letIn(dashboard.dashboard.address)
  const ask = ({ headers, ...asked }: RawRequest): Promise<RawAnswer> =>
    rawRequest(port, { ...asked, headers: { cookie, ...headers } })
  const approve = (headers: Record<string, string>) =>
    ask({ method: 'POST', path: `/api/gates/${waiting.id}/approve`, headers })
  const isWaiting = async () => (await ralph.knowledge.gates.show(waiting.id)).state === 'waiting'
  const token = new URL(dashboard.dashboard.address).searchParams.get('token')!
  return { ...dashboard, token, cookie, ours: { origin }, gate: waiting.id, ask, approve, isWaiting }
}

async function letIn(address: string): Promise<{ cookie: string; origin: string }> {
  const { port, search, origin } = new URL(address)
  const { headers } = await rawRequest(Number(port), { path: `/${search}` })
  return { cookie: headers['set-cookie']![0]!.split(';')[0]!, origin }
}
