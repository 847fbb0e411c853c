/**
 * The loop's own part of an iteration (everything but the agent) on a board of 1,000 tasks over 200 iterations, with the
 * default embedder: the median, the slowest, and whether it grows with history. Prints a table; judges nothing.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { openRalph } from '../src/ralph.ts'

const TASKS = 1_000
const ITERATIONS = Number(process.argv[2] ?? 200)

const project = await mkdtemp(join(tmpdir(), 'loop-bench-'))
await mkdir(join(project, '.ralph', 'db'), { recursive: true })
await writeFile(join(project, '.ralph', 'db', 'tasks.yaml'), tasks())
await writeFile(join(project, '.ralph', 'db', 'features.yaml'), features())
await writeFile(join(project, 'agent.mjs'), agent())

const ralph = await openRalph({ project, home: join(project, 'home'), onNotice: () => undefined })
const own: number[] = []
let agentTime = 0
const begun = performance.now()
const cpuBefore = process.cpuUsage()
await ralph.loop.run(
  {
    agent: [process.execPath, join(project, 'agent.mjs'), '{prompt_file}'],
    timeLimitMs: 60_000,
    silenceLimitMs: 60_000,
    stagnationLimit: ITERATIONS,
    reviewEvery: 0,
    promptBudget: 8_000,
    maxIterations: ITERATIONS,
  },
  (event) => {
    if (event.kind !== 'iteration_ended') return
    own.push(event.ownMs)
    agentTime += event.agentMs
  },
)
const elapsed = performance.now() - begun
const { user, system } = process.cpuUsage(cpuBefore)
await ralph.close()
await rm(project, { recursive: true, force: true, maxRetries: 5 })

const tenth = Math.ceil(own.length / 10)
console.log(`${TASKS} tasks, ${own.length} iterations: milliseconds of our own part per iteration`)
console.table({
  'first iteration': own[0],
  median: median(own),
  '95th percentile': percentile(own, 0.95),
  slowest: Math.max(...own),
  'median of the first tenth': median(own.slice(1, tenth + 1)),
  'median of the last tenth': median(own.slice(-tenth)),
  'all that was not the agent, per iteration': Math.round((elapsed - agentTime) / own.length),
  'CPU per iteration, background included': Math.round((user + system) / 1_000 / own.length),
})

function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}

function tasks(): string {
  return stringify({
    tasks: Array.from({ length: TASKS }, (_, index) => ({
      id: index + 1,
      title: `Part ${index + 1} of the work`,
      description: 'Make it validate before sending.\nIt must show errors next to the fields.\n',
      acceptance_criteria: ['shows an error for an empty mail', 'passes the tests'],
      feature: `feature-${index % 20}`,
      status: 'pending',
      blocked_by: index % 7 === 0 ? [] : [index],
      priority: 1 + (index % 4),
    })),
  })
}

function features(): string {
  return stringify({
    features: Array.from({ length: 20 }, (_, index) => ({
      name: `feature-${index}`,
      description:
        'What this part of the product is for, in a few sentences that an agent should know. '.repeat(5),
      architecture: 'How it is built. '.repeat(20),
    })),
  })
}

/** Fails twice as often as it succeeds, touches files, makes decisions: there is something to remember. */
function agent(): string {
  return `import { readFileSync, writeFileSync } from 'node:fs'
const prompt = readFileSync(process.argv[2], 'utf8')
const task = Number(/## Your task: (\\d+)/.exec(prompt)[1])
const say = (event) => console.log(JSON.stringify(event))
const call = (name, input, content, is_error = false) => {
  const id = 'c' + Math.random()
  say({ type: 'assistant', message: { id: 'm' + id, model: 'claude-haiku-4-5', content: [{ type: 'tool_use', id, name, input }] } })
  say({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, is_error, content }] } })
}
say({ type: 'system', subtype: 'init', session_id: 's', cwd: process.cwd(), model: 'claude-haiku-4-5' })
for (let n = 0; n < 10; n++) call('Read', { file_path: process.cwd() + '/src/part-' + ((task + n) % 50) + '.ts' }, 'x'.repeat(2000))
const done = Math.random() < 0.34
if (!done) call('Bash', { command: 'npm test' }, 'Exit code 1\\nTypeError: Cannot read properties of undefined (reading field' + (task % 30) + ') at src/part-' + (task % 50) + '.ts:12', true)
else {
  const text = readFileSync('.ralph/db/tasks.yaml', 'utf8')
  const at = text.indexOf('- id: ' + task + '\\n')
  writeFileSync('.ralph/db/tasks.yaml', text.slice(0, at) + text.slice(at).replace('status: pending', 'status: done'))
}
say({ type: 'result', subtype: 'success', is_error: false, total_cost_usd: 0.01, usage: { input_tokens: 1000, output_tokens: 100 },
  result: (done ? 'Finished part ' : 'Could not finish part ') + task + '. Decided to use the shared validator instead of a new one, because the others use it too.' })
`
}
