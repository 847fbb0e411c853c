import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { RalphError } from '../../src/errors.ts'
import { defineTool } from '../../src/mcp/tool.ts'
import { connect, project } from './support.ts'

const ONE = [{ summary: 'The zebra validator rejects the form.' }]

describe('misuse over MCP', () => {
  it.each([
    ['', 'is empty'],
    ['  ', 'is empty'],
    ['ab', "'ab' says too little"],
    ['*', 'says too little'],
    ['***', 'says too little'],
    ['?!.,-', 'says too little'],
  ])('answers the query %j with what to do instead', async (query, message) => {
    const { call } = await connect(await project(ONE), { feature: 'authentication' })
    const answer = await call('search_feature_memory', { query })
    expect(answer.isError).toBe(true)
    expect(answer.text).toContain(message)
    expect(answer.text).toContain("e.g. query: '")
  })

  it('takes a query of 100,000 characters, and one of three in another script', async () => {
    const { call } = await connect(await project(ONE), { feature: 'authentication' })
    expect(
      (await call('search_feature_memory', { query: `zebra ${'word '.repeat(20_000)}` })).isError,
    ).toBeUndefined()
    expect((await call('search_feature_memory', { query: '登录表' })).isError).toBeUndefined()
  })

  it.each([-1, 0, Number.NaN, -1e9])('refuses a limit of %d with the range', async (limit) => {
    const { call } = await connect(await project(ONE), { feature: 'authentication' })
    const answer = await call('search_feature_memory', { query: 'zebra', limit })
    expect(answer.isError).toBe(true)
    expect(answer.text).toMatch(/1 to 20|limit/)
  })

  it('takes a limit of a billion for the most there is', async () => {
    const many = Array.from({ length: 25 }, (_, i) => ({
      summary: `The zebra validator rejects a${i} b${i} c${i} d${i} e${i} f${i}.`,
    }))
    const { call } = await connect(await project(many), { feature: 'authentication' })
    const search = await call('search_feature_memory', { query: 'zebra', limit: 1e9 })
    expect(search.structured['results']).toHaveLength(20)
    const recent = await call('get_recent_iterations', { count: 1e9 })
    expect(recent.structured['iterations']).toHaveLength(20)
  })

  it('says which argument is missing or wrong, and which there are', async () => {
    const { call } = await connect(await project(ONE), { feature: 'authentication' })
    expect((await call('search_feature_memory')).text).toContain('query: is missing. Say in words')
    const wrong = await call('search_feature_memory', { query: 'zebra', feature: 'payments' })
    expect(wrong.isError).toBe(true)
    expect(wrong.text).toContain('locked to the feature "authentication"')
    expect((await call('get_recent_iterations', { n: 3 })).text).toContain('This tool takes count')
  })

  it('finds nothing for a task that does not exist, without an error', async () => {
    const { call } = await connect(await project(ONE), { feature: 'authentication' })
    const answer = await call('get_failed_attempts', { task_id: 999_999 })
    expect(answer).toMatchObject({
      text: 'No failed attempts for task 999999.',
      structured: { iterations: [] },
    })
    expect(answer.isError).toBeUndefined()
  })

  it('asks the agent to work with what it has after ten calls', async () => {
    const { call } = await connect(await project(ONE), { feature: 'authentication' })
    const hints = []
    for (let at = 1; at <= 50; at++) hints.push((await call('get_recent_iterations')).structured['hint'])
    expect(hints.slice(0, 10)).toEqual(Array(10).fill(undefined))
    expect(hints.slice(10).every((hint) => String(hint).includes('work with what you have'))).toBe(true)
  })
})

