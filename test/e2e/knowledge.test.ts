import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeCheckout } from '../support/checkout.ts'
import { runRalph } from '../support/ralph.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** With the real embedder, as installed: what one project learns must reach the next one's prompt. */
let root: string
let home: string
beforeEach(async () => {
  root = await temporaryFolder()
  home = join(root, 'home')
  for (const project of ['one', 'two']) makeCheckout(join(root, project))
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
    [['capture', '--kind', 'failure_solution', '--solution', 'x'], 2, 'needs --failure'],
    [['capture', '--kind', 'gate_rejection', '--feedback', 'x'], 2, 'needs --gate-type'],
    [['capture', '--kind', 'poem'], 2, '--kind must be one of'],
    [['show', 'nothing'], 1, 'there is no entry "nothing"'],
    [['import', 'missing.jsonl'], 1, 'missing.jsonl'],
    [['query', '  '], 2, 'the search text is empty'],
  ])('refuses %j', async (args, code, message) => {
    const result = await at('one', 'knowledge', ...args)
    expect(result.stderr).toContain(message)
    expect(result.code).toBe(code)
  })
})

describe('from one project to the next, in the loop', () => {
  /** What an agent has at hand; each attempt at the project's tasks then has lines of its own. */
  const TOOLS = `
    import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
    let prompt = ''
    for await (const chunk of process.stdin) prompt += chunk
    appendFileSync('prompts.txt', prompt + '\\n=====\\n')
    const task = Number(/## Your task: (\\d+)/.exec(prompt)[1])
    const say = (event) => console.log(JSON.stringify(event))
    const message = (role, block) => say({ type: role, message: { role, content: [block] } })
    let calls = 0
    const call = (name, input, content, is_error = false) => {
      const id = 't' + ++calls
      message('assistant', { type: 'tool_use', id, name, input })
      message('user', { type: 'tool_result', tool_use_id: id, is_error, content })
    }
    const edit = (file, text) => {
      appendFileSync(file, text)
      call('Edit', { file_path: process.cwd() + '/' + file, old_string: '', new_string: text }, 'The file has been updated')
    }
    const done = () => {
      const file = '.ralph/db/tasks.yaml'
      const tasks = readFileSync(file, 'utf8')
      writeFileSync(file, tasks.replace(new RegExp('(id: ' + task + '\\n(?:    .*\\n)*?    status: )pending'), '$1done'))
    }
    const end = (result) => say({ type: 'result', subtype: 'success', is_error: false, result, total_cost_usd: 0 })
    say({ type: 'system', subtype: 'init', session_id: 's' + Math.random(), cwd: process.cwd(), model: 'claude-haiku-4-5', tools: [] })
    const attempt = readFileSync('prompts.txt', 'utf8').split('=====').length - 1
    const TIMEOUT = 'Exit code 1\\nerror: canceling statement due to statement timeout while creating index on orders'
    const SPELLING = 'Exit code 1\\nError: the word "recieve" is not in the dictionary (help.html)'
  `
  const MIGRATES = `
    if (attempt === 1) {
      edit('7.sql', 'create index on orders (customer);')
      call('Bash', { command: 'npm run migrate' }, TIMEOUT, true)
      end('The migration that creates the index on the orders table still times out.')
    } else {
      edit('7.sql', 'create index concurrently on orders (customer);')
      call('Bash', { command: 'npm run migrate' }, 'migrated')
      done()
      end('Created the index concurrently outside of the transaction, so the migration no longer times out.')
    }`
  /** Gives up on the time-out, which nothing shows to be solved, and gets over a spelling mistake. */
  const SPELLS = `
    if (task === 2 && attempt < 4) {
      call('Bash', { command: 'npm run spelling' }, SPELLING, true)
      end('The spelling is wrong.')
    } else if (task === 2) {
      edit('help.html', 'receive')
      call('Bash', { command: 'npm run spelling' }, 'no mistakes')
      done()
      end('Corrected the spelling in the help.')
    } else if (attempt < 3) {
      call('Bash', { command: 'npm run migrate' }, TIMEOUT, true)
      end('The migration that creates the index on the orders table still times out.')
    } else {
      done()
      end('Left the orders table as it is.')
    }`
  const FINISHES = `
    edit('work.txt', 'done')
    done()
    end('Built the file in the browser from the rows on screen.')`

  async function prepare(project: string, agent: string, tasks: string[], loop: object = {}): Promise<void> {
    const folder = join(root, project)
    await mkdir(join(folder, '.ralph', 'db'), { recursive: true })
    await writeFile(join(folder, 'agent.mjs'), TOOLS + agent)
    await writeFile(join(folder, 'package.json'), '{"dependencies":{"react":"19"}}')
    await writeFile(join(folder, '.ralph', 'db', 'features.yaml'), 'features:\n  - name: orders\n')
    const entries = tasks.map(
      (title, at) => `  - id: ${at + 1}\n    title: ${title}\n    feature: orders\n    status: pending\n`,
    )
    await writeFile(join(folder, '.ralph', 'db', 'tasks.yaml'), `tasks:\n${entries.join('')}`)
    const settings = { loop: { agent: [process.execPath, join(folder, 'agent.mjs')], ...loop } }
    await writeFile(join(folder, '.ralph', 'rag_config.json'), JSON.stringify(settings))
    expect(await at(project, 'trust', '--yes')).toMatchObject({ code: 0 })
  }

  const prompts = async (project: string) =>
    (await readFile(join(root, project, 'prompts.txt'), 'utf8')).split('=====')

  it('an error that was solved by evidence teaches the other project, whose receipts say so', async () => {
    await prepare('one', MIGRATES, ['Create an index on the orders table in a migration'])
    expect((await at('one', 'loop', '--max-iterations', '3')).code).toBe(0)
    expect((await at('one', 'knowledge', 'list', '--json')).json).toMatchObject({
      entries: [
        {
          kind: 'failure_solution',
          project: join(root, 'one'),
          task_type: 'feature',
          technology: 'javascript',
          error_message: expect.stringContaining('canceling statement due to statement timeout'),
          solution_steps: expect.stringMatching(/^Created the index concurrently[\s\S]*\nChanged: 7\.sql$/),
        },
      ],
    })

    await prepare('two', MIGRATES, ['Add an index to the orders table with a migration'])
    await at('two', 'loop', '--max-iterations', '1')
    const [prompt] = await prompts('two')
    expect(prompt).toContain('[ORCHESTRATOR CONTEXT: Historical Knowledge]')
    expect(prompt).toContain('Created the index concurrently outside of the transaction')
    expect((await at('two', 'receipts', '--json')).stdout).toContain('knowledge')
    // The agent failed although it was shown the pattern: that counts.
    expect((await at('two', 'knowledge', 'statistics', '--json')).json).toMatchObject({
      helped: 0,
      misled: 1,
    })
  })

  it('an error that nothing shows to be solved is not offered, nor an unrelated one that was solved later', async () => {
    const tasks = ['Create an index on the orders table in a migration', 'Correct the spelling of the help']
    await prepare('one', SPELLS, tasks)
    expect((await at('one', 'loop', '--max-iterations', '8')).code).toBe(0)
    expect((await at('one', 'knowledge', 'list', '--json')).json).toMatchObject({
      entries: [
        {
          failure_description: 'Correct the spelling of the help',
          error_message: expect.stringContaining('not in the dictionary'),
          solution_steps: 'Corrected the spelling in the help.\nChanged: help.html',
        },
      ],
    })
    await prepare('two', MIGRATES, ['Add an index to the orders table with a migration'])
    await at('two', 'loop', '--max-iterations', '2')
    expect((await prompts('two')).join('')).not.toContain('[ORCHESTRATOR CONTEXT')
  })

  it("a person's rejection is asked for, and reaches the task, the next similar one and the next similar gate", async () => {
    const gate = { gate: 'review' }
    await prepare('one', FINISHES, ['Add CSV export to the orders page'], gate)
    const asked = await at('one', 'loop')
    expect(asked.stderr).toMatch(
      /1 task waits for a person[\s\S]*ralph gate list, then ralph gate approve g-\w+ or ralph gate reject g-\w+/,
    )
    const { gates } = (await at('one', 'gate', '--json')).json as { gates: { id: string }[] }
    const feedback = 'Stream all rows from the server, not only those on screen'
    await at('one', 'gate', 'reject', gates[0]!.id, '--feedback', feedback)
    await at('one', 'task', 'add', 'Export the orders to a CSV file', '--feature', 'orders')
    await at('one', 'task', 'add', 'Play a sound when a message arrives', '--feature', 'orders')

    await at('one', 'loop')
    const [, same, similar, unrelated] = await prompts('one')
    expect(same!.split(feedback)).toHaveLength(2)
    expect(same).not.toContain('[ORCHESTRATOR CONTEXT')
    expect(similar).toContain(`Rejected at the review gate: ${feedback}`)
    expect(unrelated).not.toContain(feedback)

    await prepare('two', FINISHES, ['CSV export of the orders'], gate)
    await at('two', 'loop')
    expect((await prompts('two'))[0]).toContain(`Rejected at the review gate: ${feedback}`)
  })
})
