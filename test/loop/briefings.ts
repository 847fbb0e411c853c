import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { Feature } from '../../src/board/feature.ts'
import type { Task } from '../../src/board/task.ts'
import type { LedgerEntry } from '../../src/feature-memory/ledger/ledger.ts'
import { type IterationRecord, type NewIteration, parseRecord } from '../../src/feature-memory/record.ts'
import type { ShownLearning } from '../../src/learnings/display.ts'
import { type TaskBriefing, taskPrompt } from '../../src/loop/prompt/prompt.ts'
import { errorSignature } from '../../src/text/error-signature.ts'
import { loadTokenizer, type Tokenizer } from '../../src/text/tokens.ts'

export let tokenizer: Tokenizer
export let project: string
beforeAll(async () => {
  tokenizer = await loadTokenizer()
  project = await mkdtemp(join(tmpdir(), 'prompt-'))
  await mkdir(join(project, 'docs'))
  await writeFile(
    join(project, 'docs/auth.md'),
    '# Sign-in\n\nTokens live in the `sessions` table.\n```sql\nselect 1\n```\n',
  )
  await writeFile(
    join(project, 'docs/long.md'),
    Array.from({ length: 900 }, (_, n) => `Rule ${n}: be careful.`).join('\n'),
  )
  await writeFile(join(project, 'docs/medium.md'), 'Medium words here. '.repeat(450))
  await writeFile(join(project, 'binary.bin'), Buffer.from([1, 0, 2]))
  await symlink('/etc/hostname', join(project, 'outside.txt'))
})
afterAll(() => rm(project, { recursive: true, force: true }))

export const golden = (name: string) => join(import.meta.dirname, 'golden', `${name}.md`)

export const task: Task = {
  id: 7,
  title: 'Build the login form',
  description: 'A form with mail and password.\n# Not a heading of ours\nIt posts JSON.',
  acceptanceCriteria: ['a wrong password shows a message', 'the tests pass'],
  feature: 'auth',
  discipline: 'frontend',
  status: 'in_progress',
  blockedBy: [],
  priority: 1,
  comments: [
    { author: 'ann', text: 'The mail field is shared with sign-up.', created: '2026-02-07T10:00:00Z' },
  ],
}
export const feature: Feature = {
  name: 'auth',
  displayName: 'Sign-in',
  description: 'Lets people in.',
  architecture: 'Express middleware in src/auth, sessions in PostgreSQL.',
  boundaries: 'In: passwords. Out: payments.',
  knowledgePaths: ['docs/auth.md'],
  contextFiles: [],
  dependencies: ['express 5', 'argon2'],
  learnings: [],
}
export const failure = (number: number, fields: Partial<NewIteration> = {}): IterationRecord =>
  parseRecord({
    iterationNumber: number,
    taskId: 7,
    taskTitle: 'Build the login form',
    feature: 'auth',
    discipline: 'frontend',
    timestamp: '2026-02-07T14:30:00Z',
    outcome: 'failure',
    summary: `Attempt ${number} did not work out.`,
    errors: [
      {
        message: "TypeError: Cannot read properties of undefined (reading 'user')",
        filePath: 'src/auth.ts',
        line: 42,
      },
    ],
    decisions: [{ description: 'Used controlled inputs' }],
    filesTouched: [],
    modelTier: 'haiku',
    ...fields,
  })
export const learning = (number: number, fields: Partial<ShownLearning> = {}): ShownLearning => ({
  id: `0000000${number}`,
  text: `Observation number ${number} about the session middleware`,
  reason: 'seen in a test run',
  source: 'auto',
  iteration: number,
  reviewed: false,
  hitCount: 1,
  stale: false,
  conflictsWith: [],
  remarks: [],
  ...fields,
})
export const run = (iteration: number) => ({
  iteration,
  taskId: 7,
  taskTitle: 'Build the login form',
  timestamp: '2026-02-07T14:30:00Z',
})
export const MESSAGES = [
  "TypeError: Cannot read properties of undefined (reading 'user')",
  'TS2322: Type string is not assignable to type number',
  'Error: listen EADDRINUSE',
  'AssertionError: expected 401 to be 200',
  'ReferenceError: session is not defined',
  'SyntaxError: Unexpected end of JSON input',
]
export const entry = (number: number, fields: Partial<LedgerEntry> = {}): LedgerEntry => ({
  id: `e${number}`,
  signature: errorSignature(MESSAGES[number - 1]!),
  message: MESSAGES[number - 1]!,
  filePath: 'src/auth.ts',
  line: 42,
  life: 'open',
  sightings: [run(3), run(5)],
  times: 2,
  check: { command: 'npm test', kind: 'test' },
  solutions: [],
  ...fields,
})
export const KNOWLEDGE = {
  text: '[ORCHESTRATOR CONTEXT: Historical Knowledge]\n\nPattern 1 (Less Common - 1 success):\n- Problem: p\n- Solution: s\n\n[END CONTEXT]',
  patterns: ['p1'],
  items: [{ kind: 'pattern', source: 'knowledge p1', why: 'meaning', score: 0.8, text: 'p\ns' }],
}

export const ACCESS = { ask: true, note: true }

export const briefing = (fields: Partial<TaskBriefing> = {}): TaskBriefing => ({
  task,
  feature,
  discipline: {
    name: 'frontend',
    systemPrompt: 'You are a careful frontend engineer.',
    conventions: '- small components\n- tests beside them',
    skills: ['accessibility'],
    mcpServers: {},
  },
  currentState: '1/3 tasks complete. Done: Session. In progress: Build the login form. To do: Mail.',
  feedback: [],
  failedAttempts: [],
  errors: { open: [], nearby: [] },
  learnings: [],
  files: { files: [], stale: [], mode: 'contents' },
  memoryAccess: { ask: false, note: false },
  ...fields,
})
export const make = (fields: Partial<TaskBriefing> = {}, budget = 8_000) =>
  taskPrompt(briefing(fields), budget, tokenizer)

/** Only the part between its heading and the next. */
export function section(text: string, heading: string): string {
  const start = text.indexOf(`## ${heading}`)
  const end = text.indexOf('\n## ', start + 1)
  return `${text.slice(start, end === -1 ? undefined : end).trim()}\n`
}
