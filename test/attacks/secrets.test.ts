import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { LiveCommands } from '../../src/hooks/live-commands.ts'
import { sessionsDir } from '../../src/hooks/places.ts'
import { SessionNotes } from '../../src/hooks/session-notes.ts'
import { RunFiles } from '../../src/loop/run-file.ts'
import type { Ralph } from '../../src/ralph.ts'
import type { NewReceipt } from '../../src/receipts/receipt.ts'
import { makeWorld } from '../loop/world.ts'
import { connect, project } from '../mcp/support.ts'
import { newIteration } from '../support/records.ts'

/** Put together here, so that no scanner takes this file for a leak. */
const CORE = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zCaB3d'
const TOKEN = `ghp_${CORE}`

/** Every file below a folder that holds the secret, in whatever spelling an index gives it. */
function holding(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => {
      const path = join(folder, name)
      if (name.toLowerCase().includes(CORE.toLowerCase())) return true
      return (
        statSync(path).isFile() && readFileSync(path, 'latin1').toLowerCase().includes(CORE.toLowerCase())
      )
    })
    .sort()
}

function leaksOf({ config }: Ralph): string[] {
  return [...holding(join(config.project, '.ralph')), ...holding(config.home)]
}

const memory = (fields: Parameters<typeof newIteration>[0]) => (ralph: Ralph) =>
  ralph.featureMemory.recordIteration(newIteration({ feature: 'auth', ...fields }))

const said = { conversationId: 'c', userMessage: 'How?', assistantMessage: 'So.' }
const conversation =
  (exchange: object, facts: object = {}) =>
  async (ralph: Ralph) => {
    const conversations = await ralph.openConversations()
    await conversations.record({ ...said, ...exchange }, { source: 'api', ...facts })
    await conversations.workers.runOnce(AbortSignal.timeout(20_000))
  }

const jsonl = (fields: object) => async (ralph: Ralph) => {
  const file = join(dirname(ralph.config.project), 'export.jsonl')
  const line = { conversation_id: 'c', user_message: 'How?', assistant_message: 'So.', ...fields }
  writeFileSync(file, `${JSON.stringify(line)}\n`)
  const conversations = await ralph.openConversations()
  const { exchanges } = await conversations.importJsonl(file)
  expect(exchanges.added).toBe(1)
}

const session =
  (...more: object[]) =>
  async (ralph: Ralph) => {
    const file = join(dirname(ralph.config.project), '6f0e1c1a-0000-4000-8000-000000000001.jsonl')
    const common = {
      sessionId: '6f0e1c1a-0000-4000-8000-000000000001',
      timestamp: '2026-11-16T10:00:00Z',
      cwd: '/shop',
    }
    const lines = [
      { ...common, type: 'user', uuid: 'u1', message: { role: 'user', content: 'How does the tax work?' } },
      {
        ...common,
        type: 'assistant',
        uuid: 'a1',
        parentUuid: 'u1',
        message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'By the rate.' }] },
      },
      ...more,
    ]
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const { exchanges } = await (await ralph.openConversations()).importSessions(file)
    expect(exchanges.added).toBe(1)
  }

const lesson = {
  kind: 'failure_solution',
  project: '/shop',
  agentType: 'dev',
  taskType: 'feature',
  technology: 'node',
  failureDescription: 'It does not start',
  solutionSteps: ['Start it'],
  successVerified: true,
}
const knowledge =
  (fields: object, options: object = {}) =>
  async (ralph: Ralph) => {
    const service = await ralph.openKnowledge()
    await service.capture({ ...lesson, ...fields } as never, options)
    await service.checkpoint('manual')
  }

const gate = (fields: object) => async (ralph: Ralph) => {
  const asked = {
    project: ralph.config.project,
    feature: 'auth',
    taskId: '1',
    taskTitle: 'Add tax',
    gateType: 'review',
    agentType: 'dev',
    taskType: 'feature',
    technology: 'node',
    approach: 'Net prices',
    change: '+1',
  }
  await (await ralph.openKnowledge()).gates.request({ ...asked, ...fields } as never)
}

const feature = (fields: object) => async (ralph: Ralph) => {
  await ralph.board.addFeature({ name: 'auth', ...fields })
  await ralph.featureMemory.catchUp('auth')
}
const task = (fields: object) => (ralph: Ralph) =>
  ralph.board.addTask({ title: 'Add tax', feature: 'auth', ...fields } as never)

const notes = ({ config }: Ralph, session = 'session-1') => new SessionNotes(sessionsDir(config), session)
const pending = { sessionId: 's', transcript: '/t.jsonl', cwd: '/shop' }
const receipt: NewReceipt = { surface: 'mcp', event: 'search', run: 'r', items: [] }

