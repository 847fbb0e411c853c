import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { toJournalLine } from '../../src/feature-memory/record.ts'
import { forTerminal, inOwnLink, ownColours, TerminalPieces } from '../../src/text/terminal.ts'
import { saidBy } from '../support/in-process.ts'
import { iteration } from '../support/records.ts'
import { ATTACKS, MARK } from './attack-list.ts'
import { commandNames, printed } from './every-command.ts'
import { FEATURE, hostileProject } from './hostile-project.ts'
import { tried } from './tried.ts'

/** Everything a terminal may obey, at once, in whatever form it got into a file. */
const ESC = '\x1b'
const LIVE = [
  `${ESC}]52;c;b2JleQ==\x07`,
  `${ESC}]8;;https://evil.example\x07link${ESC}]8;;\x07`,
  `${ESC}[2J${ESC}[1;1H${ESC}[8m`,
  `\x9b2J\x9d0;title\x9c`,
  `${ESC}P+q544e${ESC}\\`,
  `${ESC}_cursor${ESC}\\${ESC}c`,
  `\u202eabc\u202c\u2066x\u2069\u200b`,
  `\r\x08\x08overwritten\x7f`,
  `\u{10fffd}[31mcoloured\u{10fffd}[0m`,
  `${ESC}]0;unfinished`,
].join(` ${MARK} `)
const HOSTILE = `${MARK} ${LIVE}`
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]/

/** What each command is called with, by its name; `undefined` for those that no stored text comes near. */
const CALLS: Record<string, readonly string[] | undefined> = {
  init: [],
  status: [],
  doctor: [],
  effect: [],
  trust: [],
  'project id': [],
  loop: ['--dry-run', '--task', '1'],
  prompt: ['1'],
  'feature add': [HOSTILE],
  'feature list': [],
  'feature show': [FEATURE],
  'feature set': [FEATURE, '--description', HOSTILE],
  'feature remove': ['nothing', '--yes'],
  'feature use': [FEATURE],
  'task add': [HOSTILE, '--feature', FEATURE],
  sync: ['--all', '--running'],
  'task list': [],
  'task show': ['1'],
  'task set': ['1', '--status', 'pending'],
  'task done': ['1'],
  'task start': ['1'],
  'task reopen': ['1'],
  'task comment': ['1', HOSTILE],
  'task remove': ['99', '--yes'],
  'discipline add': ['x', '--system-prompt', HOSTILE],
  'discipline list': [],
  'discipline show': ['frontend'],
  'discipline set': ['frontend', '--conventions', HOSTILE],
  'discipline remove': [HOSTILE, '--yes'],
  'memory search': ['zebra', '--feature', FEATURE, '--min-score', '0'],
  'memory recent': ['--feature', FEATURE],
  'memory failures': ['--feature', FEATURE],
  'memory files': ['--feature', FEATURE],
  'memory errors': ['--feature', FEATURE],
  'memory record': ['--feature', FEATURE, '--transcript', `/nowhere/${HOSTILE}`],
  'memory verify': [],
  'memory rebuild': [],
  'memory export': [],
  'memory import': [`/nowhere/${HOSTILE}`],
  'memory forget': ['--feature', FEATURE, '--iteration', '99', '--yes'],
  'learnings add': [HOSTILE, '--feature', FEATURE, '--reason', HOSTILE],
  'learnings list': ['--feature', FEATURE],
  'learnings show': ['none', '--feature', FEATURE],
  'learnings edit': [HOSTILE, '--text', HOSTILE, '--feature', FEATURE],
  'learnings remove': [HOSTILE, '--feature', FEATURE],
  'learnings review': [HOSTILE, '--feature', FEATURE],
  'learnings merge': [HOSTILE, 'none', '--feature', FEATURE],
  'config list': [],
  'config get': [HOSTILE],
  'config set': [HOSTILE, HOSTILE],
  'config unset': [HOSTILE],
  receipts: [],
  search: ['zebra', '--min-score', '0'],
  show: [`i-${FEATURE}-1`],
  undo: ['--list'],
  'gate list': [],
  'gate show': ['none'],
  'gate request': ['1', '--gate-type', HOSTILE],
  'gate approve': [HOSTILE],
  'gate reject': [HOSTILE, '--feedback', HOSTILE],
  'knowledge capture': ['--kind', 'failure_solution', '--failure', HOSTILE, '--solution', HOSTILE],
  'knowledge import': [`/nowhere/${HOSTILE}`],
  'knowledge checkpoint': [],
  'knowledge list': ['--staged'],
  'knowledge show': ['none'],
  'knowledge query': [HOSTILE],
  'knowledge context': [HOSTILE],
  'knowledge verify': [HOSTILE],
  'knowledge forget': [HOSTILE, '--yes'],
  'knowledge export': [],
  'knowledge statistics': [],
  'knowledge prune': [],
  'documents add': ['hostile-notes', `/nowhere/${HOSTILE}`],
  'documents list': [],
  'documents sync': [],
  'documents remove': [HOSTILE],
  'conversations search': ['zebra'],
  'conversations import': ['--format', 'jsonl', 'history.jsonl'],
  'conversations export': [],
  'conversations list': [],
  'conversations show': [`${MARK} ${ESC}[31mone`],
  'conversations forget': [`${MARK} ${ESC}[31mone`],
  'conversations clusters': [],
  'conversations share': [`${MARK} ${ESC}[31mone`],
  'conversations unshare': [`${MARK} ${ESC}[31mone`],
  'conversations tag add': [HOSTILE, `${MARK} ${ESC}[31mone`],
  'conversations tag remove': [HOSTILE, 'none'],
  'conversations tag list': [],
  'rag status': [],
  'rag on': [],
  'rag off': [],
  'rag config': [],
  'rag set': [HOSTILE, HOSTILE],
  'rag tags': ['only', HOSTILE],
  'rag upvote': [HOSTILE],
  'rag downvote': [HOSTILE],
  'spend status': [],
  user: [HOSTILE],
  'summarizer status': [],
  'embeddings status': [],
  'embeddings rebuild': ['conversations'],
  'embeddings verify': [],
  'workers status': [],
  'workers retry': [],
  'workers clear': [],
  'summarizer conversation': ['on'],
  'summarizer exchange': ['on'],
  'mcp config': ['--feature', HOSTILE],
  'hooks status': [],
  // They serve, run for long, or change settings of other programs; none of them prints what is stored.
  ...Object.fromEntries(
    [
      ...[
        'chat',
        'mcp',
        'dashboard',
        'demo',
        'migrate',
        'completion',
        'hooks install',
        'hooks uninstall',
        'uninstall',
        'summarizer on',
      ],
      ...['summarizer off', 'embeddings on', 'embeddings off', 'workers run'],
    ].map((name) => [name, undefined]),
  ),
}

