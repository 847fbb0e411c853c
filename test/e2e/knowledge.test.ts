import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { runRalph } from '../support/ralph.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** With the real embedder, as installed: what one project learns must reach the next one's prompt. */
let root: string
let home: string
beforeEach(async () => {
  root = await temporaryFolder()
  home = join(root, 'home')
  for (const project of ['one', 'two']) await mkdir(join(root, project, '.git'), { recursive: true })
})

const at = (project: string, ...args: string[]) => runRalph(args, { cwd: join(root, project), home })

describe('from one project to the next, on the command line', () => {
  it('a solved failure, a rejection and a first approval are found by similar tasks', async () => {
    const captured = await at(
      'one',
      ...['knowledge', 'capture', '--kind', 'failure_solution', '--json'],
      ...['--failure', 'Database migration times out on the orders table'],
      ...['--error', 'canceling statement due to statement timeout'],
      ...['--solution', 'Create the index concurrently, outside of the transaction'],
    )
    expect(captured.json).toMatchObject({ status: 'staged', entry: { kind: 'failure_solution' } })
    await at(
      'one',
      ...['knowledge', 'capture', '--kind', 'gate_approval', '--gate-type', 'design'],
      ...['--approach', 'Settings page with one column, labels above the fields, save button at the end'],
    )
    await at('one', 'feature', 'add', 'accounts')
    await at('one', 'task', 'add', 'Log failed sign-ins', '--feature', 'accounts')
    const asked = await at(
      'one',
      ...['gate', 'request', '1', '--gate-type', 'security', '--json'],
      ...['--approach', 'Write the whole request of a failed sign-in to the log'],
    )
    const { gate } = asked.json as { gate: { id: string } }
    expect((await at('one', 'gate')).stdout).toContain(gate.id.slice(0, 8))
    const rejected = await at(
      'one',
      'gate',
      'reject',
      gate.id,
      '--feedback',
      'Passwords must never reach the log',
    )
    expect(rejected.code).toBe(0)
    expect((await at('one', 'gate', 'reject', gate.id, '--feedback', 'again')).code).toBe(1)

    expect((await at('two', 'knowledge', 'query', 'migration of the orders table times out')).stdout).toBe('')
    expect((await at('one', 'knowledge', 'checkpoint', '--json')).json).toMatchObject({
      embedded: 3,
      merged: 0,
    })

    const found = await at(
      'two',
      'knowledge',
      'query',
      'migration of the orders table times out',
      '--explain',
    )
    expect(found.stdout).toContain('Create the index concurrently')
    expect(found.stdout).toMatch(/rank \d\.\d+ = similarity .* × successes .* × quality .* × experience/)
    const block = await at(
      'two',
      'knowledge',
      'context',
      'write failed sign-ins and their passwords to the log',
    )
    expect(block.stdout).toMatch(/^\[ORCHESTRATOR CONTEXT: Historical Knowledge\]\n[\s\S]*\[END CONTEXT\]\n$/)
    expect(block.stdout).toContain('Passwords must never reach the log')
    const gold = await at(
      'two',
      'knowledge',
      'context',
      'design the settings page: columns, labels, fields, save button',
    )
    expect(gold.stdout).toContain('labels above the fields')
    expect(gold.stdout).toContain('approved at the first attempt')
    expect((await at('two', 'knowledge', 'context', 'bake a cake')).stdout).toBe('')
  })

  it('an entry a year and a day old is gone', async () => {
    const [kind, gate] = [
      ['--kind', 'gate_approval'],
      ['--gate-type', 'design'],
    ]
    await at('one', 'knowledge', 'capture', ...kind!, ...gate!, '--approach', 'A single column of cards')
    await at('one', 'knowledge', 'checkpoint')
    expect((await at('two', 'knowledge', 'query', 'design with a single column of cards')).stdout).not.toBe(
      '',
    )
    const database = new DatabaseSync(join(home, 'ralph.db'))
    database.exec(`update knowledge_entries set embedded_at = ${Date.now() - 366 * 86_400_000}`)
    database.close()
    expect((await at('two', 'knowledge', 'query', 'design with a single column of cards')).stdout).toBe('')
    expect((await at('two', 'knowledge', 'list', '--json')).json).toMatchObject({ entries: [] })
    expect((await at('two', 'knowledge', 'prune', '--json')).json).toEqual({ pruned: 1 })
  })

  it.each([
    [['capture', '--kind', 'failure_solution', '--solution', 'x'], 1, 'failure_description is missing'],
    [['capture', '--kind', 'gate_rejection', '--feedback', 'x'], 1, 'gate_type is missing'],
    [['capture', '--kind', 'poem'], 2, '--kind must be one of'],
    [['show', 'nothing'], 1, 'there is no entry "nothing"'],
    [['import', 'missing.jsonl'], 1, 'missing.jsonl'],
    [['query', '  '], 1, 'the question is empty'],
  ])('refuses %j', async (args, code, message) => {
    const result = await at('one', 'knowledge', ...args)
    expect(result.stderr).toContain(message)
    expect(result.code).toBe(code)
  })
})

