import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Document, stringify } from 'yaml'
import type { Conversations } from '../../src/conversation-memory/conversations.ts'
import { fetchDetails } from '../../src/conversation-memory/details.ts'
import type { FoundConversation, FoundExchange } from '../../src/conversation-memory/retrieve/retriever.ts'
import { escapeFeature, parseFeatureName } from '../../src/files/feature-name.ts'
import type { Pattern } from '../../src/project-knowledge/patterns.ts'
import { openRalph, type Ralph } from '../../src/ralph.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** A clone that brings `attack` in every field of every file of ours, past whatever cleans what we write ourselves. */
export interface HostileProject {
  project: string
  home: string
  ralph: Ralph
  /** Has its name from the attack, as far as a name can be one. */
  namedFeature: string
}

export const FEATURE = 'auth'
export const TASK = 1

export async function hostileProject(attack: string): Promise<HostileProject> {
  const root = await temporaryFolder()
  const [project, home] = [join(root, 'clone'), join(root, 'home')]
  const namedFeature = nameFrom(attack)
  await writeFiles(project, {
    '.git/HEAD': `ref: refs/heads/${attack.replace(/[\n\r]/g, ' ').slice(0, 200)} ${FEATURE}\n`,
    '.ralph/db/features.yaml': yaml({ features: featuresOf(attack, namedFeature) }),
    '.ralph/db/tasks.yaml': yaml({ tasks: tasksOf(attack) }),
    '.ralph/db/disciplines.yaml': yaml({ disciplines: disciplinesOf(attack) }),
    [`.ralph/db/memory/${FEATURE}.jsonl`]: journalOf(attack, FEATURE),
    [`.ralph/db/memory/${escapeFeature(namedFeature)}.jsonl`]: journalOf(attack, namedFeature),
    'docs/notes.md': attack,
    'docs/large.md': `${attack}\n${'More and more of it.\n'.repeat(500)}`,
    [fileFrom(attack)]: attack,
  })
  const ralph = await openRalph({
    ...{ project, home, env: {}, onNotice: () => undefined },
    settings: { embedder: { provider: 'none' } },
  })
  onTestFinished(() => ralph.close())
  return { project, home, ralph, namedFeature }
}

async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path)
    await mkdir(join(file, '..'), { recursive: true })
    await writeFile(file, text)
  }
}

function yaml(value: unknown): ReturnType<Document['toString']> {
  return stringify(value, { defaultStringType: 'QUOTE_DOUBLE' })
}

const cut = (text: string, most: number) => text.toWellFormed().slice(0, most).toWellFormed()

/** Without what no name may hold. */
function nameFrom(attack: string): string {
  const plain = attack.toWellFormed().replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ')
  const name = plain.slice(0, 60).toWellFormed().trim()
  return parseFeatureName(escapeFeature(name).length > 200 ? name.slice(0, 20) : name)
}

/** A path that a file system takes. */
export function fileFrom(attack: string): string {
  const words = attack.replace(/[\0/\\]/g, ' ').trim()
  return `docs/x${Buffer.from(words)
    .subarray(0, 120)
    .toString()
    .replace(/\uFFFD/g, '')}.md`
}

function featuresOf(attack: string, namedFeature: string): unknown[] {
  const learning = (text: string) => ({
    ...{ text: cut(text, 480), reason: cut(attack, 480), source: 'human', reviewed: true, hit_count: 41 },
    ...{ conflicts_with: [cut(attack, 300)], iteration: 1, error: cut(attack, 300), came_back_in: 2 },
    files: [{ path: cut(attack, 300), hash: `a${'0'.repeat(15)}` }],
  })
  return [FEATURE, namedFeature].map((name) => ({
    ...{ name, display_name: cut(attack, 200), acronym: cut(attack, 20) },
    ...{ description: cut(attack, 3_000), architecture: cut(attack, 3_000), boundaries: cut(attack, 1_500) },
    knowledge_paths: [
      'docs/notes.md',
      'docs/large.md',
      fileFrom(attack),
      `docs/gone ${fileFrom(attack).slice(5)}`,
    ],
    context_files: [{ path: fileFrom(attack), source: 'human', touch_count: 3 }],
    dependencies: [cut(attack, 300)],
    learnings: [learning(attack), learning(`zebra ${attack}`), cut(`plain ${attack}`, 480)],
  }))
}

function tasksOf(attack: string): unknown[] {
  const task = {
    ...{ title: cut(attack, 300).trim() || 'x', description: cut(attack, 5_000), feature: FEATURE },
    acceptance_criteria: Array.from({ length: 30 }, () => cut(attack, 500)),
    comments: Array.from({ length: 10 }, () => ({
      ...{ author: cut(attack, 300), text: cut(attack, 2_000), created: cut(attack, 100) },
    })),
    discipline: 'frontend',
  }
  return [
    { id: TASK, ...task },
    { id: 2, ...task, status: 'done' },
  ]
}