/** Every way in which something gets to be stored. */
const WAYS_IN: Record<string, (ralph: Ralph) => unknown> = {
  'record: summary': memory({ summary: `used ${TOKEN}` }),
  'record: task title': memory({ taskTitle: `rotate ${TOKEN}` }),
  'record: error': memory({ errors: [{ message: `refused ${TOKEN}` }] }),
  'record: path of an error': memory({ errors: [{ message: 'refused', filePath: `keys/${TOKEN}.txt` }] }),
  'record: command of an error': memory({ errors: [{ message: 'refused', command: `login ${TOKEN}` }] }),
  'record: touched path': memory({ filesTouched: [{ path: `keys/${TOKEN}.txt`, action: 'created' }] }),
  'record: decision': memory({ decisions: [{ description: `take ${TOKEN}`, rationale: TOKEN }] }),
  'record: discipline': memory({ discipline: TOKEN }),
  'record: model': memory({ modelTier: TOKEN }),
  'record: agent': memory({ agent: TOKEN }),
  'record: session': memory({ sessionId: TOKEN }),
  'record: ending': memory({ ending: { kind: 'stopped', detail: `said ${TOKEN}`, signal: TOKEN } }),
  'record: check': memory({
    checks: [
      {
        command: `t ${TOKEN}`,
        kind: 'test',
        result: 'failed',
        signatures: [`no ${TOKEN}`],
        cleared: [TOKEN],
        directory: `a/${TOKEN}`,
      },
    ],
  }),
  'record: feature': (ralph) => memory({ feature: TOKEN })(ralph).catch(() => undefined),
  'record: import': async (ralph) => {
    const record = { ...newIteration({ modelTier: TOKEN, feature: 'auth' }), iterationNumber: 1 }
    const { snakeKeys } = await import('../../src/text/case.ts')
    const line = JSON.stringify({ version: 1, record: snakeKeys(record) })
    const lines = async function* () {
      yield line
    }
    expect((await ralph.featureMemory.import(lines())).imported).toBe(1)
  },

  'learning: text': (ralph) => learn(ralph, { text: `The key is ${TOKEN}` }),
  'learning: reason': (ralph) => learn(ralph, { reason: `It said ${TOKEN}` }),
  'learning: file': (ralph) => learn(ralph, { files: [`keys/${TOKEN}.txt`] }),

  'board: description': feature({ description: `uses ${TOKEN}` }),
  'board: architecture': feature({ architecture: `uses ${TOKEN}` }),
  'board: display name': feature({ displayName: TOKEN }),
  'board: a list': feature({ knowledgePaths: [`docs/${TOKEN}.md`] }),
  'board: feature changed': async (ralph) => {
    await feature({})(ralph)
    await ralph.board.patchFeature('auth', { description: TOKEN })
  },
  'board: task': task({ title: `rotate ${TOKEN}`, description: `now ${TOKEN}` }),
  'board: criteria': task({ acceptanceCriteria: [`${TOKEN} works`] }),
  'board: comment': async (ralph) => {
    const { id } = await task({})(ralph)
    await ralph.board.addComment(id, { author: 'me', text: `see ${TOKEN}` })
  },
  'board: discipline': (ralph) =>
    ralph.board.addDiscipline({ name: 'dev', systemPrompt: TOKEN, conventions: TOKEN, skills: [TOKEN] }),
  'MCP: update_feature': async (ralph) => {
    await feature({})(ralph)
    const { call } = await connect(ralph, { feature: 'auth' })
    await call('update_feature', { description: `with ${TOKEN}`, architecture: TOKEN })
  },
  'MCP: a question': async (ralph) => {
    await memory({})(ralph)
    const { call } = await connect(ralph, { feature: 'auth' })
    await call('search_feature_memory', { query: `what about ${TOKEN}` })
  },

  'conversation: messages': conversation({ userMessage: `use ${TOKEN}`, assistantMessage: `${TOKEN} used` }),
  'conversation: steps': conversation({ messages: [{ role: 'tool_result', content: TOKEN }] }),
  'conversation: tool name': conversation({
    messages: [{ role: 'tool_call', content: 'x', toolName: TOKEN }],
  }),
  'conversation: title': conversation({}, { title: `about ${TOKEN}` }),
  'conversation: project': conversation({}, { project: `/home/${TOKEN}` }),
  'conversation: id': conversation({ conversationId: TOKEN, id: TOKEN }),
  'conversation: parent': conversation({}, { parentId: TOKEN }),
  'conversation: tag': async (ralph) => {
    await conversation({})(ralph)
    await (await ralph.openConversations()).tags.add('c', TOKEN)
  },
  'import: title of a session': session({ type: 'custom-title', customTitle: `about ${TOKEN}` }),
  'import: title': jsonl({ title: `about ${TOKEN}` }),
  'import: summary': jsonl({ summary: `it was ${TOKEN}` }),
  'import: tags': jsonl({ tags: ['ok', TOKEN, `about-${TOKEN}`] }),
  'import: id': jsonl({ conversation_id: TOKEN, exchange_id: TOKEN, tags: ['ok'] }),
  'import: tool name': jsonl({ messages: [{ role: 'tool', content: 'x', tool_name: TOKEN }] }),
  'import: tool calls': jsonl({
    messages: [{ role: 'assistant', content: null, tool_calls: [{ a: TOKEN }] }],
  }),

  'knowledge: problem': knowledge({ failureDescription: `refused ${TOKEN}` }),
  'knowledge: solution': knowledge({ solutionSteps: ['Look', `use ${TOKEN}`] }),
  'knowledge: technology': knowledge({ technology: TOKEN }),
  'knowledge: task type': knowledge({ taskType: TOKEN, agentType: TOKEN }),
  'knowledge: task and person': knowledge({}, { task: TOKEN, by: TOKEN }),
  'gate: approach and change': gate({ approach: TOKEN, change: `+${TOKEN}` }),
  'gate: names': gate({ gateType: TOKEN, agentType: TOKEN, taskType: TOKEN, technology: TOKEN }),
  'gate: task': gate({ taskId: TOKEN, taskTitle: TOKEN, taskDescription: TOKEN }),
  'gate: feedback': async (ralph) => {
    await gate({})(ralph)
    const { gates } = await ralph.openKnowledge()
    const [waiting] = await gates.waiting()
    await gates.reject(waiting!.id, { feedback: `not ${TOKEN}`, by: TOKEN })
  },

  'receipt: item': (ralph) =>
    ralph.receipts.append({
      ...receipt,
      items: [{ kind: 'file', source: `docs/${TOKEN}.md`, why: TOKEN, text: TOKEN }],
    }),
  'receipt: whole': (ralph) =>
    ralph.receipts.append({ ...receipt, run: TOKEN, event: TOKEN, text: TOKEN, leftOut: [TOKEN] }),
  'receipt: ending': (ralph) => ralph.receipts.ended({ run: TOKEN, outcome: 'failure', remark: TOKEN }),

  'hook: session': (ralph) => notes(ralph, TOKEN).setPending({ ...pending, sessionId: TOKEN }),
  'hook: what was told': (ralph) => notes(ralph).mayShow(`error ${TOKEN}`, 10),
  'hook: touched path': (ralph) => notes(ralph).touch(`keys/${TOKEN}.txt`),
  'hook: command': (ralph) =>
    new LiveCommands(notes(ralph)).failed(`curl ${TOKEN}`, { signatures: [TOKEN], message: TOKEN }),
  'loop: note of a run': async ({ config }) => {
    const runs = new RunFiles(join(config.paths.cache, 'loop'))
    await runs.save({
      runId: 'r',
      startedAt: new Date().toISOString(),
      review: false,
      feature: 'auth',
      taskId: 1,
      taskTitle: TOKEN,
      discipline: TOKEN,
      before: { status: 'pending', comments: 0 },
      log: runs.logPath('r'),
      shownLearnings: [],
      phase: 'running',
    })
  },
}

