import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { glance } from '../../src/overview/glance.ts'
import { setUpProject } from '../../src/project-setup.ts'
import { openRalph, type Ralph } from '../../src/ralph.ts'
import { displayWidth } from '../../src/text/display-width.ts'
import { saidBy } from '../support/in-process.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

const env = { RALPH_EMBEDDER: 'none' }

async function folders() {
  const folder = await temporaryFolder()
  const [project, home] = [join(folder, 'shop'), join(folder, 'home')]
  mkdirSync(project)
  const claude = { CLAUDE_CONFIG_DIR: join(folder, 'claude'), HOME: folder }
  const status = (words: string[] = [], more: Record<string, string> = {}) =>
    saidBy(['status', ...words], { cwd: project, home, env: { ...claude, ...more } })
  const open = async (): Promise<Ralph> => {
    const ralph = await openRalph({ project, home, env, onNotice: () => undefined })
    onTestFinished(() => ralph.close())
    return ralph
  }
  return { project, home, status, open }
}

/** With something of everything. */
async function filled() {
  const places = await folders()
  const ralph = await places.open()
  const { board, learnings, featureMemory, receipts, knowledge, config } = ralph
  await setUpProject(config)
  await board.addFeature({ name: 'cart', displayName: 'The shopping cart' })
  await board.addTask({ title: 'Sum it up', feature: 'cart', status: 'done' })
  await board.addTask({ title: 'Go on', feature: 'cart', status: 'in_progress' })
  for (const word of ['Always', 'Never'])
    await learnings.append('cart', {
      text: `${word} use bcrypt to hash passwords in the login route`,
      reason: 'seen',
      source: 'agent',
    })
  for (let at = 0; at < 3; at++) await featureMemory.recordIteration(newIteration({ feature: 'cart' }))
  const gate = { gateType: 'review', approach: 'done', feature: 'cart', taskId: 1, taskTitle: 'Sum it up' }
  await knowledge.gates.request({ ...gate, project: config.project })
  const items = [{ kind: 'learning', source: 'learning a1', why: 'seen', tokens: 30 }]
  receipts.append({ surface: 'hook', event: 'SessionStart', run: 'one', tokens: 1_200, items })
  receipts.ended({ run: 'one', outcome: 'success', used: ['learning a1'] })
  await ralph.close()
  return places
}

it('says where there is no memory what the next step is, and makes nothing', async () => {
  const { project, home, status } = await folders()
  const { code, stdout } = await status()
  expect(code).toBe(0)
  expect(stdout).toMatch(/^No memory here yet: .*shop has no \.ralph\.\n {2}→ ralph init/)
  expect((await status(['--verbose'])).stdout).toContain('RAG: ')
  expect(JSON.parse((await status(['--json'])).stdout)).toMatchObject({ has_memory: false, features: [] })
  expect(readdirSync(project)).toEqual([])
  expect(existsSync(home)).toBe(false)
})

it('is what a person wants to see at once, in words, within 80 columns', async () => {
  const { status } = await filled()
  const { stdout } = await status([], { COLUMNS: '80' })
  expect(stdout).toMatch(
    /\nWaiting for you: 4\n {2}- task 1: Sum it up \(cart\): waits at the gate review\n {4}→ ralph gate show g-[0-9a-f]{8}\n/,
  )
  expect(stdout).toMatch(/\n {4}→ ralph learnings review l-\w+ --keep-this --feature cart\n/)
  expect(stdout).toMatch(/\n {2}Current {8}cart \(the only feature in progress\)\n/)
  expect(stdout).toMatch(/\n {2}Tasks {10}0 open, 1 in progress, 1 done\n/)
  expect(stdout).toMatch(/The shopping cart \(cart\): 1 of 2 tasks done, 3 iterations/)
  expect(stdout).toMatch(/\n {2}Iterations {5}3 in 1 feature\n/)
  expect(stdout).toContain('1 time in the last 7 days: 1 piece, about 1,200 tokens; 1 of 1')
  expect(stdout).toMatch(
    /\n {2}Hooks {10}not installed → ralph hooks install\n {2}MCP {12}not set up → ralph mcp config/,
  )
  expect(stdout).toMatch(
    /\n {2}! Search by words only: the embedder is switched off\n {4}→ ralph config unset/,
  )
  expect(stdout).not.toMatch(/RAG|int8|384|sqlite/)
  const wide = stdout.split('\n').filter((line) => displayWidth(line) > 80 && !line.includes('→'))
  expect(wide).toEqual([])
  const details = (await status(['--verbose'])).stdout
  expect(details).toMatch(/\nDetails\n {2}RAG: words only \(.*\n {2}Storage: sqlite /)
  // What is said in the short form is said in the long one as well, and nothing twice.
  const said = details.split('\n').filter((line) => line.trim() !== '')
  expect(said.filter((line, at) => said.indexOf(line) !== at)).toEqual([])
})

it('tells of broken settings and of a broken board beside everything else', async () => {
  const { project, home, status } = await filled()
  writeFileSync(join(project, '.ralph', 'rag_config.json'), '{ "search": ')
  mkdirSync(join(home, 'config.json'))
  const { code, stdout } = await status()
  expect(code).toBe(0)
  expect(stdout).toMatch(/✗ settings: .*rag_config\.json is not a JSON object/)
  expect(stdout).toMatch(/✗ settings: .*config\.json is a folder/)
  expect(stdout).toContain('3 in 1 feature')
  writeFileSync(join(project, '.ralph', 'db', 'tasks.yaml'), 'tasks: [')
  const broken = (await status()).stdout
  expect(broken).toContain('the file cannot be used until it is corrected')
  expect(broken).toContain('3 in 1 feature')
})

it('tells of a database that cannot be read, with the next step', async () => {
  const { home, status } = await filled()
  writeFileSync(join(home, 'ralph.db'), 'no database '.repeat(1_000))
  const { code, stdout } = await status()
  expect(code).toBe(0)
  expect(stdout).toMatch(/✗ knowledge and conversations: .*\n {4}→ ralph doctor/)
  expect(stdout).toMatch(/Conversations +cannot be read: see Health\n +Knowledge +cannot be read: see Health/)
})

it('tells of a journal that cannot be read beside everything else', async () => {
  const { project, status } = await filled()
  mkdirSync(join(project, '.ralph', 'db', 'memory', 'payments.jsonl'))
  const { code, stdout } = await status()
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /: 1 of 2 tasks done, 3 iterations, the last .*\n +payments: its journal cannot be read: see/,
  )
  expect(stdout).toMatch(/✗ journals: .*payments\.jsonl is no regular file\n {4}→ Move away/)
})

