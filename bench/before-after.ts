/**
 * What this version costs beside an earlier one, in one run: `RALPH_BENCH_BASE=/path/to/a/built/checkout npm run bench --
 * before-after`. Both are asked the same in turns, each in a project of its own that it has filled itself. Processor time
 * of the process, as other programs disturb it less; the ratios are what counts: of the medians, and, where a busy machine
 * disturbs even those, of the least.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { parseRecord } from '../src/feature-memory/record.ts'
import { snakeKeys } from '../src/text/case.ts'
import { builtCommand } from '../test/support/built-command.ts'
import { newIteration } from '../test/support/records.ts'
import { median } from './support/figures.ts'
import { RandomTexts } from './support/random-texts.ts'

const RECORDS = 1_000
const EXCHANGES = 2_000
const TASKS = 200

interface Case {
  name: string
  /** What is done only once to the same project differs from round to round. */
  args: readonly string[] | ((round: number) => readonly string[])
  rounds?: number
  input?: (round: number, project: string) => string
  /** Part of the answer: without it the figure would be that of something else. */
  answer?: string
  /** Standard input stays open until the answer is there. */
  staysOpen?: boolean
  env?: { [name: string]: string }
}

interface Build {
  command: string
  project: string
  env: NodeJS.ProcessEnv
}

const base = process.env['RALPH_BENCH_BASE']
if (!base) {
  console.log('skipped: RALPH_BENCH_BASE names no built checkout to compare with')
  process.exit()
}

const folder = mkdtempSync(join(tmpdir(), 'ralph-bench-'))
const inputs = writeInputs()
const WORDS_ONLY = { RALPH_EMBEDDER: 'none' }
const before = build('before', resolve(base, 'bin/ralph.js'))
const after = build('after', await builtCommand())
const wanted = process.argv.slice(2)
const ROUNDS = 21
const sessions = Array.from({ length: ROUNDS + 1 }, () => randomUUID())

/** Node itself, as the measure of all cold starts. */
const bare: number[] = []

console.log(
  `${''.padEnd(34)}${['before', 'after', 'after : before', 'by the least', '× node'].map((text) => text.padStart(15)).join('')}`,
)
for (const one of cases()) {
  if (one.rounds !== 0 && wanted.length > 0 && !wanted.some((word) => one.name.includes(word))) continue
  const taken = { before: [] as number[], after: [] as number[] }
  const rounds = one.rounds ?? ROUNDS
  // The first fills caches.
  for (let round = 0; round <= rounds; round++) {
    const old = await time(before, one, round)
    const now = await time(after, one, round)
    if (round === 0 && rounds > 0) continue
    bare.push(await cpu(['-e', '0'], after))
    taken.before.push(old)
    taken.after.push(now)
  }
  const old = median(taken.before)
  const now = median(taken.after)
  console.log(
    one.name.padEnd(34) +
      [
        `${old.toFixed(0)} ms`,
        `${now.toFixed(0)} ms`,
        (now / old).toFixed(2),
        (Math.min(...taken.after) / Math.min(...taken.before)).toFixed(2),
        (now / median(bare)).toFixed(1),
      ]
        .map((text) => text.padStart(15))
        .join(''),
  )
}
rmSync(folder, { recursive: true, force: true, maxRetries: 5 })