it('every command is in the table', async () => {
  expect(Object.keys(CALLS).sort()).toEqual(await commandNames())
})

afterEach(() => vi.unstubAllEnvs())

describe.each([
  ['for a person', [], {}],
  ['for a program', ['--json'], {}],
  ['for an agent', [], { CLAUDECODE: '1' }],
] as const)('what is printed %s', (_, flags, env) => {
  it('holds nothing that a terminal obeys, whatever is stored or named', { timeout: 300_000 }, async () => {
    for (const name of ['RALPH_LOOP_RUN', 'CLAUDECODE', 'CLAUDE_CODE_SESSION_ID']) vi.stubEnv(name, '')
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    const hostile = await hostileProject(HOSTILE)
    const { project } = hostile
    await mkdir(join(project, '.ralph', 'receipts'), { recursive: true })
    const exchange = { conversation_id: `${MARK} ${ESC}[31mone`, title: HOSTILE, tags: [HOSTILE] }
    const said = { user_message: `zebra ${HOSTILE}`, assistant_message: HOSTILE, summary: HOSTILE }
    await writeFile(join(project, 'history.jsonl'), `${JSON.stringify({ ...exchange, ...said })}\n`)
    await mkdir(join(project, 'hostile-notes'))
    await writeFile(join(project, 'hostile-notes', `a ${ESC}[31m.md`), `# ${HOSTILE}\n\nzebra ${HOSTILE}\n`)
    const live: string[] = []
    let seen = 0
    const order = Object.keys(CALLS).sort(
      (a, b) => Number(/import|add|capture/.test(b)) - Number(/import|add|capture/.test(a)),
    )
    for (const name of order) {
      const args = CALLS[name]
      if (!args) continue
      tried(1)
      const text = await printed([...name.split(' '), ...args, ...flags], hostile)
      if (text.includes(MARK)) seen++
      const found = CONTROL.exec(text.replaceAll('\r\x1b[K', ''))
      if (found)
        live.push(`${name}: ${JSON.stringify(text.slice(Math.max(0, found.index - 60), found.index + 30))}`)
      if (Object.keys(env).length > 0 && /<(?!=)\/?[a-z]/i.test(text.replace(/^(?!>).*$/gm, '')))
        live.push(`${name}: a tag`)
    }
    expect(live).toEqual([])
    // A command that shows nothing proves nothing.
    expect(seen).toBeGreaterThan(25)
  })
})