function learn(ralph: Ralph, fields: object): Promise<unknown> {
  const learning = {
    text: 'It takes net prices',
    reason: 'It failed',
    source: 'agent',
    iteration: 1,
    ...fields,
  }
  return feature({})(ralph).then(() => ralph.learnings.append('auth', learning as never))
}

describe('a secret is stored by no way in', () => {
  it.each(Object.entries(WAYS_IN))('%s', async (_, wayIn) => {
    const ralph = await project()
    await wayIn(ralph)
    await ralph.close()
    expect(leaksOf(ralph)).toEqual([])
  })
})

describe('a run of the loop', () => {
  it('leaves no secret once it is recorded, in its log neither', async () => {
    const world = await makeWorld()
    onTestFinished(() => world.close())
    await world.tasks('pending')
    await world.put('.ralph/db/features.yaml', 'features:\n  - name: auth\n')
    await world.agent(
      `call('Bash', { command: 'login ${TOKEN}' }, 'refused ${TOKEN}', true); console.log('plain ${TOKEN}'); process.stderr.write('${TOKEN}'); setStatus('done'); end('Logged in with ${TOKEN}.')`,
    )
    await world.loop({ maxIterations: 1 } as never)
    const folder = join(world.project, '.ralph/cache/loop/logs')
    const [log, ...others] = readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(others).toEqual([])
    expect(log).toContain('[redacted: github token]')
    expect(log).toContain('"type":"result"')
    expect(await world.records()).toHaveLength(1)
    expect(holding(join(world.project, '.ralph'))).toEqual([])
  })
})
