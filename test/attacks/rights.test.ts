import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { runShared } from '../../src/chat/slash.ts'
import { CONVERSATION_COMMANDS } from '../../src/conversation-commands/commands.ts'
import type { Conversations } from '../../src/conversation-memory/conversations.ts'
import { RalphError } from '../../src/errors.ts'
import { openRalph } from '../../src/ralph.ts'
import { connect } from '../mcp/support.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { commandNames, printed } from './every-command.ts'
import { tried } from './tried.ts'

/**
 * Every command: what an agent is refused of it, by the words that are tried, or why it may be an agent's. Memory is deleted,
 * switched off, opened to others and spoken for by people only. A command that is new has to be put here first.
 */
const READS = 'it only looks'
const MAKES = 'it can be made again, or taken back, and takes nothing away'
const BOARD = 'the board is what agents work on; a person takes it back with undo or git'
const AS_AGENT = 'what it says is told as the agent’s'
const RIGHTS: Record<string, readonly (readonly string[])[] | string> = {
  init: [['--trust', '--no-hooks', '--no-mcp', '--no-import', '--no-install']],
  search: READS,
  show: READS,
  undo: [[]],
  status: READS,
  loop: 'it starts what a person has trusted, within their limits',
  dashboard: 'one that an agent starts changes nothing (dashboard.test.ts)',
  chat: 'the commands in it are those below',
  demo: 'in folders of its own',
  'feature add': BOARD,
  'feature list': READS,
  'feature show': READS,
  'feature set': BOARD,
  'feature remove': [['auth', '--yes']],
  'feature use': BOARD,
  'task add': BOARD,
  'task list': READS,
  'task show': READS,
  'task set': BOARD,
  'task done': BOARD,
  'task start': BOARD,
  'task reopen': BOARD,
  'task comment': BOARD,
  'task remove': BOARD,
  'discipline add': BOARD,
  'discipline list': READS,
  'discipline show': READS,
  'discipline set': BOARD,
  'discipline remove': BOARD,
  'gate list': READS,
  'gate show': READS,
  'gate request': AS_AGENT,
  'gate approve': [['GATE']],
  'gate reject': [['GATE', '--feedback', 'no']],
  prompt: READS,
  'memory record': AS_AGENT,
  'memory search': READS,
  'memory recent': READS,
  'memory files': READS,
  'memory failures': READS,
  'memory errors': READS,
  'memory verify': READS,
  'memory rebuild': MAKES,
  'memory export': READS,
  'memory import': 'it adds to journals, which agents write anyway',
  'memory forget': [
    ['--feature', 'auth', '--yes'],
    ['--feature', 'auth', '--iteration', '1', '--yes'],
  ],
  'learnings add': [['Skip it', '--feature', 'auth', '--reason', 'x', '--source', 'human']],
  'learnings list': READS,
  'learnings show': READS,
  'learnings remove': [['LEARNING']],
  'learnings review': [['LEARNING']],
  'learnings merge': [['LEARNING', 'OTHER', '--text', 'Skip both']],
  'learnings edit': [['LEARNING', '--text', 'Skip it']],
  'knowledge capture': [['--kind', 'gate_approval', '--gate-type', 'review', '--approach', 'skip it']],
  'knowledge import': [['entries.jsonl']],
  'knowledge query': READS,
  'knowledge context': READS,
  'knowledge checkpoint': MAKES,
  'knowledge list': READS,
  'knowledge show': READS,
  'knowledge verify': 'an agent that a person has started may have tried it; in a run it is refused',
  'knowledge forget': [['ENTRY', '--yes']],
  'knowledge export': READS,
  'knowledge statistics': READS,
  'knowledge prune': [[]],
  'conversations search': READS,
  'conversations import': [['history.jsonl'], ['--format', 'jsonl', 'history.jsonl']],
  'conversations export': READS,
  'conversations list': READS,
  'conversations show': READS,
  'conversations forget': [['one', '--yes']],
  'conversations clusters': READS,
  'conversations tag add': [['public', 'one']],
  'conversations tag remove': [['private', 'one']],
  'conversations tag list': READS,
  'conversations share': [['one'], ['--all', '--yes']],
  'conversations unshare': [['one'], ['--all']],
  'documents add': 'a person says which agents may; in a run it is refused',
  'documents list': READS,
  'documents sync': MAKES,
  'documents remove': [['notes'], ['--all', '--yes']],
  receipts: READS,
  effect: READS,
  doctor: MAKES,
  sync: 'it records what programs have kept of sessions',
  'config list': READS,
  'config get': READS,
  'config set': [['loop.gate', 'none']],
  'config unset': [['loop.gate']],
  trust: [['--yes']],
  migrate: [
    ['--to', 'qdrant', '--url', 'http://127.0.0.1:9'],
    ['--to', 'postgres', '--url', 'postgres://127.0.0.1:9/db'],
  ],
  uninstall: [[], ['--yes'], ['--memory', '--yes']],
  'hooks install': 'it lets memory work',
  'hooks uninstall': [[], ['--scope', 'user'], ['--agent', 'codex']],
  'hooks status': READS,
  mcp: 'the tools are those below',
  'mcp config': [['--remove'], ['--client', 'gemini', '--trust', '--write']],
  'workers status': READS,
  'workers retry': MAKES,
  'workers clear': [[]],
  'workers run': MAKES,
  'spend status': READS,
  'project id': [['--new']],
  user: [['Ann']],
  completion: READS,
  'rag status': READS,
  'rag on': [[]],
  'rag off': [[]],
  'rag config': READS,
  'rag set': [['rag_never_tags', 'none']],
  'rag tags': [['any'], ['only', 'private']],
  'rag upvote': [['one']],
  'rag downvote': [['one']],
  'summarizer status': READS,
  'summarizer on': [[]],
  'summarizer off': [[]],
  'summarizer conversation': [['off']],
  'summarizer exchange': [['off']],
  'embeddings status': READS,
  'embeddings on': [[]],
  'embeddings off': [[]],
  'embeddings verify': MAKES,
  'embeddings rebuild': MAKES,
}

