import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { opencodeSessions } from '../../../src/transcripts/opencode/sessions.ts'
import { readTranscript } from '../../../src/transcripts/read-transcript.ts'
import { sessionTold } from '../told-exchanges.ts'
import { callsOf, endOf } from '../told-lines.ts'
import { openStore, RECORDED, recordedRows } from './stored.ts'

/** What the database tells beyond the stream: what failed, what was running, what helpers did, what came before. */
const STORED: Record<string, { end: string; prompt: string; calls?: string[]; sameAs?: string }> = {
  '00-hello': { end: 'completed', prompt: 'Say hello.' },
  '01-first-go': { end: 'completed', prompt: 'The cart tests fail. Fix them.', sameAs: '01-first-go' },
  '02-mended': { end: 'completed', prompt: 'npm test fails. Find out why and mend it.', sameAs: '02-mended' },
  '03a-500-then-ok': {
    end: 'completed',
    prompt: 'What does src/money.js export?',
    calls: ['✓ read src/money.js'],
  },
  '03b-500-forever': {
    end: 'service_failed api passing',
    prompt: 'What does src/money.js export?',
    calls: ['✓ read src/money.js'],
  },
  '03c-429-forever': {
    end: 'service_failed rate_limit passing',
    prompt: 'What does src/money.js export?',
    calls: ['✓ read src/money.js'],
  },
  '03e-context-length': {
    end: 'completed',
    prompt: 'What does src/money.js export?',
    calls: ['✓ read src/money.js'],
  },
  '03f-401': { end: 'service_failed key', prompt: 'What does src/money.js export?' },
  '03j-length': { end: 'completed', prompt: 'What does src/money.js export?' },
  // The stream alone tells why.
  '03k-unknown-model': { end: 'cut', prompt: 'What does src/money.js export?' },
  '04a-sigterm': {
    end: 'cut',
    prompt: 'Run the slow check.',
    calls: ['✓ read src/cart.js', '… bash echo started; sleep 60; echo never'],
  },
  '04b-sigkill': {
    end: 'cut',
    prompt: 'Run the slow check.',
    calls: ['✓ edit src/cart.js', '… bash echo started; sleep 60; echo never'],
  },
  '04c-sigint': {
    end: 'cut',
    prompt: 'Run the slow check.',
    calls: ['✓ read src/cart.js', '… bash echo started; sleep 60; echo never'],
  },
  '05-mcp': {
    end: 'completed',
    prompt: 'Ask the memory what failed before at the cart, then keep what you learned.',
    sameAs: '05-mcp',
  },
  '05c-mcp-default-permissions': {
    end: 'completed',
    prompt: 'Ask the memory what failed before at the cart.',
    sameAs: '05c-mcp-default-permissions',
  },
  '06-large-output': {
    end: 'completed',
    prompt: 'Show me the log and the numbers.',
    sameAs: '06-large-output',
  },
  // What a plugin adds to a message is stored as if the person had said it.
  '07-plugin-hooks': {
    end: 'completed',
    prompt: 'The cart tests fail. Fix them.\n\nMARKER-chat.message: remembered context from the plugin',
    sameAs: '07-plugin-hooks',
  },
  '09-permission-denied': {
    end: 'failed',
    prompt: 'Write a note and run the tests.',
    calls: ['✗ write NOTE.md'],
  },
  '10-subagent': {
    end: 'completed',
    prompt: 'Let a helper look at the code base.',
    calls: ['✓ task', '✓ sub read test/cart.test.js'],
  },
}

let folder: string
let database: DatabaseSync
let place: string
/** By recording. */
const sessions = new Map<string, { id: string; row: Record<string, unknown> }>()

const addressOf = (name: string) => `${place}#${sessions.get(name)!.id}`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ralph-opencode-test-'))
  place = join(folder, 'opencode', 'opencode.db')
  const names = readdirSync(join(RECORDED, 'session-files'))
    .filter((file) => file.endsWith('.rows.jsonl'))
    .map((file) => file.replace('.rows.jsonl', ''))
  // 08a goes on in the session of 01, which has its own database.
  database = openStore(
    place,
    names.filter((name) => name !== '08a-resume'),
  )
  for (const name of names) {
    const row = recordedRows(name).find(({ table, parent_id }) => table === 'session' && parent_id === null)!
    sessions.set(name, { id: String(row['id']), row })
  }
})

