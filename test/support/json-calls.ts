import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { wholeProgram } from '../../src/cli/program.ts'
import { tellStory } from '../../src/demo/tell-story.ts'
import { openRalph } from '../../src/ralph.ts'
import { startOllama } from '../stand-ins/ollama.ts'
import { makeCheckout } from './checkout.ts'
import { saidBy } from './in-process.ts'

/** Ids that only the sample knows. */
interface Ids {
  learnings: string[]
  gates: string[]
  staged: string[]
  conversations: string[]
  vote: string
}

const FEATURE = ['--feature', 'checkout']
const TRANSCRIPT = join(import.meta.dirname, '../fixtures/stream-json/01-success-tools.jsonl')

/**
 * What each command is called with for its JSON, in this order: first those that look, then those that change, then those
 * that take away. A sentence for those that print none.
 */
export const JSON_CALLS: Record<string, readonly string[] | string | ((ids: Ids) => readonly string[])> = {
  search: ['cents', '--limit', '100'],
  show: ({ learnings }) => [learnings[0]!],
  status: [],
  doctor: [],
  'config list': [],
  'config get': ['search.limit'],
  trust: [],
  'project id': [],
  user: [],
  loop: ['--dry-run'],
  prompt: ['2'],
  'feature list': [],
  'feature show': ['checkout'],
  'task list': [],
  'task show': ['1'],
  'memory search': ['cents', ...FEATURE],
  'memory recent': FEATURE,
  'memory failures': FEATURE,
  'memory files': FEATURE,
  'memory errors': FEATURE,
  'memory verify': [],
  'memory export': 'JSON lines, one record each, as `ralph memory import` takes them.',
  'learnings list': FEATURE,
  'learnings show': ({ learnings }) => [learnings[0]!, ...FEATURE],
  receipts: ['--limit', '20'],
  effect: [],
  'gate list': [],
  'gate show': ({ gates }) => [gates[0]!],
  'knowledge list': [],
  'knowledge show': ({ staged }) => [staged[0]!],
  'knowledge query': ['a total is off by one cent'],
  'knowledge context': ['a total is off by one cent'],
  'knowledge statistics': [],
  'knowledge export': 'JSON lines, one entry each, as `ralph knowledge import` takes them.',
  'documents list': [],
  'conversations list': [],
  'conversations search': ['cents'],
  'conversations show': ({ conversations }) => [conversations[0]!],
  'conversations clusters': [],
  'conversations tag list': [],
  'conversations export':
    'JSON lines, one exchange each, as `ralph conversations import --format jsonl` takes them.',
  'rag status': [],
  'rag config': [],
  'summarizer status': [],
  'embeddings status': [],
  'embeddings verify': [],
  'workers status': [],
  'spend status': [],
  'hooks status': [],
  'mcp config': [],

  init: [],
  'config set': ['search.limit', '10'],
  'config unset': ['search.limit'],
  'feature add': [
    ...['search', '--description', 'finds goods', '--knowledge', 'docs/a.md', '--context-file', 'b.ts'],
    ...['--dependency', 'lucene'],
  ],
  'feature set': ['search', '--description', 'finds goods by name'],
  'feature use': ['checkout'],
  'task add': ['Sort the results', '--feature', 'checkout', '--criterion', 'fast', '--blocked-by', '2'],
  'task set': ['1', '--priority', 'high'],
  'task comment': ['1', 'It is shipped'],
  'task start': ['1'],
  'task done': ['1'],
  'task reopen': ['1'],
  undo: [],
  'discipline add': [
    'frontend',
    '--conventions',
    'no tables for layout',
    '--skill',
    'css',
    '--system-prompt',
    'x',
  ],
  'discipline list': [],
  'discipline show': ['frontend'],
  'discipline set': ['frontend', '--display-name', 'Frontend'],
  'memory record': [...FEATURE, '--task-id', '1', '--task-title', 'Pay', '--transcript', TRANSCRIPT],
  sync: [],
  'memory import': ['records.jsonl'],
  'memory rebuild': [],
  'learnings add': ['Receipts are kept for ten years', ...FEATURE, '--reason', 'the law'],
  'learnings edit': ({ learnings }) => [learnings[0]!, '--reason', 'bookkeeping said so', ...FEATURE],
  'learnings review': ({ learnings }) => [learnings[1]!, ...FEATURE],
  'learnings merge': ({ learnings }) => [learnings[2]!, learnings[3]!, ...FEATURE],
  'gate request': ['2', '--gate-type', 'review'],
  'gate approve': ({ gates }) => [gates[0]!],
  'gate reject': ({ gates }) => [gates[1]!, '--feedback', 'name the reason'],
  'knowledge capture': [
    '--kind',
    'failure_solution',
    '--failure',
    'x fails',
    '--solution',
    'do y',
    '--unverified',
  ],
  'knowledge import': ['entries.jsonl'],
  'knowledge checkpoint': [],
  'knowledge verify': ({ staged }) => [staged[0]!],
  'knowledge prune': [],
  'documents add': ['notes'],
  'documents sync': [],
  'conversations import': ['--format', 'jsonl', 'history.jsonl'],
  'conversations tag add': ({ conversations }) => ['old', conversations[0]!],
  'conversations tag remove': ({ conversations }) => ['old', conversations[0]!],
  'conversations share': ({ conversations }) => [conversations[0]!],
  'conversations unshare': ({ conversations }) => [conversations[0]!],
  'rag on': [],
  'rag off': [],
  'rag set': ['rag_min_similarity', '0.5'],
  'rag tags': ['never', 'private'],
  'rag upvote': ({ vote }) => [vote],
  'rag downvote': ({ vote }) => [vote],
  'summarizer on': [],
  'summarizer off': [],
  'summarizer conversation': ['on'],
  'summarizer exchange': ['on'],
  'embeddings on': [],
  'embeddings off': [],
  'embeddings rebuild': ['conversations', '--yes'],
  'workers run': ['--once'],
  'workers retry': [],
  'workers clear': [],
  'hooks install': [],
  'hooks uninstall': [],

  'task remove': ['6'],
  'discipline remove': ['frontend'],
  'feature remove': ['search', '--yes'],
  'learnings remove': ({ learnings }) => [learnings[4]!, ...FEATURE],
  'memory forget': [...FEATURE, '--iteration', '1', '--yes'],
  'knowledge forget': ({ staged }) => [staged[0]!, '--yes'],
  'documents remove': ['notes'],
  'conversations forget': ({ conversations }) => [conversations[0]!, '--yes'],
  uninstall: [],

  migrate: 'One object: what was copied from where to where.',
  demo: 'One object: the runs `without` and `with` memory, and the `answers` to the questions.',
  dashboard: 'It serves a page; what that asks for is in `ralph help dashboard`.',
  chat: 'It talks with a person.',
  mcp: 'It serves an agent: `ralph help mcp`.',
  completion: 'It prints a script for a shell.',
}