function cases(): Case[] {
  const feature = ['--feature', 'auth']
  const long = { rounds: 5, env: WORDS_ONLY }
  return [
    // What fills the projects comes first.
    { name: `import of ${RECORDS} records`, args: ['memory', 'import', inputs.records], rounds: 0 },
    { name: `rebuild of ${RECORDS} records`, args: ['memory', 'rebuild'], rounds: 0 },
    { name: '--version', args: ['--version'] },
    { name: '--help', args: ['--help'] },
    { name: 'status', args: ['status'] },
    { name: 'memory recent', args: ['memory', 'recent', ...feature] },
    { name: 'memory search', args: ['memory', 'search', 'login form', ...feature] },
    {
      name: 'memory search, words only',
      args: ['memory', 'search', 'login form', ...feature],
      env: WORDS_ONLY,
    },
    { name: 'task list', args: ['task', 'list'] },
    {
      name: 'mcp, first answer',
      args: ['mcp', ...feature],
      input: mcpInput,
      answer: '"id":2',
      staysOpen: true,
    },
    hook('SessionStart', { source: 'startup' }, 'additionalContext'),
    hook('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'npm run case-999' } }),
    hook('PostToolUseFailure', {
      tool_name: 'Bash',
      tool_input: { command: 'npm run case-999' },
      error: 'Exit code 1\ncase 999 failed',
    }),
    // In the sessions that SessionStart has begun, where the briefing was given.
    hook('UserPromptSubmit', { prompt: 'How did we get the login form to work?' }),
    hook('Stop', { transcript_path: inputs.transcript }),
    {
      name: 'memory record',
      args: [
        'memory',
        'record',
        ...feature,
        '--task-id=7',
        '--task-title=Login',
        `--transcript=${inputs.transcript}`,
      ],
    },
    { name: `rebuild of ${RECORDS}, words only`, args: ['memory', 'rebuild'], ...long },
    {
      name: `import of ${EXCHANGES} exchanges`,
      args: (round) => ['conversations', 'import', '--format=jsonl', writeExchanges(round)],
      ...long,
    },
    {
      name: 'loop, ten iterations',
      args: [
        'loop',
        '--max-iterations=10',
        '--stagnation=10000',
        `--agent=${process.execPath} ${inputs.agent}`,
      ],
      ...long,
    },
  ]
}

/** The board is read at once when the deadline leaves time for it. */
function hook(event: string, fields: object, answer?: string): Case {
  return {
    name: `hook ${event}`,
    args: ['hook', event],
    input: (round, cwd) => {
      const begun = event === 'SessionStart' || event === 'UserPromptSubmit'
      const session_id = begun ? sessions[round] : randomUUID()
      return JSON.stringify({ session_id, hook_event_name: event, cwd, ...fields })
    },
    env: { RALPH_HOOK_DEADLINE_MS: '5000' },
    ...(answer !== undefined && { answer }),
  }
}

function mcpInput(): string {
  const clientInfo = { name: 'bench', version: '1' }
  return [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'get_recent_iterations', arguments: {} } },
  ]
    .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    .join('')
}

function build(name: string, command: string): Build {
  const project = join(folder, name, 'shop')
  mkdirSync(join(project, '.git'), { recursive: true })
  writeFileSync(join(project, '.git', 'HEAD'), 'ref: refs/heads/feature/auth\n')
  mkdirSync(join(project, '.ralph', 'db'), { recursive: true })
  writeFileSync(join(project, '.ralph', 'db', 'tasks.yaml'), tasks())
  writeFileSync(
    join(project, '.ralph', 'db', 'features.yaml'),
    JSON.stringify({ features: [{ name: 'auth' }] }),
  )
  return { command, project, env: { ...process.env, RALPH_HOME: join(folder, name, 'home') } }
}

function time(build: Build, { args, input, ...rest }: Case, round: number): Promise<number> {
  const words = typeof args === 'function' ? args(round) : args
  return cpu([build.command, ...words], build, { ...rest, input: input?.(round, build.project) })
}