/** What an agent's session may do with each tool of MCP. */
const TOOLS: Record<string, 'reads' | 'changes'> = {
  search_feature_memory: 'reads',
  get_recent_iterations: 'reads',
  get_failed_attempts: 'reads',
  get_feature_files: 'reads',
  search_conversations: 'reads',
  fetch_conversation_details: 'reads',
  update_feature: 'changes',
  append_feature_learning: 'changes',
  remove_feature_learning: 'changes',
  review_feature_learning: 'changes',
  merge_feature_learnings: 'changes',
}

afterEach(() => vi.unstubAllEnvs())

async function world() {
  const folder = await temporaryFolder()
  const [project, home] = [join(folder, 'shop'), join(folder, 'home')]
  mkdirSync(join(project, '.git'), { recursive: true })
  const env = { RALPH_EMBEDDER: 'none' }
  const ralph = await openRalph({ project, home, env, onNotice: () => undefined })
  await ralph.board.addFeature({ name: 'auth' })
  await ralph.featureMemory.recordIteration(newIteration({ feature: 'auth' }))
  for (const text of ['Never skip the check of tokens', 'Sessions live in Redis'])
    await ralph.learnings.append('auth', { text, reason: 'seen', source: 'human' })
  const [learning, other] = (await ralph.learnings.list('auth')).map(({ id }) => id)
  const gate = await ralph.knowledge.gates.request({
    ...{ project: ralph.config.project, taskId: 1, gateType: 'review', approach: 'a form' },
  })
  await ralph.conversations.record({ conversationId: 'one', userMessage: 'mine', assistantMessage: 'yes' })
  writeFileSync(join(project, 'entries.jsonl'), '{}\n')
  const said = { conversation_id: 'two', user_message: 'skip all checks', assistant_message: 'yes' }
  writeFileSync(join(project, 'history.jsonl'), `${JSON.stringify(said)}\n`)
  await ralph.close()
  writeFileSync(join(project, '.ralph/rag_config.json'), JSON.stringify({ loop: { agent: ['evil'] } }))
  const named: Record<string, string> = { LEARNING: learning!, OTHER: other!, GATE: gate.id, ENTRY: 'none' }
  const state = async () => {
    const now = await openRalph({ project, home, env, onNotice: () => undefined })
    const kept = [
      await now.featureMemory.recent('auth'),
      await now.learnings.list('auth'),
      await now.knowledge.gates.show(gate.id),
      (await now.conversations.history.list({})).map(({ id }) => id),
      await now.conversations.settings.read(),
    ]
    await now.close()
    return JSON.stringify(kept)
  }
  return {
    project,
    home,
    state,
    words: (given: readonly string[]) => given.map((word) => named[word] ?? word),
  }
}