describe('from one project to the next, in the loop', () => {
  const AGENT = `
    import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
    let prompt = ''
    for await (const chunk of process.stdin) prompt += chunk
    appendFileSync('prompts.txt', prompt + '\\n=====\\n')
    const say = (event) => console.log(JSON.stringify(event))
    const end = (result) => say({ type: 'result', subtype: 'success', is_error: false, result, total_cost_usd: 0 })
    const message = (role, block) => say({ type: role, message: { role, content: [block] } })
    say({ type: 'system', subtype: 'init', session_id: 's', cwd: process.cwd(), model: 'claude-haiku-4-5', tools: [] })
    const attempt = readFileSync('prompts.txt', 'utf8').split('=====').length - 1
    if (attempt === 1) {
      message('assistant', { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm run migrate' } })
      message('user', { type: 'tool_result', tool_use_id: 't1', is_error: true,
        content: 'Error: canceling statement due to statement timeout while creating index on orders' })
      end('The migration that creates the index on the orders table still times out.')
    } else {
      const file = '.ralph/db/tasks.yaml'
      writeFileSync(file, readFileSync(file, 'utf8').replace('status: pending', 'status: done'))
      end('Created the index concurrently outside of the transaction, so the migration no longer times out.')
    }`

  async function prepare(project: string, title: string): Promise<void> {
    const folder = join(root, project)
    await mkdir(join(folder, '.ralph', 'db'), { recursive: true })
    await writeFile(join(folder, 'agent.mjs'), AGENT)
    await writeFile(join(folder, '.ralph', 'db', 'features.yaml'), 'features:\n  - name: orders\n')
    await writeFile(
      join(folder, '.ralph', 'db', 'tasks.yaml'),
      `tasks:\n  - id: 1\n    title: ${title}\n    feature: orders\n    status: pending\n`,
    )
    const settings = { loop: { agent: [process.execPath, join(folder, 'agent.mjs')] } }
    await writeFile(join(folder, '.ralph', 'rag_config.json'), JSON.stringify(settings))
  }

  it('a task that failed and was then done teaches the other project, whose receipts say so', async () => {
    await prepare('one', 'Create an index on the orders table in a migration')
    expect((await at('one', 'loop', '--max-iterations', '3')).code).toBe(0)
    expect((await at('one', 'knowledge', 'list', '--json')).json).toMatchObject({
      entries: [
        {
          kind: 'failure_solution',
          project: join(root, 'one'),
          error_message: expect.stringContaining('canceling statement due to statement timeout'),
          solution_steps: expect.stringContaining('Created the index concurrently'),
        },
      ],
    })

    await prepare('two', 'Add an index to the orders table with a migration')
    await at('two', 'loop', '--max-iterations', '1')
    const [prompt] = (await readFile(join(root, 'two', 'prompts.txt'), 'utf8')).split('=====')
    expect(prompt).toContain('[ORCHESTRATOR CONTEXT: Historical Knowledge]')
    expect(prompt).toContain('Created the index concurrently outside of the transaction')
    expect((await at('two', 'receipts', '--json')).stdout).toContain('knowledge')
    // The agent failed although it was shown the pattern: that counts.
    expect((await at('two', 'knowledge', 'statistics', '--json')).json).toMatchObject({
      helped: 0,
      misled: 1,
    })
  })
})