it('names the command that brings past conversations', async () => {
  const { stdout } = await (await filled()).status()
  expect(stdout).toContain('none yet; ralph conversations import brings past ones')
})

it('dates what a journal tells by what is recorded, not by when its file was written', async () => {
  const { project, home, open } = await filled()
  const look = async () => (await glance(await resolveConfig({ project, home, env }), open)).features[0]?.last
  expect(await look()).toBe('2026-02-07T14:30:00.000Z')
  const journal = join(project, '.ralph', 'db', 'memory', 'cart.jsonl')
  const [first] = readFileSync(journal, 'utf8').split('\n')
  appendFileSync(journal, `${first!.replace('2026-02-07T14:30', '2026-02-08T09:00')}\n`)
  expect(await look()).toBe('2026-02-08T09:00:00.000Z')
  // A clock that goes wrong records nothing after now.
  appendFileSync(journal, `${first!.replace('2026-02-07T14:30', '2999-01-01T00:00')}\n`)
  expect(await look()).toBe('2026-02-08T09:00:00.000Z')
})

describe('a glance', () => {
  it('opens nothing as long as nothing has changed, and reads of journals only what is new', async () => {
    const { project, home, open } = await filled()
    let opened = 0
    const look = async () => {
      const config = await resolveConfig({ project, home, env })
      return glance(config, async () => {
        opened++
        return open()
      })
    }
    const first = await look()
    expect(opened).toBe(1)
    expect(await look()).toEqual(first)
    expect(opened).toBe(1)
    const journal = join(project, '.ralph', 'db', 'memory', 'cart.jsonl')
    appendFileSync(journal, `${readFileSync(journal, 'utf8').split('\n')[0]}\n`)
    expect((await look()).features).toMatchObject([{ name: 'cart', iterations: 4 }])
    writeFileSync(journal, '')
    expect((await look()).features).toMatchObject([{ name: 'cart', iterations: 0 }])
    expect(opened).toBe(1)
    await (await open()).board.addTask({ title: 'One more', feature: 'cart' })
    expect((await look()).tasks).toEqual({ open: 1, inProgress: 1, blocked: 0, done: 1 })
    expect(opened).toBe(2)
    // What waits at gates lies in the database, which is asked each time.
    const ralph = await open()
    const [gate] = (await look()).waiting.items
    await ralph.knowledge.gates.reject(gate!.id!, { feedback: 'not yet' })
    expect((await look()).waiting.items.filter(({ kind }) => kind === 'gate')).toEqual([])
    expect(opened).toBe(2)
  })

  it('keeps nothing of what depends on files that the settings name', async () => {
    const { project, home, open } = await filled()
    writeFileSync(join(project, '.ralph', 'rag_config.json'), '{ "loop": { "agent": ["./agent.sh"] } }')
    let opened = 0
    for (let at = 0; at < 2; at++) {
      const config = await resolveConfig({ project, home, env })
      const { waiting } = await glance(config, async () => {
        opened++
        return open()
      })
      expect(waiting.items.some(({ kind, command }) => kind === 'trust' && command === 'ralph trust')).toBe(
        true,
      )
    }
    expect(opened).toBe(2)
  })
})

it.each([[], ['--json'], ['--verbose']])(
  'leaves no trace in a folder without memory (%s)',
  async (...words) => {
    const { project, home, status } = await folders()
    expect((await status(words)).code).toBe(0)
    expect(readdirSync(project)).toEqual([])
    expect(existsSync(join(home, 'ralph.db'))).toBe(false)
  },
)