function marked(value: string): void {
  for (const name of ['RALPH_LOOP_RUN', 'CLAUDE_CODE_SESSION_ID']) vi.stubEnv(name, '')
  vi.stubEnv('CLAUDECODE', value)
}

describe('commands', () => {
  it('honest: are all in the table of rights, and every command is in the table once', async () => {
    expect(Object.keys(RIGHTS).sort()).toEqual(await commandNames())
  })

  it('that delete, switch, open or speak for a person are refused to an agent', {
    timeout: 60_000,
  }, async () => {
    const made = await world()
    const before = await made.state()
    marked('1')
    for (const [name, calls] of Object.entries(RIGHTS)) {
      if (typeof calls === 'string') continue
      tried(calls.length)
      for (const call of calls) {
        const text = await printed([...name.split(' '), ...made.words(call)], made)
        expect(text, [name, ...call].join(' ')).toMatch(/an agent cannot .+\n.*terminal of your own/)
      }
    }
    expect(await made.state()).toBe(before)
  })

  it('honest: are carried out for a person', async () => {
    const made = await world()
    marked('')
    for (const call of [
      ['rag', 'off'],
      ['embeddings', 'off'],
      ['conversations', 'forget', 'one', '--yes'],
      ['conversations', 'import', 'history.jsonl'],
      ['knowledge', 'prune'],
      ['memory', 'forget', '--feature', 'auth', '--yes'],
      ['feature', 'remove', 'auth', '--yes'],
    ])
      expect(await printed(call, made), call.join(' ')).not.toMatch(/an agent cannot|✗|error/i)
  })

  it('in a chat that an agent has started are refused like those of the shell', async () => {
    const commands = CONVERSATION_COMMANDS.filter(
      ({ name, only }) => Array.isArray(RIGHTS[name]) && only !== 'shell',
    )
    tried(commands.length)
    for (const { name } of commands) {
      const asked = runShared([...name.replace(/^conversations /, '').split(' '), ...wordsFor(name)], {
        ...{ conversations: {} as Conversations, onProgress: () => undefined },
        signal: AbortSignal.timeout(60_000),
        requirePerson: (deed) => Promise.reject(new RalphError('invalid_input', `refused: ${deed}`)),
      })
      await expect(asked, name).rejects.toThrow(/refused: /)
    }
  })
})

/** What a command needs at least. */
function wordsFor(name: string): string[] {
  const [words = []] = RIGHTS[name] as readonly (readonly string[])[]
  return words.filter((word) => word !== '--yes')
}

describe('tools of MCP', () => {
  it('honest: are all in the table, and what changes something is not offered to whoever may only read', async () => {
    const made = await world()
    const open = () =>
      openRalph({ ...made, env: { RALPH_EMBEDDER: 'none' }, onNotice: () => undefined, via: 'review' })
    const names = async (options: object) => {
      const { client } = await connect(await open(), { feature: 'auth', ...options })
      return (await client.listTools()).tools.map(({ name }) => name).sort()
    }
    const all = new Set([...(await names({})), ...(await names({ caretaker: 'reviewer' }))])
    // A server that is locked to a feature knows no conversations.
    const { client } = await connect(await open(), {})
    for (const { name } of (await client.listTools()).tools) all.add(name)
    expect([...all].sort()).toEqual(Object.keys(TOOLS).sort())
    for (const name of await names({ readOnly: true })) expect(TOOLS[name], name).toBe('reads')
  })
})
