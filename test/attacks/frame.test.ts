import { describe, expect, it } from 'vitest'
import { CLAUDE_HOOKS } from '../../src/agent-config/claude-hooks.ts'
import { runTool } from '../../src/chat/model-tools.ts'
import { resolveConfig } from '../../src/config.ts'
import { CONVERSATION_TOOLS } from '../../src/conversation-commands/tools.ts'
import { contextSection } from '../../src/conversation-memory/retrieve/context.ts'
import { documentsSection } from '../../src/documents/context.ts'
import type { FoundPiece } from '../../src/documents/record.ts'
import { HookContext, type Injection } from '../../src/hooks/context.ts'
import { afterFailure } from '../../src/hooks/events/after-failure.ts'
import { beforeTool } from '../../src/hooks/events/before-tool.ts'
import { briefing } from '../../src/hooks/events/brief.ts'
import { Histories } from '../../src/loop/history.ts'
import { briefReview } from '../../src/loop/review.ts'
import { toolsFor } from '../../src/mcp/tools.ts'
import { contextBlock } from '../../src/project-knowledge/context-block.ts'
import { connect } from '../mcp/support.ts'
import { ATTACKS, MARK } from './attack-list.ts'
import { expectFramed, expectHarmlessValues } from './framed.ts'
import {
  FEATURE,
  fileFrom,
  type HostileProject,
  hostileConversation,
  hostileConversations,
  hostilePattern,
  hostileProject,
  TASK,
} from './hostile-project.ts'
import { tried } from './tried.ts'

/** The texts of one surface. Those that are data besides are checked as data where they are made. */
type Surface = (hostile: HostileProject & { attack: string }) => Promise<(string | undefined)[]>

const MEMORY_TOOLS: Record<
  string,
  (learnings: readonly string[], attack: string) => Record<string, unknown>
> = {
  search_feature_memory: () => ({ query: 'zebra', min_score: 0 }),
  get_recent_iterations: () => ({}),
  get_feature_files: () => ({}),
  get_failed_attempts: () => ({}),
  append_feature_learning: (_, attack) => ({ text: `not zebra ${attack}`.slice(0, 480), reason: 'seen' }),
  review_feature_learning: ([learning]) => ({ id: learning }),
  remove_feature_learning: (learnings) => ({ id: learnings.at(-1) }),
  merge_feature_learnings: (learnings) => ({ ids: learnings.slice(0, 2) }),
  update_feature: () => ({ description: 'Plain.' }),
  search_conversations: () => ({ query: 'zebra' }),
  fetch_conversation_details: () => ({ conversation_id: 'c', include_full_transcript: true }),
}

/** By event of the agent: what its hook may say. */
const HOOKS: Record<string, Surface> = {
  SessionStart: async (hostile) => [(await briefing(await hookContext(hostile, {})))?.text],
  UserPromptSubmit: async ({ attack }) => [
    contextSection({ conversations: [hostileConversation(attack)] }, { tools: false }),
  ],
  PreToolUse: async (hostile) => {
    const read = (path: string) => ({ tool_name: 'Read', tool_input: { file_path: path } })
    const told: (Injection | undefined)[] = []
    for (const path of ['src/pay.ts', fileFrom(hostile.attack)])
      told.push(await beforeTool(await hookContext(hostile, read(path), path)))
    for (const command of ['node deploy.js', hostile.attack])
      told.push(await beforeTool(await hookContext(hostile, bash(command), command)))
    return told.map((injection) => injection?.text)
  },
  PostToolUseFailure: async (hostile) => {
    const error = 'Exit code 1\nError: bucket zebra does not exist\n    at upload (/shop/deploy.js:4:9)'
    const told = await afterFailure(
      await hookContext(hostile, { ...bash('node deploy.js'), error }, 'failure'),
    )
    return [told?.text]
  },
  PreCompact: async () => [],
  Stop: async () => [],
  SessionEnd: async () => [],
}

const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command } })

async function hookContext(
  { project, home }: HostileProject,
  fields: object,
  session = 'one',
): Promise<HookContext> {
  const config = await resolveConfig({ cwd: project, home, env: {} })
  const { tool_name: tool, tool_input: toolInput = {}, error } = fields as Record<string, never>
  const input = { event: 'x', sessionId: session, cwd: project, tool, toolInput, error }
  const caller = { parent: process.ppid, remainingMs: () => 60_000 }
  return new HookContext(config, input as never, caller)
}

function hostilePiece(attack: string): FoundPiece {
  const said = { path: `/notes/${attack}.md`, title: attack, headings: [attack], text: attack }
  const place = { lines: [1, 7] as [number, number] }
  const piece = { id: '0', documentId: '0', position: 0, format: 'markdown' as const, place, ...said }
  return { piece, score: 0.9, relevance: 'relevant', matched: ['words'], alike: 0 }
}