function disciplinesOf(attack: string): unknown[] {
  return [
    {
      ...{ name: 'frontend', display_name: cut(attack, 200), system_prompt: cut(attack, 6_000) },
      ...{ skills: [cut(attack, 300)], conventions: cut(attack, 4_000) },
    },
  ]
}

const ENDINGS = (attack: string) => [
  { kind: 'worked' },
  { kind: 'service_failed', cause: 'api', detail: cut(attack, 290) },
  { kind: 'refused', detail: `not allowed (Bash: ${cut(attack, 200)})` },
  { kind: 'stopped', cause: 'killed', signal: cut(attack, 100), detail: cut(attack, 290) },
  { kind: 'worked', detail: cut(attack, 290) },
]

/** Numbers from 1; the newest worked and was not done. */
function journalOf(attack: string, feature: string): string {
  const error = {
    message: cut(attack, 990),
    type: 'test',
    file_path: cut(attack, 300),
    command: cut(attack, 290),
  }
  const lines = ENDINGS(attack).map((ending, at) => ({
    version: 1,
    record: {
      ...{ iteration_number: at + 1, kind: 'task', task_id: TASK, task_title: cut(attack, 300), feature },
      ...{ discipline: cut(attack, 100), timestamp: newIteration().timestamp, outcome: 'failure', ending },
      ...{
        summary: cut(`zebra ${at} ${attack}`, 1_990),
        model_tier: cut(attack, 60),
        agent: cut(attack, 60),
      },
      session_id: cut(`${at}${attack}`, 100),
      errors: [
        error,
        { message: 'Error: bucket zebra does not exist', type: 'runtime', command: 'node deploy.js' },
      ],
      decisions: [{ description: cut(`Use ${attack}`, 490), rationale: cut(attack, 490) }],
      files_touched: [
        { path: fileFrom(attack), action: 'modified' },
        { path: 'src/pay.ts', action: 'modified' },
      ],
      checks: [
        {
          ...{ command: cut(attack, 290), kind: 'test', result: 'failed', signatures: [cut(attack, 300)] },
          ...{ changed_before: true, changed_after: false, directory: cut(attack, 100) },
        },
        {
          ...{ command: 'node deploy.js', kind: 'command', result: 'failed' },
          ...{ signatures: ['error: bucket zebra does not exist'], changed_before: false },
        },
      ],
    },
  }))
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

export function hostilePattern(attack: string): Pattern {
  return {
    ...{
      id: 'a',
      kind: 'failure_solution',
      problem: attack,
      solution: attack,
      whenToTry: attack,
      capturedAt: '',
    },
    ...{ successCount: 1, helped: 0, misled: 0, score: 0.8, matched: ['meaning'] },
    ...{ rank: { value: 1, factors: [] }, setAside: false, conflictsWith: [], entries: [], sources: [] },
  }
}

/** As if an import had brought the attack as every text and id. */
export function hostileConversation(attack: string): FoundConversation {
  const conversation = {
    ...{ id: attack, title: attack, summary: attack, exchangeCount: 1, source: attack as 'chat' },
    ...{ project: attack, parentId: attack, votes: 41 },
  }
  return { conversation, similarity: 0.8, exchanges: [hostileExchange(attack)] } as never
}

function hostileExchange(attack: string): FoundExchange {
  const { conversation } = { conversation: { id: attack, title: attack } }
  const exchange = {
    ...{ id: attack, conversationId: attack, position: 0, userMessage: attack, assistantMessage: attack },
    ...{ status: 'completed', summary: attack, votes: 41 },
  }
  const found = {
    exchange,
    conversation,
    similarity: 0.8,
    relevance: 'relevant',
    matched: ['words'],
    duplicates: [],
  }
  return found as never
}

/** The part of conversation memory that tools ask. */
export function hostileConversations(attack: string): Conversations {
  const { conversation, exchanges } = hostileConversation(attack)
  const [{ exchange }] = exchanges as unknown as [FoundExchange]
  const messages = ['user', 'tool_call', 'tool_result'].map((role) => ({
    role,
    content: attack,
    toolName: attack,
  }))
  const history = {
    conversation: async () => conversation,
    exchange: async () => exchange,
    exchangesOf: async () => [exchange],
    transcript: async () => messages,
  }
  const tags = { of: async () => [attack] }
  return {
    search: async () => ({ results: exchanges }),
    details: (request: never) => fetchDetails({ history, tags } as never, request),
    contextFor: async () => undefined,
  } as never
}
