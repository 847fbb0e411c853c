import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ragLine } from '../../src/health/status.ts'
import type { Notice } from '../../src/notices.ts'
import { openRalph, type Ralph } from '../../src/ralph.ts'
import { startOllama } from '../stand-ins/ollama.ts'
import { startPostgres } from '../stand-ins/postgres.ts'
import { startQdrant } from '../stand-ins/qdrant.ts'
import { builtCommand } from '../support/built-command.ts'
import { makeCheckout } from '../support/checkout.ts'
import { runRalph } from '../support/ralph.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

const FEATURE = 'authentication'
const LOGIN = 'Login form crashed because the middleware returned no user object'
const CACHE = 'Redis cache warmed up on deploy, latency halved'

/** A project whose index is a Qdrant and whose embedder is an Ollama, both on this machine and both ours to break. */
async function world(models?: string[]) {
  const folder = await temporaryFolder()
  const [cwd, home] = [join(folder, 'shop'), join(folder, 'home')]
  makeCheckout(cwd)
  const qdrant = await startQdrant()
  const ollama = await startOllama(models ? { models } : {})
  onTestFinished(async () => {
    await Promise.all([qdrant.close(), ollama.close()])
  })
  const env = {
    RALPH_INDEX: 'qdrant',
    RALPH_QDRANT_URL: qdrant.url,
    RALPH_EMBEDDER: 'ollama',
    RALPH_EMBEDDER_URL: ollama.url,
  }
  const notices: Notice[] = []
  const ralph = await openRalph({ project: cwd, home, env, onNotice: (notice) => notices.push(notice) })
  onTestFinished(() => ralph.close())
  const command = (...args: string[]) => runRalph(args, { cwd, home, env })
  /** Four tasks for a quick agent; `afterEach` may break and mend things between them. */
  const loop = async (more: NodeJS.ProcessEnv, afterEach: (iterations: number) => Promise<void>) => {
    await command('init')
    await command('feature', 'add', FEATURE, '--description', 'How people log in')
    for (const title of ['First', 'Second', 'Third', 'Fourth'])
      await command('task', 'add', title, '--feature', FEATURE)
    const agent = join(folder, 'agent.mjs')
    await writeFile(agent, AGENT)
    const args = [await builtCommand(), 'loop', '--json', '--agent', `${process.execPath} ${agent}`]
    const running = spawn(process.execPath, args, {
      cwd,
      env: { PATH: process.env['PATH'], HOME: home, RALPH_HOME: home, NO_COLOR: '1', ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const seen = { ended: [] as string[], statuses: [] as boolean[], cause: '', talk: '' }
    running.stderr.on('data', (chunk) => {
      seen.talk += chunk
    })
    for await (const line of createInterface({ input: running.stdout })) {
      const event = JSON.parse(line)
      if (event.kind === 'status') seen.statuses.push(event.available)
      if (event.kind === 'stopped') seen.cause = event.cause
      if (event.kind === 'iteration_ended') await afterEach(seen.ended.push(event.outcome))
    }
    if (running.exitCode === null) await once(running, 'close')
    return seen
  }
  return { cwd, home, env, qdrant, ollama, ralph, notices, command, loop, ...memoryOf(ralph) }
}

function memoryOf(ralph: Ralph) {
  return {
    add: (summary: string) =>
      ralph.featureMemory.recordIteration(newIteration({ summary, taskTitle: 'A task' })),
    find: async (query: string) => {
      const found = await ralph.featureMemory.search(FEATURE, query, { minScore: 0.05 })
      return found.map(({ record, matched }) => ({ summary: record.summary, matched }))
    },
    line: async () => ragLine(await ralph.health.rag()),
  }
}

const byBoth = (summary: string) =>
  expect.objectContaining({ summary, matched: expect.arrayContaining(['meaning', 'words']) })
const byWords = (summary: string) => ({ summary, matched: ['words'] })

describe('what stands behind memory goes away and comes back', () => {
  it('both up: found by meaning and by words', async () => {
    const { add, find, line, notices } = await world()
    await add(LOGIN)
    expect(await find('login form crashed')).toContainEqual(byBoth(LOGIN))
    expect(await line()).toMatch(
      /^RAG: active \(qdrant 1\.18\.3 at .*; nomic-embed-text 768d, Ollama 0\.34\.4 at /,
    )
    expect(notices).toEqual([])
  })

  it('index down: everything goes on, one line once; what happened meanwhile is caught up', async () => {
    const { qdrant, ralph, add, find, line, notices } = await world()
    await add(LOGIN)
    await find('login')
    await qdrant.close()
    await add(CACHE)
    // From the journal.
    expect(await find('redis cache')).toEqual([byWords(CACHE)])
    expect(await find('login form crashed')).toEqual([byWords(LOGIN)])
    expect(notices).toMatchObject([
      {
        key: 'index',
        message: expect.stringMatching(/only by words and more slowly: Qdrant .* cannot be reached/),
        hint: expect.stringContaining('docker run'),
      },
    ])
    expect(await line()).toMatch(/^RAG: off \(Qdrant at .* cannot be reached \(ECONNREFUSED\)\. Start it/)
    expect((await ralph.featureMemory.recent(FEATURE)).map(({ summary }) => summary)).toEqual([CACHE, LOGIN])
    expect(await ralph.featureMemory.forget(FEATURE, { iterations: [1] })).toBe(1)
    await qdrant.restart()
    expect(await find('redis cache')).toContainEqual(byBoth(CACHE))
    expect((await find('login form crashed')).map(({ summary }) => summary)).not.toContain(LOGIN)
    expect(ralph.notices.current()).toEqual([])
    await qdrant.close()
    await find('redis cache')
    expect(notices).toHaveLength(2)
  })

  it('embedder down: by words, one line once; vectors are made as soon as it is back', async () => {
    const { ollama, ralph, add, find, line, notices } = await world()
    await ollama.close()
    await add(LOGIN)
    expect(await find('login form crashed')).toEqual([byWords(LOGIN)])
    await add(CACHE)
    expect(await find('redis cache')).toEqual([byWords(CACHE)])
    expect(notices).toMatchObject([
      {
        key: 'embedder',
        message: expect.stringContaining('words only'),
        hint: expect.stringContaining('ollama serve'),
      },
    ])
    expect(await line()).toMatch(/^RAG: words only \(Ollama at .* cannot be reached/)
    await ollama.restart()
    expect(await find('login form crashed')).toContainEqual(byBoth(LOGIN))
    expect(ralph.notices.current()).toEqual([])
    expect(await line()).toMatch(/^RAG: active/)
  })

  it('both down: one line, and the journal answers what it can; then everything is there', async () => {
    const { qdrant, ollama, ralph, add, find, line, notices } = await world()
    await Promise.all([qdrant.close(), ollama.close()])
    await add(LOGIN)
    expect(await find('login form crashed')).toEqual([byWords(LOGIN)])
    expect(await find('login form crashed')).toEqual([byWords(LOGIN)])
    expect(notices).toMatchObject([{ key: 'index' }])
    expect(await line()).toMatch(/^RAG: off \(Qdrant at .*; Ollama at /)
    expect(await ralph.featureMemory.failedAttempts(FEATURE)).toHaveLength(1)
    await Promise.all([qdrant.restart(), ollama.restart()])
    expect(await find('login form crashed')).toContainEqual(byBoth(LOGIN))
  })

  it('model not found: says what to pull, searches by words', async () => {
    const { add, find, line, notices } = await world(['llama3.2:latest'])
    expect(await line()).toContain('nomic-embed-text not found. Run: ollama pull nomic-embed-text')
    await add(LOGIN)
    expect(await find('login form')).toEqual([byWords(LOGIN)])
    expect(notices).toMatchObject([{ hint: 'Run: ollama pull nomic-embed-text' }])
  })

  it('collection missing: made, without a word', async () => {
    const { qdrant, add, find, notices } = await world()
    await add(LOGIN)
    await find('login')
    qdrant.collections.clear()
    expect(await find('login form crashed')).toContainEqual(byBoth(LOGIN))
    expect(notices).toEqual([])
  })
})

describe('knowledge and conversations', () => {
  const exchange = (id: string) => ({
    conversationId: 'c1',
    exchangeId: id,
    userMessage: `Why does the login form crash (${id})?`,
    assistantMessage: LOGIN,
  })

  it('are stored while the index is down, said once, and found when it is back', async () => {
    const { qdrant, ralph, notices } = await world()
    await qdrant.close()
    for (const id of ['e1', 'e2', 'e3']) await ralph.conversations.record(exchange(id))
    expect(notices).toMatchObject([{ message: expect.stringContaining('stored, but not indexed yet') }])
    // From the database.
    const found = async () => (await ralph.conversations.search('login form crash')).results.length
    expect(await found()).toBeGreaterThan(0)
    expect(await found()).toBeGreaterThan(0)
    expect(notices).toMatchObject([
      {},
      { message: expect.stringContaining('without their index, only by words and the newest') },
    ])
    await ralph.knowledge.capture({
      kind: 'failure_solution',
      project: 'shop',
      failureDescription: 'the login form crashes without a user',
      solutionSteps: 'return one',
    })
    await qdrant.restart()
    await ralph.knowledge.checkpoint('manual')
    expect(await found()).toBeGreaterThan(0)
    await qdrant.close()
    const known = await ralph.knowledge.queryForTask({ description: 'the login form crashes without a user' })
    expect(known).toMatchObject([{ matched: ['words'] }])
  })

  it('say once that the embedder is down, however often they are asked', async () => {
    const { ollama, ralph, notices } = await world()
    await ralph.conversations.record(exchange('e1'))
    await ollama.close()
    for (let asked = 0; asked < 3; asked++) {
      expect((await ralph.conversations.search('login form crash')).results).toHaveLength(1)
      await ralph.knowledge.queryForTask({ description: 'login form' })
    }
    expect(notices).toMatchObject([{ key: 'embedder' }])
  })
})

describe('the command', { timeout: 120_000 }, () => {
  it('shows the health of every part, and doctor fails with the mending step', async () => {
    const { cwd, qdrant, ollama, add, command } = await world()
    await mkdir(join(cwd, '.ralph', 'db'), { recursive: true })
    expect((await command('status', '--verbose')).stdout).toMatch(
      /Search works by meaning and by words[\s\S]*RAG: active \(qdrant [\s\S]*Storage: sqlite at .*nothing stored yet/,
    )
    await ollama.close()
    expect((await command('status', '--json')).json).toMatchObject({
      rag: {
        available: false,
        index_ok: true,
        embedder_ok: false,
        model: 'nomic-embed-text',
        dimensions: 768,
        reason: expect.stringContaining('Ollama'),
        hint: expect.stringContaining('ollama serve'),
      },
      storage: { ok: true },
    })
    expect((await command('status')).stdout).toMatch(/! Search by words only: Ollama[\s\S]*→ .*ollama serve/)
    await qdrant.close()
    const doctor = await command('doctor')
    expect(doctor.code).toBe(1)
    expect(doctor.stdout).toMatch(/✗ index: Qdrant at .*\n(?: {4}.*\n)? {4}→ Start it/)
    expect(doctor.stdout).toMatch(/✗ embedder: Ollama at .*\n(?: {4}.*\n)? {4}→ Start it/)
    expect(doctor.stdout).toContain('✓ storage')
    await add(LOGIN)
    const recalled = await command('recall', 'login form crashed')
    expect(recalled).toMatchObject({ code: 0, stdout: expect.stringContaining(LOGIN.slice(0, 20)) })
    expect(recalled.stderr).toMatch(/only by words and more slowly: Qdrant at .* cannot be reached/)
    const searched = await command('conversations', 'search', 'login form')
    expect(searched).toMatchObject({ code: 0, stderr: expect.stringContaining('cannot be reached') })
  })

  it('shows a PostgreSQL that is down, and that it is back', async () => {
    const { cwd, home } = await world()
    const server = await startPostgres()
    onTestFinished(() => server.remove())
    const env = { RALPH_STORAGE: 'postgres', RALPH_POSTGRES_URL: server.url, RALPH_EMBEDDER: 'none' }
    const status = async () => (await runRalph(['status', '--json'], { cwd, home, env })).json
    expect(await status()).toMatchObject({
      storage: { ok: true, detail: expect.stringMatching(/^PostgreSQL \d/) },
    })
    await server.stop()
    expect(await status()).toMatchObject({
      storage: { ok: false, hint: expect.stringContaining('server runs') },
    })
    const doctor = await runRalph(['doctor'], { cwd, home, env })
    expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining('✗ storage: PostgreSQL') })
    await server.start()
    expect(await status()).toMatchObject({ storage: { ok: true } })
  })

  it('a loop goes on while both are killed and come back, and everything is found in the end', async () => {
    const { qdrant, ollama, find, loop } = await world()
    const { ended, statuses, talk } = await loop({}, async (iterations) => {
      if (iterations === 1) await Promise.all([qdrant.close(), ollama.close()])
      if (iterations === 3) await Promise.all([qdrant.restart(), ollama.restart()])
    })
    expect(ended).toEqual(['success', 'success', 'success', 'success'])
    expect(statuses[0]).toBe(true)
    expect(talk.match(/cannot be reached/g) ?? []).toHaveLength(1)
    const found = await find('finished the task')
    expect(found).toHaveLength(4)
    for (const { matched } of found) expect(matched).toContain('meaning')
  })

  it.each([
    { how: 'comes back', back: 3 },
    { how: 'stays away to the end', back: undefined },
  ])('a loop goes on while PostgreSQL is killed and $how', async ({ back }) => {
    const { loop } = await world()
    const server = await startPostgres()
    onTestFinished(() => server.remove())
    const env = { RALPH_STORAGE: 'postgres', RALPH_POSTGRES_URL: server.url }
    const { ended, talk, cause } = await loop(env, async (iterations) => {
      if (iterations === 1) await server.stop('immediate')
      if (iterations === back) await server.start()
    })
    expect(ended).toEqual(['success', 'success', 'success', 'success'])
    expect(cause).toBe('done')
    // Whoever meets the trouble first tells it: before a run, or after one.
    expect(talk.match(/project knowledge (is off|could not)/g) ?? []).toHaveLength(1)
    expect(talk.match(/PostgreSQL at/g) ?? []).toHaveLength(1)
  })
})

/** Does its task and says so. */
const AGENT = `
import { readFileSync, writeFileSync } from 'node:fs'
let prompt = ''
for await (const chunk of process.stdin) prompt += chunk
const id = Number(/## Your task: (\\d+)/.exec(prompt)?.[1])
const path = '.ralph/db/tasks.yaml'
const status = new RegExp('^( *- id: ' + id + '\\\\n(?:    .*\\\\n)*?    status: )\\\\w+', 'm')
writeFileSync(path, readFileSync(path, 'utf8').replace(status, '$1done'))
console.log(JSON.stringify({ type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: [], cwd: process.cwd() }))
console.log(JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: 'Finished the task number ' + id + ' as it was described, nothing else changed.', session_id: 's', num_turns: 1, duration_ms: 5, total_cost_usd: 0, usage: { input_tokens: 1, output_tokens: 1 } }))
`