describe('the feature', () => {
  const TWO = [
    { feature: 'authentication', summary: 'The zebra validator rejects the form.' },
    { feature: 'payments', summary: 'The zebra gateway refuses cards.' },
  ]

  it('is a parameter in project mode, and only that feature is searched', async () => {
    const { call } = await connect(await project(TWO))
    const { structured } = await call('search_feature_memory', { feature: 'payments', query: 'zebra' })
    expect(JSON.stringify(structured)).toContain('gateway')
    expect(JSON.stringify(structured)).not.toContain('validator')
  })

  it.each(['nope', '../payments', '', 'payments/../authentication', '../../etc'])(
    'that does not exist (%j) is answered with those that do',
    async (feature) => {
      const { call } = await connect(await project(TWO))
      const answer = await call('search_feature_memory', { feature, query: 'zebra' })
      expect(answer.isError).toBe(true)
      expect(answer.text).toContain('Features here: authentication, payments.')
    },
  )

  it('must be named in project mode', async () => {
    const { call } = await connect(await project(TWO))
    const answer = await call('get_recent_iterations')
    expect(answer.isError).toBe(true)
    expect(answer.text).toContain('name the feature')
  })

  it('that is new has no memory yet, which is no error', async () => {
    const { call } = await connect(await project(TWO), { feature: 'brand new' })
    expect(await call('search_feature_memory', { query: 'zebra' })).toMatchObject({
      structured: { results: [] },
    })
    expect(await call('get_feature_files')).toMatchObject({ structured: { files: [] } })
  })

  it('has memory also when the board cannot be read, and says so', async () => {
    const ralph = await project(TWO)
    await ralph.board.addFeature({ name: 'third' })
    await writeFile(join(ralph.config.paths.database, 'features.yaml'), 'features: [}')
    const { call } = await connect(ralph)
    const answer = await call('get_recent_iterations', { feature: 'payments' })
    expect(answer.structured['iterations']).toHaveLength(1)
    expect(answer.structured['problem']).toContain('features.yaml')
  })
})

describe('a backend in trouble', () => {
  const reading = (run: () => Promise<never>) =>
    defineTool({
      name: 'read_something',
      title: 'Read',
      description: 'reads',
      kind: 'read',
      input: {},
      output: { results: z.array(z.string()) },
      empty: { results: [] },
      run,
    })
  const writing = (run: () => Promise<never>) =>
    defineTool({ ...reading(run), name: 'write_something', kind: 'append' })

  it('that is down gives an empty answer with the reason, every time, and no error', async () => {
    const down = reading(async () => {
      throw new RalphError('unavailable', 'Qdrant at http://127.0.0.1:6333 does not answer', {
        hint: 'Start it.',
      })
    })
    const { call } = await connect(await project(), { feature: 'auth', tools: [down] })
    for (let at = 0; at < 3; at++) {
      const answer = await call('read_something')
      expect(answer.isError).toBeUndefined()
      expect(answer.structured).toEqual({
        results: [],
        problem: 'Qdrant at http://127.0.0.1:6333 does not answer. Start it.',
      })
      expect(answer.text).toContain('does not answer')
    }
  })

  it('that hangs is not waited for', async () => {
    const tools = [
      reading(() => new Promise(() => undefined)),
      { ...writing(() => new Promise(() => undefined)), empty: undefined } as never,
    ]
    const { call } = await connect(await project(), {
      feature: 'auth',
      tools,
      timeLimits: { read: 50, write: 50 },
    })
    const read = await call('read_something')
    expect(read).toMatchObject({
      structured: { results: [], problem: expect.stringContaining('did not answer within') },
    })
    expect(read.isError).toBeUndefined()
    const write = await call('write_something')
    expect(write.isError).toBe(true)
    expect(write.text).toContain('did not confirm the change')
  })

  it('that fails in a way nobody foresaw says so, and logs it', async () => {
    const logged: string[] = []
    const broken = reading(async () => {
      throw new TypeError('x is undefined')
    })
    const { call } = await connect(await project(), {
      feature: 'auth',
      tools: [broken],
      log: (line) => logged.push(line),
    })
    expect(await call('read_something')).toMatchObject({
      structured: { results: [], problem: 'x is undefined.' },
    })
    expect(logged.join()).toContain('TypeError: x is undefined')
  })

  it('tells of a search that is degraded', async () => {
    const { call } = await connect(await project(ONE), { feature: 'authentication' })
    const first = await call('search_feature_memory', { query: 'zebra' })
    expect(first.structured['problem']).toContain('switched off')
    expect((await call('search_feature_memory', { query: 'zebra' })).structured['problem']).toBeUndefined()
    // An empty answer is explained again.
    expect((await call('search_feature_memory', { query: 'giraffe' })).structured['problem']).toContain(
      'switched off',
    )
  })

  it('that cannot be opened is tried again on the next call', async () => {
    let broken = true
    const ralph = await project(ONE)
    const { call } = await connect(ralph, {
      feature: 'authentication',
      open: async () => {
        if (broken) throw new RalphError('invalid_input', 'rag_config.json is not a JSON object')
        return ralph
      },
    })
    expect(await call('get_recent_iterations')).toMatchObject({
      structured: { iterations: [], problem: 'rag_config.json is not a JSON object.' },
    })
    broken = false
    expect((await call('get_recent_iterations')).structured['iterations']).toHaveLength(1)
  })
})