afterAll(async () => {
  database.close()
  await rm(folder, { recursive: true, force: true })
})

describe('the database of opencode, while opencode has it open', () => {
  test.each(Object.entries(STORED))('%s', async (name, told) => {
    const run = await readTranscript(addressOf(name))
    expect({ agent: run.agent, format: run.format, unknown: run.lines.unknown }).toEqual({
      agent: 'opencode',
      format: 'session',
      unknown: 0,
    })
    expect(endOf(run)).toBe(told.end)
    expect(run.prompt).toBe(told.prompt)
    const { id, row } = sessions.get(name)!
    expect(run).toMatchObject({
      sessionId: id,
      cwd: '/home/user/project',
      model: name === '03k-unknown-model' ? 'no-such-model' : 'fake-model',
      version: '1.18.33',
    })
    const streamed = told.sameAs && (await readTranscript(join(RECORDED, 'stream', `${told.sameAs}.jsonl`)))
    // The stream tells parallel calls in the order in which they ended.
    expect(callsOf(run).sort()).toEqual((streamed ? callsOf(streamed) : (told.calls ?? [])).sort())
    if (name === '10-subagent' || row['cost'] === 0) return
    expect(run.usage).toEqual({
      input: row['tokens_input'],
      output: Number(row['tokens_output']) + Number(row['tokens_reasoning']),
      cacheRead: row['tokens_cache_read'],
      cacheWrite: row['tokens_cache_write'],
    })
    expect(run.costUsd).toBeCloseTo(Number(row['cost']), 10)
  })

  test('every recording is expected', () => {
    expect([...Object.keys(STORED), '08a-resume'].sort()).toEqual([...sessions.keys()].sort())
  })

  test('what a command printed before the kill is kept', async () => {
    const run = await readTranscript(addressOf('04b-sigkill'))
    expect(run.toolCalls.at(-1)?.output).toBe('started\n')
  })

  test('a prompt with its answer, and what was done for it', async () => {
    const { session, exchanges } = await sessionTold(addressOf('02-mended'))
    expect(session).toEqual({
      agent: 'opencode',
      conversationId: sessions.get('02-mended')!.id,
      parentId: undefined,
      title: 'Scripted session',
      cwd: '/home/user/project',
    })
    expect(exchanges).toHaveLength(1)
    expect(exchanges[0]).toMatchObject({
      prompt: 'npm test fails. Find out why and mend it.',
      promptId: 'msg_1e55e96270014RfTeAoJSgFes0',
      answer:
        'The root cause was that `subtotal` ignored quantities and `discount` dereferenced a missing coupon. Both are fixed; all tests pass.',
      interrupted: false,
      fromLoop: false,
    })
    expect(exchanges[0]?.steps.filter(({ content }) => content.startsWith('(failed) '))).toHaveLength(8)
  })

  test('what opencode says to the model itself is nobody’s prompt', async () => {
    const { exchanges } = await sessionTold(addressOf('03e-context-length'))
    expect(exchanges.map(({ prompt, answer }) => [prompt, answer])).toEqual([
      ['What does src/money.js export?', 'It exports cents() and format().'],
    ])
  })

  test('a session that was killed was interrupted', async () => {
    const { exchanges } = await sessionTold(addressOf('04a-sigterm'))
    expect(exchanges[0]).toMatchObject({
      prompt: 'Run the slow check.',
      answer: 'Now the slow check.',
      interrupted: true,
    })
  })

  test('a helper is a session of its own, and its work belongs to the run that started it', async () => {
    const helper = recordedRows('10-subagent').find(({ parent_id }) => typeof parent_id === 'string')!
    const { session, exchanges } = await sessionTold(`${place}#${helper['id']}`)
    expect(session).toMatchObject({ conversationId: helper['id'], parentId: sessions.get('10-subagent')!.id })
    expect(exchanges.map(({ prompt }) => prompt)).toEqual(['SUBTASK-LOOK: what do the tests expect?'])
    const own = await sessionTold(addressOf('10-subagent'))
    expect(own.exchanges.map(({ answer }) => answer)).toEqual([
      'The helper says: quantities must be counted.',
    ])
    const run = await readTranscript(addressOf('10-subagent'))
    expect(run.costUsd).toBeCloseTo(0.0044396 + 0.0035216, 10)
    expect(run.texts.filter(({ subAgent }) => subAgent).map(({ text }) => text)).toEqual([
      'The tests expect quantities to be counted.',
    ])
  })

  test('a session that was gone on with holds both', async () => {
    const path = join(folder, 'resumed', 'opencode.db')
    openStore(path, ['08a-resume']).close()
    const { id, row } = sessions.get('08a-resume')!
    const run = await readTranscript(`${path}#${id}`)
    expect(run.toolCalls).toHaveLength(11)
    expect(run.costUsd).toBeCloseTo(Number(row['cost']), 10)
    const { exchanges } = await sessionTold(`${path}#${id}`)
    expect(exchanges.map(({ prompt }) => prompt)).toEqual([
      'The cart tests fail. Fix them.',
      'Now also round the discount down.',
    ])
    const rest = await readTranscript(`${path}#${id}`, { after: exchanges[0]!.endedAt!.toISOString() })
    expect(callsOf(rest)).toEqual(['✓ edit src/cart.js', '✓ bash npm test 2>&1 | grep "^# "'])
    expect(rest.costUsd).toBeCloseTo(0.0142324, 10)
  })

  test('nothing is left beside a database that nobody has open', async () => {
    const path = join(folder, 'closed', 'opencode.db')
    openStore(path, ['00-hello']).close()
    expect((await readTranscript(`${path}#${sessions.get('00-hello')!.id}`)).ending).toBe('completed')
    expect(readdirSync(join(folder, 'closed'))).toEqual(['opencode.db'])
  })

  test('a database is read where no files can be made beside it, with what lies only in its journal', async () => {
    const copy = join(folder, 'sealed')
    mkdirSync(copy)
    // As a kill leaves it; the third file that SQLite wants to open cannot be made.
    for (const file of ['opencode.db', 'opencode.db-wal'])
      cpSync(join(folder, 'opencode', file), join(copy, file))
    symlinkSync(join(folder, 'nowhere', 'shm'), join(copy, 'opencode.db-shm'))
    const run = await readTranscript(`${join(copy, 'opencode.db')}#${sessions.get('02-mended')!.id}`)
    expect(run.toolCalls).toHaveLength(13)
    expect(readdirSync(copy).sort()).toEqual(['opencode.db', 'opencode.db-shm', 'opencode.db-wal'])
  })

  test('what is not there, or no database of opencode, is refused with the next step', async () => {
    await expect(readTranscript(`${place}#ses_nobody`)).rejects.toMatchObject({ code: 'not_found' })
    await expect(readTranscript(`${place}x#ses_nobody`)).rejects.toMatchObject({ code: 'not_found' })
    const other = join(folder, 'other.db')
    writeFileSync(
      other,
      'no database at all, but long enough to be looked at as one by the reader '.repeat(20),
    )
    await expect(readTranscript(`${other}#ses_nobody`)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('is no database of opencode'),
    })
  })
})

