/**
 * Tokens of the loop's prompts after the same runs, here and in another checkout: `node bench/prompt-size.ts ../before`.
 * Runs are the demo's and recordings of a real agent, each through the loop of either checkout (`bin/ralph.js`, built), so
 * that each prompt is made from what that checkout itself remembered. Without another checkout it prints its own figures.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { stringify } from 'yaml'

const HERE = resolve(import.meta.dirname, '..')
const before = process.argv[2] ? resolve(process.argv[2]) : undefined
const RECORDINGS = join(HERE, 'test', 'fixtures', 'stream-json')

interface Case {
  name: string
  /** Recordings, one per iteration on the same task. */
  runs: readonly string[]
}

const CASES: readonly Case[] = [
  { name: 'nothing has run yet', runs: [] },
  { name: 'one run that worked', runs: ['01-success-tools'] },
  { name: 'checks left failing', runs: ['02-failing-checks'] },
  { name: 'checks left failing, twice', runs: ['02-failing-checks', '02-failing-checks'] },
  { name: 'failing, then rate limit', runs: ['02-failing-checks', '04b-429-forever'] },
  { name: 'failing, then killed, then no credit', runs: ['02-failing-checks', '05-sigkill', '04i-credit'] },
  {
    name: 'six runs of all kinds',
    runs: [
      '01-success-tools',
      '02-failing-checks',
      '03-max-turns',
      '02-failing-checks',
      '10-permission-denied',
      '06-subagent',
    ],
  },
]
const TASK = { id: 1, title: 'Validate the cart', description: 'The cart in src/cart.ts takes any quantity.' }
const FEATURE = { name: 'shop', description: 'People put things into a cart and pay for them.' }

const root = mkdtempSync(join(tmpdir(), 'prompt-size-'))
try {
  const table: Record<string, object> = {}
  for (const { name, runs } of CASES) table[name] = compared((checkout) => afterRuns(checkout, runs))
  table['demo: all its prompts'] = compared(demoPrompts)
  console.table(table)
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 5 })
}

function compared(measure: (checkout: string) => number): object {
  const now = measure(HERE)
  if (!before) return { tokens: now }
  const then = measure(before)
  return { before: then, now, share: `${Math.round((100 * now) / then)} %` }
}

/** The prompt that the task gets once these runs have happened to it. */
function afterRuns(checkout: string, runs: readonly string[]): number {
  const project = mkdtempSync(join(root, 'runs-'))
  put(
    project,
    '.ralph/db/tasks.yaml',
    stringify({ tasks: [{ ...TASK, feature: FEATURE.name, status: 'pending' }] }),
  )
  put(project, '.ralph/db/features.yaml', stringify({ features: [FEATURE] }))
  for (const name of runs) {
    put(project, '.ralph/cache/agent.mjs', replaying(join(RECORDINGS, `${name}.jsonl`)))
    ralph(checkout, project, [
      'loop',
      '--once',
      '--json',
      '--agent',
      `${process.execPath} .ralph/cache/agent.mjs {prompt_file}`,
    ])
  }
  const [made] = ralph(checkout, project, ['prompt', '1', '--json'])
  return (made as { prompt: { tokens: number } }).prompt.tokens
}

function demoPrompts(checkout: string): number {
  const project = mkdtempSync(join(root, 'demo-'))
  cpSync(join(checkout, 'demo', 'project'), project, { recursive: true })
  const agent = `${process.execPath} ${join(checkout, 'demo', 'agent.js')}`
  const events = ralph(checkout, project, [
    'loop',
    '--json',
    '--max-iterations',
    '7',
    '--stagnation',
    '7',
    '--agent',
    agent,
  ])
  return (events as { prompt_tokens?: number; promptTokens?: number }[]).reduce(
    (sum, event) => sum + (event.prompt_tokens ?? event.promptTokens ?? 0),
    0,
  )
}

/** Its lines of JSON on stdout. */
function ralph(checkout: string, project: string, args: readonly string[]): unknown[] {
  put(project, '.ralph/rag_config.json', JSON.stringify({ embedder: { provider: 'none' } }))
  const env = { PATH: process.env['PATH'], HOME: root, RALPH_HOME: join(root, 'home') }
  const command = [join(checkout, 'bin', 'ralph.js'), ...args]
  const { stdout, stderr, error } = spawnSync(process.execPath, command, {
    cwd: project,
    env,
    encoding: 'utf8',
  })
  if (error || stdout.trim() === '') throw error ?? new Error(`ralph ${args[0]} printed nothing: ${stderr}`)
  return stdout.includes('\n{')
    ? stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [JSON.parse(stdout)]
}

function replaying(recording: string): string {
  return `import { readFileSync } from 'node:fs'\nprocess.stdout.write(readFileSync(${JSON.stringify(recording)}))\n`
}

function put(project: string, path: string, text: string): void {
  mkdirSync(join(project, path, '..'), { recursive: true })
  writeFileSync(join(project, path), text)
}