/** Every command by its whole name, as the help orders them. */
export async function allCommandNames(): Promise<string[]> {
  return namesBelow(await wholeProgram(), '')
}

function namesBelow(command: Command, above: string): string[] {
  return command.commands.flatMap((child) => {
    const name = `${above}${child.name()}`
    const own = child.commands.length === 0 || name === 'mcp' ? [name] : []
    return [...own, ...namesBelow(child, `${name} `)]
  })
}

export interface JsonAnswer {
  code: number
  /** Each value that was printed: one, or one for each line. */
  values: unknown[]
  stderr: string
}

/** Runs every command that prints JSON in a sample project of its own. */
export async function jsonAnswers(folder: string): Promise<Map<string, JsonAnswer>> {
  const [project, home] = [join(folder, 'shop'), join(folder, 'home')]
  // Knowledge is found only once it is embedded.
  const service = await startOllama()
  const url = service.url
  await makeProject(project, home, url)
  const env = {
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    RALPH_EMBEDDER: 'ollama',
    RALPH_EMBEDDER_URL: url,
    // Whatever else is installed on this machine is no part of the sample.
    PATH: agentsIn(join(folder, 'bin')),
  }
  const run = async (words: readonly string[]): Promise<JsonAnswer> => {
    const { code, stdout, stderr } = await saidBy([...words, '--json'], { cwd: project, home, env })
    return { code, stderr, values: valuesIn(stdout) }
  }
  const ids = await idsOf(async (...words) => (await run(words)).values[0])
  const answers = new Map<string, JsonAnswer>()
  for (const [name, call] of Object.entries(JSON_CALLS)) {
    if (typeof call === 'string') continue
    answers.set(name, await run([...name.split(' '), ...(typeof call === 'function' ? call(ids) : call)]))
  }
  await service.close()
  return answers
}

function agentsIn(folder: string): string {
  mkdirSync(folder)
  writeFileSync(join(folder, 'claude'), '#!/bin/sh\necho 2.1.0\n', { mode: 0o755 })
  writeFileSync(join(folder, 'claude.cmd'), '@echo 2.1.0\r\n')
  return folder
}

async function makeProject(project: string, home: string, url: string): Promise<void> {
  mkdirSync(join(project, '.ralph', 'db'), { recursive: true })
  makeCheckout(project)
  writeFileSync(join(project, 'records.jsonl'), '')
  writeFileSync(join(project, 'entries.jsonl'), '{"kind":"failure_solution"}\n')
  const exchange = { conversation_id: 'one', user_message: 'Which tax?', assistant_message: 'The lower one.' }
  writeFileSync(join(project, 'history.jsonl'), `${JSON.stringify(exchange)}\n`)
  mkdirSync(join(project, 'notes'))
  writeFileSync(
    join(project, 'notes', 'prices.md'),
    '# Prices\n\nPrices are kept in cents, never as fractions.\n',
  )
  writeFileSync(join(project, 'notes', 'damaged.pdf'), 'no PDF')
  writeFileSync(join(project, 'notes', 'logo.png'), '')
  const settings = { embedder: { provider: 'ollama', url } } as const
  const ralph = await openRalph({ project, home, settings, onNotice: () => undefined })
  try {
    await tellStory(ralph)
    await ralph.documents.add([join(project, 'notes')])
    // Enough of a kind for a topic.
    for (const what of ['rounds', 'prints', 'forgets']) {
      const userMessage = `The invoice printer ${what} the total of an invoice`
      await ralph.conversations.record({ conversationId: what, userMessage, assistantMessage: 'Mended.' })
    }
  } finally {
    await ralph.close()
  }
}

async function idsOf(ask: (...words: string[]) => Promise<unknown>): Promise<Ids> {
  const idsIn = async (key: string, ...words: string[]) =>
    ((await ask(...words)) as Record<string, { id: string }[]>)[key]!.map(({ id }) => id)
  const found = (await ask('conversations', 'search', 'cents')) as { results: { exchange: { id: string } }[] }
  return {
    learnings: await idsIn('learnings', 'learnings', 'list', ...FEATURE),
    gates: await idsIn('gates', 'gate', 'list'),
    staged: await idsIn('entries', 'knowledge', 'list', '--staged'),
    conversations: await idsIn('conversations', 'conversations', 'list'),
    vote: found.results[0]!.exchange.id,
  }
}

/** One value over several lines, or one in each line. */
function valuesIn(text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
}