/** Milliseconds. */
async function cpu(
  words: readonly string[],
  { project, env }: Build,
  of: Pick<Case, 'answer' | 'staysOpen' | 'env'> & { input?: string | undefined } = {},
): Promise<number> {
  const preloaded = ['--require', join(import.meta.dirname, 'support/report-cpu.cjs')]
  const child = spawn(process.execPath, [...preloaded, ...words], {
    cwd: project,
    env: { ...env, ...of.env },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  const told = text(child.stdio[3] as Readable)
  const complaint = text(child.stderr!)
  if (of.input !== undefined) child.stdin!.write(of.input)
  if (!of.staysOpen) child.stdin!.end()
  let answer = ''
  for await (const chunk of child.stdout!.setEncoding('utf8')) {
    answer += chunk
    if (answer.includes(of.answer ?? '')) child.stdin!.end()
  }
  const [status] = await ended
  if (status !== 0 || !answer.includes(of.answer ?? '')) {
    throw new Error(`${words.join(' ')}: exit code ${status}\n${answer}\n${await complaint}`)
  }
  return Number(await told)
}

function writeInputs() {
  const random = new RandomTexts(1)
  const paths = {
    records: join(folder, 'records.jsonl'),
    transcript: join(folder, 'transcript.jsonl'),
    agent: join(folder, 'agent.mjs'),
  }
  const records = Array.from({ length: RECORDS }, (_, at) =>
    parseRecord({
      ...newIteration({
        feature: 'auth',
        taskId: at,
        summary: `Iteration ${at}: the login form and case ${at * 7}. ${random.text(30)}`,
        errors: [{ message: `case ${at} failed`, type: 'runtime', command: `npm run case-${at}` }],
        filesTouched: [{ path: `src/case-${at % 40}.ts`, action: 'modified' }],
      }),
      iterationNumber: at + 1,
    }),
  )
  writeFileSync(paths.records, lines(records.map((record) => ({ version: 1, record: snakeKeys(record) }))))
  const transcript = lines(agentEvents(200))
  writeFileSync(paths.transcript, transcript)
  writeFileSync(paths.agent, `process.stdout.write(${JSON.stringify(transcript)})\n`)
  return paths
}

function writeExchanges(round: number): string {
  const path = join(folder, `exchanges-${round}.jsonl`)
  const random = new RandomTexts(round + 2)
  const exchange = (at: number) => ({
    conversation_id: `conversation-${round}-${Math.floor(at / 12)}`,
    user_message: random.text(30),
    assistant_message: random.text(90),
    started_at: new Date(Date.UTC(2026, 0, 1 + round) + at * 60_000).toISOString(),
  })
  writeFileSync(path, lines(Array.from({ length: EXCHANGES }, (_, at) => exchange(at))))
  return path
}

/** A run of an agent that reads, fails, mends and ends. */
function agentEvents(calls: number): object[] {
  const call = (at: number): object[] => {
    const id = `call-${at}`
    const failed = at % 5 === 0
    const content = failed
      ? `Exit code 1\nTypeError: Cannot read properties of undefined (reading 'field${at}')\n    at src/case-${at}.ts:12`
      : "  const label = user.profile?.name ?? 'unknown'\n".repeat(40)
    const [name, input] = failed
      ? ['Bash', { command: 'npm test' }]
      : ['Read', { file_path: `src/case-${at}.ts` }]
    return [
      {
        type: 'assistant',
        message: {
          id: `m${at}`,
          model: 'claude-haiku-4-5',
          content: [{ type: 'tool_use', id, name, input }],
        },
      },
      {
        type: 'user',
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: id, is_error: failed, content }],
        },
      },
    ]
  }
  return [
    { type: 'system', subtype: 'init', session_id: 's', model: 'claude-haiku-4-5' },
    ...Array.from({ length: calls }, (_, at) => call(at)).flat(),
    { type: 'result', subtype: 'success', is_error: false, result: 'Decided to use the shared validator.' },
  ]
}

/** YAML, as every JSON is. */
function tasks(): string {
  return JSON.stringify({
    tasks: Array.from({ length: TASKS }, (_, at) => ({
      id: at + 1,
      title: `Part ${at + 1} of the work`,
      description: 'Make it validate before sending.',
      feature: 'auth',
      status: 'pending',
    })),
  })
}

function lines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}
