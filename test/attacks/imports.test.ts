import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { toJournalLine } from '../../src/feature-memory/record.ts'
import { openRalph } from '../../src/ralph.ts'
import { iteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { tried } from './tried.ts'

/** Files that somebody was sent, and imports. */
const TOKEN = ['ghp', 'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW2xY4'].join('_')
const DEEP = '['.repeat(100_000)

async function world() {
  const folder = await temporaryFolder()
  const project = join(folder, 'shop')
  mkdirSync(join(project, '.git'), { recursive: true })
  mkdirSync(join(project, '.ralph/db'), { recursive: true })
  const request = { project, home: join(folder, 'home'), env: { RALPH_EMBEDDER: 'none' } }
  const ralph = await openRalph({ ...request, onNotice: () => undefined })
  onTestFinished(() => ralph.close())
  return { folder, project, ralph }
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines
}

const record = (fields: object) =>
  JSON.parse(toJournalLine(iteration({ feature: 'auth' }))).record && {
    version: 1,
    record: { ...JSON.parse(toJournalLine(iteration({ feature: 'auth' }))).record, ...fields },
  }

describe('memory import', () => {
  const HOSTILE: Record<string, string> = {
    'no JSON': 'rm -rf /',
    nothing: '{}',
    'an array': '[1,2,3]',
    null: 'null',
    'nested too deep': DEEP,
    'nested too deep in a record': `{"version":1,"record":${DEEP}`,
    'another version': JSON.stringify({ ...record({}), version: 99 }),
    'a path for a feature': JSON.stringify(record({ feature: '../../outside' })),
    'an absolute path for a feature': JSON.stringify(record({ feature: '/etc/cron.d/x' })),
    'a null byte in a feature': JSON.stringify(record({ feature: 'a\0b' })),
    'a number without end': JSON.stringify(record({ iteration_number: 1e300 })),
    'a number below nothing': JSON.stringify(record({ iteration_number: -1 })),
    'files elsewhere': JSON.stringify(
      record({ files_touched: [{ path: '../../.bashrc', action: 'modified' }] }),
    ),
    'a prototype': '{"version":1,"__proto__":{"polluted":true},"record":{"__proto__":{"polluted":true}}}',
    'no time': JSON.stringify(record({ timestamp: 'yesterday' })),
  }

  it('stores nothing of lines that are none, writes nowhere else, and goes on with the rest', async () => {
    const { folder, project, ralph } = await world()
    tried(Object.keys(HOSTILE).length)
    const good = JSON.stringify(record({ summary: 'zebra: an honest line' }))
    const { imported, rejected } = await ralph.featureMemory.import(each([...Object.values(HOSTILE), good]))
    const names = Object.keys(HOSTILE)
    const taken = names.filter((_, at) => !rejected.some(({ line }) => line === at + 1))
    // A path is a name like any other: what lies in a file of that name stays in the folder of journals.
    expect(taken.filter((name) => !name.includes('path'))).toEqual([])
    expect(imported).toBe(1 + taken.length)
    expect(readdirSync(folder).sort()).toEqual(['home', 'shop'])
    expect(readdirSync(join(project, '.ralph/db')).sort()).toEqual(['memory'])
    for (const name of readdirSync(join(project, '.ralph/db/memory'))) expect(name).toMatch(/^[\w%.-]+$/)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('masks secrets, cuts what is too long and leaves a number for the next', async () => {
    const { project, ralph } = await world()
    tried(3)
    const lines = [
      record({ iteration_number: 7, summary: `deployed with ${TOKEN}` }),
      record({ iteration_number: 999_999_999, summary: 'long '.repeat(200_000) }),
      record({ iteration_number: 8, errors: Array.from({ length: 5_000 }, () => ({ message: 'x' })) }),
    ].map((line) => JSON.stringify(line))
    await ralph.featureMemory.import(each(lines), { feature: 'auth' })
    const journal = readFileSync(join(project, '.ralph/db/memory/auth.jsonl'), 'utf8')
    expect(journal).not.toContain(TOKEN)
    expect(Math.max(...journal.split('\n').map((line) => line.length))).toBeLessThan(8 * 1024 * 1024)
    const stored = await ralph.featureMemory.recordIteration({
      ...{ feature: 'auth', taskId: 1, taskTitle: 'Go on', timestamp: '2026-02-07T14:30:00Z' },
      ...{ outcome: 'success', summary: 'It goes on' },
    })
    expect(stored.iterationNumber).toBeLessThan(1_000)
  })
})

describe('conversations import', () => {
  const said = (fields: object) => ({
    ...{ conversation_id: 'one', title: 't', user_message: 'zebra?', assistant_message: 'yes' },
    ...fields,
  })
  const HOSTILE: Record<string, string> = {
    'no JSON': 'rm -rf /',
    nothing: '{}',
    null: 'null',
    'nested too deep': DEEP,
    'no texts': JSON.stringify(said({ user_message: { a: 1 }, assistant_message: 7 })),
    'a prototype': '{"__proto__":{"polluted":true},"conversation_id":"__proto__"}',
    'an id that is a query': JSON.stringify(said({ conversation_id: "' OR 1=1 --" })),
    'an id without end': JSON.stringify(said({ conversation_id: 'x'.repeat(20_000) })),
    'a null byte': JSON.stringify(said({ conversation_id: 'a\0b', user_message: 'a\0b' })),
    'half a letter':
      '{"conversation_id":"half","user_message":"\\ud800 zebra","assistant_message":"\\udfff"}',
    'votes without end': JSON.stringify(said({ conversation_id: 'v', votes: 1e300, revision: -1e300 })),
    'a time that is none': JSON.stringify(
      said({ conversation_id: 't', started_at: 'never', completed_at: -1 }),
    ),
    'a vector that is none': JSON.stringify(said({ conversation_id: 'w', vector: 'AAAA', embedder: 'x' })),
    'somebody else': JSON.stringify(said({ conversation_id: 's', person: 'ann', shared: true })),
  }

  it('takes over what is a conversation, as its own, and fails for none of the rest', async () => {
    const { folder, ralph } = await world()
    tried(Object.keys(HOSTILE).length)
    const file = join(folder, 'history.jsonl')
    const good = JSON.stringify(said({ conversation_id: 'good', user_message: `zebra ${TOKEN}` }))
    writeFileSync(file, [...Object.values(HOSTILE), good, ''].join('\n'))
    await ralph.conversations.importJsonl(file)
    const listed = JSON.stringify(await ralph.conversations.history.list({ limit: 50 }))
    expect(listed).toContain('good')
    const found = JSON.stringify(await ralph.conversations.search('zebra', { minSimilarity: 0 } as never))
    expect(found + listed).not.toContain(TOKEN)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    // Exported and imported again, it is the same: nothing is left that cannot be read back.
    const lines: string[] = []
    for await (const line of ralph.conversations.exportLines({})) lines.push(line)
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
  })
})

describe('knowledge import', () => {
  const entry = (fields: object) => ({
    ...{ kind: 'failure_solution', entry_type: 'failure_solution', project: '/elsewhere', verified: true },
    ...{ failure_description: 'the vault does not open', solution_steps: 'turn the key', success_count: 1e9 },
    ...{ content: { failure_description: 'the vault does not open', solution_steps: 'turn the key' } },
    ...fields,
  })
  const HOSTILE: Record<string, string> = {
    'no JSON': 'rm -rf /',
    nothing: '{}',
    null: 'null',
    'nested too deep': DEEP,
    'another kind': JSON.stringify(entry({ kind: 'order', entry_type: 'order' })),
    'a prototype': '{"__proto__":{"polluted":true},"kind":"failure_solution"}',
    'no texts': JSON.stringify(entry({ failure_description: {}, solution_steps: [], content: 7 })),
    'an id that is a query': JSON.stringify(entry({ id: "' OR 1=1 --" })),
    'counts without end': JSON.stringify(entry({ success_count: 1e300, helped: -1e300 })),
    'a secret': JSON.stringify(entry({ solution_steps: `use ${TOKEN}`, content: { solution_steps: TOKEN } })),
  }

  it('stages what is an entry, without its secrets, and fails for none of the rest', async () => {
    const { project, ralph } = await world()
    tried(Object.keys(HOSTILE).length)
    const lines = Object.values(HOSTILE)
    const { rejected, imported, known } = await ralph.knowledge.importJsonl(each(lines), { project })
    expect(rejected.length + imported + known).toBe(lines.length)
    expect(rejected.length).toBeGreaterThanOrEqual(5)
    await ralph.knowledge.checkpoint('manual')
    const block = JSON.stringify(await ralph.knowledge.contextFor({ description: 'the vault does not open' }))
    expect(block ?? '').not.toContain(TOKEN)
    const exported: string[] = []
    for await (const line of ralph.knowledge.exportJsonl()) exported.push(line)
    expect(exported.join('\n')).not.toContain(TOKEN)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})