describe('where opencode keeps sessions', () => {
  test('all of them, of one project, and the one that is named', async () => {
    const all = await opencodeSessions.find(place)
    expect(all).toHaveLength(sessions.size)
    expect(all.filter((file) => !opencodeSessions.isWhole(file))).toHaveLength(1)
    expect(all.map(({ modifiedAt }) => modifiedAt)).toEqual(
      all.map(({ modifiedAt }) => modifiedAt).toSorted((a, b) => b - a),
    )
    expect(await opencodeSessions.findOfProject(place, '/home/user/project')).toEqual(all)
    expect(await opencodeSessions.findOfProject(place, '/home/user')).toEqual(all)
    expect(await opencodeSessions.findOfProject(place, '/home/user/project-old')).toEqual([])
    const named = await opencodeSessions.find(addressOf('02-mended'))
    expect(named).toEqual(all.filter(({ path }) => path === addressOf('02-mended')))
    expect(named[0]?.size).toBe(recordedRows('02-mended').filter(({ table }) => table === 'part').length)
    expect(await opencodeSessions.find(join(folder, 'opencode'))).toEqual(all)
  })

  test('a place that does not exist holds none of a project, and is told when it was named', async () => {
    const nowhere = join(folder, 'nowhere', 'opencode.db')
    expect(await opencodeSessions.findOfProject(nowhere, '/home/user/project')).toEqual([])
    await expect(opencodeSessions.find(nowhere)).rejects.toMatchObject({ code: 'not_found' })
    await expect(opencodeSessions.find(`${place}#ses_nobody`)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('older files beside the database too, unless opencode took them over', async () => {
    const home = join(folder, 'older')
    const storage = join(home, 'storage')
    cpSync(join(RECORDED, 'session-files', '12-old-1.1.27.storage'), storage, { recursive: true })
    const [old] = await opencodeSessions.findOfProject(join(home, 'opencode.db'), '/home/user/project')
    expect(old?.path).toMatch(/ses_e1a97e2bbffeBtQmaMBCIYzsBn\.json$/)
    expect(await opencodeSessions.find(storage)).toEqual([old])
    const taken = openStore(join(home, 'opencode.db'), ['00-hello'])
    expect(await opencodeSessions.find(home)).toHaveLength(2)
    taken.prepare('UPDATE session SET id = ?').run('ses_e1a97e2bbffeBtQmaMBCIYzsBn')
    taken.close()
    expect((await opencodeSessions.find(home)).map(({ path }) => path)).toEqual([
      `${join(home, 'opencode.db')}#ses_e1a97e2bbffeBtQmaMBCIYzsBn`,
    ])
  })
})

describe('sessions elsewhere', () => {
  test('the files of 1.1.27 hold the edit that its stream does not tell', async () => {
    const home = join(folder, 'files')
    cpSync(join(RECORDED, 'session-files', '12-old-1.1.27.storage'), join(home, 'storage'), {
      recursive: true,
    })
    const [file] = await opencodeSessions.find(home)
    const run = await readTranscript(file!.path)
    expect(callsOf(run)).toEqual([
      '✓ read src/cart.js',
      '✗ bash npm test',
      '✗ edit src/cart.js',
      '✓ edit src/cart.js',
      '✗ bash exit 3',
    ])
    expect(run).toMatchObject({
      ending: 'completed',
      prompt: 'The cart tests fail. Fix them.',
      version: '1.1.27',
      cwd: '/home/user/project',
      usage: { input: 12_462, output: 172, cacheRead: 49_839, cacheWrite: 0 },
    })
    const { session, exchanges } = await sessionTold(file!.path)
    expect(session).toMatchObject({
      conversationId: 'ses_e1a97e2bbffeBtQmaMBCIYzsBn',
      title: 'Scripted session',
    })
    expect(exchanges.map(({ answer }) => answer)).toEqual(['Half of it is fixed: quantities count now.'])
    // A message that is completed later changes the session.
    const messages = join(home, 'storage', 'message', 'ses_e1a97e2bbffeBtQmaMBCIYzsBn')
    utimesSync(join(messages, readdirSync(messages)[0]!), 4_000_000_000, 4_000_000_000)
    expect((await opencodeSessions.find(home))[0]?.modifiedAt).toBe(4_000_000_000_000)
  })

  test('what `opencode export` printed', async () => {
    const path = join(RECORDED, 'session-files', '01-first-go.export.json')
    const [exported, stored] = [await readTranscript(path), await readTranscript(addressOf('01-first-go'))]
    expect(exported.toolCalls).toEqual(stored.toolCalls)
    expect(exported).toMatchObject({ ending: 'completed', usage: stored.usage, costUsd: stored.costUsd })
    const { exchanges } = await sessionTold(path)
    expect(exchanges.map(({ prompt }) => prompt)).toEqual(['The cart tests fail. Fix them.'])
    expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveProperty('messages')
  })
})