it('marks every line for an agent as quoted, and leaves no tag in it', { timeout: 120_000 }, async () => {
  vi.stubEnv('CLAUDECODE', '1')
  const hostile = await hostileProject(ATTACKS['system reminder']!)
  for (const words of [
    ['memory', 'recent', '--feature', FEATURE],
    ['task', 'show', '1'],
    ['recall', 'zebra'],
  ]) {
    const text = await printed(words, hostile)
    expect(text).toContain(MARK)
    expect(text).not.toContain('<')
    expect(
      text
        .trimEnd()
        .split('\n')
        .filter((line) => !line.startsWith('>')),
    ).toEqual([])
  }
  const json = await printed(['memory', 'recent', '--feature', FEATURE, '--json'], hostile)
  expect(json).not.toContain('<')
  expect(JSON.stringify(JSON.parse(json))).toContain('<system-reminder>')
})

describe('a text in pieces', () => {
  const sequences = [
    `${ESC}]52;c;b2JleQ==\x07`,
    `${ESC}[38;5;1m`,
    `\x9d0;title\x9c`,
    `${ESC}P1;2q${ESC}\\`,
    '👍',
  ]
  it.each(sequences)('comes out as if it had come at once, wherever it is cut: %j', (sequence) => {
    const whole = `before ${sequence} after`
    for (let at = 0; at <= whole.length; at++) {
      const pieces = new TerminalPieces()
      const shown = [whole.slice(0, at), whole.slice(at)]
        .map((piece) => forTerminal(pieces.push(piece)))
        .join('')
      expect(shown).toBe(forTerminal(whole))
    }
  })

  it('waits for no code without end longer than its line', () => {
    const pieces = new TerminalPieces()
    const parts = [`a${ESC}]0;`, 'x'.repeat(9_000), 'y'.repeat(9_000), '\nb'].map((piece) =>
      forTerminal(pieces.push(piece)),
    )
    expect(parts.join('')).toBe('a\nb')
  })
})

describe('links', () => {
  const OURS = /\x1b\]8;;(?:(?:file:\/\/\/|http:\/\/127\.0\.0\.1:\d+\/)[!-~]*?)?\x1b\\/g

  it('are only ours, whatever files, sessions and texts are called', async () => {
    const hostile = await hostileProject(HOSTILE)
    const odd = `src/${ESC}]8;;https://evil.example\x07 a;b$(x)\u202e.ts`
    const record = iteration({
      ...{ iterationNumber: 99, feature: FEATURE, sessionId: '$(touch /tmp/x); rm -rf ~' },
      filesTouched: [{ path: odd, action: 'modified' }],
      errors: [{ message: HOSTILE, filePath: odd, line: 3 }],
    })
    const journal = join(hostile.project, '.ralph', 'db', 'memory', `${FEATURE}.jsonl`)
    await appendFile(journal, `${toJournalLine(record)}\n`)
    const { stdout } = await saidBy(['show', `i-${FEATURE}-99`], {
      ...{ cwd: hostile.project, home: hostile.home, columns: 80 },
      env: { FORCE_HYPERLINK: '1' },
    })
    expect(stdout.match(OURS)?.length).toBeGreaterThan(1)
    expect(stdout).not.toContain('evil.example\x07')
    const rest = stdout.replace(OURS, '').replace(/\x1b\[\d+m/g, '')
    expect(CONTROL.exec(rest)).toBeNull()
    expect(stdout).not.toContain('claude --resume')
  })

  it.each([
    'https://evil.example/',
    'http://127.0.0.1.evil.example:80/',
    `file:///tmp/a${ESC}\\b`,
    'file:///tmp/a\x07b',
    'file:///tmp/a b',
    'file://host/share',
    'javascript:alert(1)',
    'file:///tmp/\u202e',
  ])('do not lead to %j', (target) => expect(forTerminal(inOwnLink('text', target))).toBe('text'))

  it('cannot be written by anybody else', () => {
    const [before] = inOwnLink('x', 'file:///tmp/a').split(']8;;')
    expect(forTerminal(`${before}]8;;https://evil.example/${before}\\x`)).not.toContain(ESC)
    expect(forTerminal(`${ESC}]8;;file:///tmp/a${ESC}\\x${ESC}]8;;${ESC}\\`)).toBe('x')
  })
})

it('colours of our own cannot be written by anybody else', () => {
  expect(forTerminal(ownColours(`${ESC}[31mred${ESC}[39m`))).toBe(`${ESC}[31mred${ESC}[39m`)
  expect(forTerminal('\u{10fffd}[31mred')).not.toContain(ESC)
})