const SURFACES: Record<string, Surface> = {
  'the prompt of the loop': async ({ ralph }) =>
    Promise.all([900, 30_000].map(async (budget) => (await ralph.loop.prompt(TASK, { budget })).text)),
  'the prompt of a review': async ({ ralph, project }) => {
    const { board, featureMemory } = ralph
    const learnings = ralph.learnings as never
    const history = await new Histories({ featureMemory, project }).of(FEATURE)
    const options = { budget: 20_000, memoryTools: 'everything' as const }
    return [(await briefReview({ board: board as never, learnings }, FEATURE, history, options)).prompt.text]
  },
  'the block of knowledge': async ({ attack }) => [
    contextBlock([hostilePattern(attack), hostilePattern(attack)]),
  ],
  'the context of a chat': async ({ attack }) => [
    contextSection({ conversations: [hostileConversation(attack)] }),
  ],
  'the documents of a chat': async ({ attack }) => [documentsSection('zebra', [hostilePiece(attack)])],
  'the tools of a chat': async ({ attack }) => {
    const conversations = hostileConversations(attack)
    const calls = CONVERSATION_TOOLS.map(({ name }) => ({ name, input: MEMORY_TOOLS[name]?.([], attack) }))
    const wrong = [
      { name: attack, input: {} },
      { name: 'search_conversations', input: { query: attack, limit: 1e9 } },
      { name: 'fetch_conversation_details', input: {} },
    ]
    const answers = await Promise.all([...calls, ...wrong].map((call) => runTool(conversations, call, {})))
    const [, details] = answers
    expectHarmlessValues(JSON.parse(details!.text))
    return answers.filter((answer) => answer !== details).map(({ text }) => text)
  },
  'the tools of MCP': async (hostile) => {
    const { ralph, attack, namedFeature } = hostile
    const served = Object.assign(Object.create(ralph), { conversations: hostileConversations(attack) })
    const texts: string[] = []
    for (const feature of [undefined, namedFeature]) {
      const { call, client } = await connect(served, { feature, caretaker: 'reviewer' })
      const ids = (await ralph.learnings.list(feature ?? FEATURE)).map(({ id }) => id)
      const named = feature === undefined ? { feature: FEATURE } : {}
      // What is written is the same wherever it is written, and takes long.
      for (const { name, perFeature } of toolsFor({
        feature,
        caretaker: 'reviewer',
        readOnly: feature !== undefined,
      })) {
        const args = MEMORY_TOOLS[name]!(ids, attack)
        const { text, structured } = await call(name, { ...(perFeature === false ? {} : named), ...args })
        expectHarmlessValues(structured)
        // The details of a conversation are JSON.
        if (name !== 'fetch_conversation_details') texts.push(text)
      }
      for (const [name, args] of [
        ['get_recent_iterations', { ...named, count: -1 }],
        ['remove_feature_learning', { ...named, id: 'none' }],
        ['update_feature', { ...named, knowledge_paths: [`../${attack}`] }],
        ['append_feature_learning', { ...named, text: '…', reason: 'x' }],
      ] as const)
        texts.push((await call(name, args)).text)
      if (feature === undefined) texts.push((await call('get_recent_iterations', { feature: attack })).text)
      texts.push(client.getInstructions() ?? '')
      const { tools } = await client.listTools()
      texts.push(...tools.map(({ description = '' }) => description))
    }
    return texts
  },
  'the resources of MCP': async ({ ralph }) => {
    const { client } = await connect(ralph)
    const { resources } = await client.listResources()
    const texts = resources.flatMap(({ name, title = '' }) => [name, title])
    for (const { uri } of resources) {
      const answer = await client.readResource({ uri }).catch((error: Error) => error.message)
      if (typeof answer === 'string') texts.push(answer)
      else texts.push(...answer.contents.map((content) => ('text' in content ? content.text : '')))
    }
    return texts
  },
}

describe('every surface is in the table', () => {
  it('of MCP: tools, resources, and nothing else', async () => {
    const { ralph } = await hostileProject('x')
    const offered = toolsFor({ caretaker: 'reviewer' }).map(({ name }) => name)
    expect(Object.keys(MEMORY_TOOLS).sort()).toEqual(offered.sort())
    const { client } = await connect(ralph, { caretaker: 'reviewer' })
    expect(Object.keys(client.getServerCapabilities() ?? {}).sort()).toEqual(['resources', 'tools'])
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ name }) => name)).toEqual(['feature', 'feature-file'])
  })

  it('of hooks', () => {
    expect(Object.keys(HOOKS).sort()).toEqual(CLAUDE_HOOKS.map(({ event }) => event).sort())
  })
})

const ALL: Record<string, Surface> = {
  ...SURFACES,
  ...Object.fromEntries(Object.entries(HOOKS).map(([event, surface]) => [`the hook ${event}`, surface])),
}
/** Surfaces on which some attack was seen: the others would show nothing even if they were open. */
const told = new Set<string>()

describe.each(Object.entries(ATTACKS))('%s', (_, attack) => {
  it('stays in its frame wherever an agent reads it', async () => {
    const hostile = { ...(await hostileProject(attack)), attack }
    const open: string[] = []
    tried(Object.keys(ALL).length)
    for (const [name, surface] of Object.entries(ALL)) {
      for (const text of await surface(hostile)) {
        if (text?.includes(MARK)) told.add(name)
        try {
          expectFramed(text ?? '')
        } catch (error) {
          open.push(`${name}: ${String(error).slice(0, 600)}`)
        }
      }
    }
    expect(open).toEqual([])
  })
})

it('and was seen there: a surface that shows nothing proves nothing', () => {
  const silent = ['PreCompact', 'Stop', 'SessionEnd'].map((event) => `the hook ${event}`)
  expect([...told].sort()).toEqual(
    Object.keys(ALL)
      .filter((name) => !silent.includes(name))
      .sort(),
  )
})
