import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { createMcpServer } from '../../../src/mcp/server.ts'
import { McpSession } from '../../../src/mcp/session.ts'
import { toolsFor } from '../../../src/mcp/tools.ts'
import { NO_FEATURES } from '../world/names.ts'
import type { Asker } from '../world/world.ts'
import { featureScope, personScope, type Scope } from './scopes.ts'
import type { Answer, Scene, Surface } from './surface.ts'

export const mcp: Surface = {
  name: 'mcp',
  asks: 'every tool that reads and every resource, of a server locked to a feature (which is asked for others, too) and of one that is not, through a real client',
  elsewhere:
    'another feature than the one that is asked for, and of a locked server than its own; project knowledge, always; conversations and documents of others, and for a locked server of anybody',
  share: 0.04,
  async open(scene) {
    return {
      ask: () => {
        const asker = scene.asker()
        return scene.random.chance(0.5) ? askLocked(scene, asker) : askUnlocked(scene, asker)
      },
    }
  },
}

/** Whatever it names, it gets what is of its own feature. */
async function askLocked(scene: Scene, asker: Asker): Promise<Answer> {
  const { random, ids, world } = scene
  const named = random.chance(0.5) ? random.of(world.features) : asker.name
  const calls: readonly Call[] = [
    ...featureCalls(scene, named),
    // Not offered: whoever calls it all the same is refused.
    ['search_conversations', { query: scene.questions.any() }],
    ['fetch_conversation_details', { conversation_id: random.of(ids.conversations) }],
    ['remove_feature_learning', { id: random.of(ids.learnings), feature: named }],
    ['resource', { uri: uriOf(named) }],
  ]
  return answerTo(scene, asker, { call: random.of(calls), feature: asker.name, may: featureScope(asker) })
}

async function askUnlocked(scene: Scene, asker: Asker): Promise<Answer> {
  const { random, ids, questions } = scene
  if (random.chance(0.4)) {
    const calls: readonly Call[] = [
      ['search_conversations', { query: questions.any(), limit: 20 }],
      ['fetch_conversation_details', { conversation_id: random.of(ids.conversations) }],
      [
        'fetch_conversation_details',
        { exchange_id: random.of(ids.exchanges), include_full_transcript: true },
      ],
      ['fetch_conversation_details', { piece_id: random.of(ids.pieces) }],
    ]
    return answerTo(scene, asker, { call: random.of(calls), may: personScope(asker) })
  }
  const isNone = random.chance(0.1)
  const named = isNone ? random.of(NO_FEATURES) : asker.name
  const calls: readonly Call[] = [
    ...featureCalls(scene, named),
    ['resource', { uri: uriOf(named) }],
    ['resources', {}],
  ]
  const may = isNone ? () => false : featureScope(asker)
  return answerTo(scene, asker, { call: random.of(calls), may })
}

type Call = readonly [tool: string, args: Record<string, unknown>]

function featureCalls({ questions, random }: Scene, feature: string): readonly Call[] {
  const query = { query: questions.any(), feature }
  return [
    ['search_feature_memory', { ...query, limit: 20, min_score: 0 }],
    ['search_feature_memory', { ...query, type: random.of(['iteration', 'learning', 'feature']) }],
    ['get_recent_iterations', { feature, count: 20 }],
    ['get_feature_files', { feature }],
    ['get_failed_attempts', { feature, ...(random.chance(0.5) && { task_id: random.below(5) }) }],
  ]
}

function uriOf(feature: string): string {
  return `feature://${encodeURIComponent(feature)}`
}

interface Asked {
  call: Call
  feature?: string
  may: Scope
}

async function answerTo(
  { world }: Scene,
  asker: Asker,
  { call: [tool, args], feature, may }: Asked,
): Promise<Answer> {
  const ralph = await world.ralph(asker)
  const session = new McpSession({ open: async () => ralph, run: 'isolation', ...(feature && { feature }) })
  const server = createMcpServer(session, toolsFor({ feature }))
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'isolation', version: '1.0.0' })
  await Promise.all([server.connect(ours as never), client.connect(theirs)])
  const lock = feature === undefined ? '' : `, locked to ${JSON.stringify(feature)}`
  const asked = `${tool} ${JSON.stringify(args)} in ${asker.path}${lock}`
  try {
    return { asked, shown: await called(client, tool, args), may }
  } finally {
    await client.close()
    await server.close()
  }
}

/** What refuses is an answer, too. */
async function called(client: Client, tool: string, args: Record<string, unknown>): Promise<unknown> {
  try {
    if (tool === 'resources') return [await client.listResources(), await client.listResourceTemplates()]
    if (tool === 'resource') return await client.readResource({ uri: String(args['uri']) })
    return await client.callTool({ name: tool, arguments: args })
  } catch (error) {
    return String(error)
  }
}
