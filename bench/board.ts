/** How the board behaves with 1,000 tasks: cold load, reading again, one change by us, one change by an agent. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { openBoard } from '../src/board/board.ts'

const TASKS = 1_000
const ROUNDS = 30

const root = await mkdtemp(join(tmpdir(), 'board-bench-'))
const dir = join(root, 'db')
const board = openBoard({ dir, cacheDir: join(root, 'cache') })
await board.addTask({ title: 'first' })
const path = join(dir, 'tasks.yaml')
await writeFile(path, boardText())

const cold = await timed(() => openBoard({ dir, cacheDir: join(root, 'other') }).tasks())
await board.tasks()
const warm = await timed(() => openBoard({ dir, cacheDir: join(root, 'other') }).tasks())
await new Promise((resolve) => setTimeout(resolve, 100))
await board.tasks()
const again = await median(() => board.tasks())
const ours = await median((round) => board.patchTask(500 + round, { status: 'in_progress' }))
const theirs = await median(async (round) => {
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace(`Part ${round + 1} `, `Changed ${round + 1} `))
  await board.readyTasks()
})
console.log(`${TASKS} tasks, ${Math.round((await readFile(path)).length / 1024)} kB of YAML, milliseconds`)
console.table({
  'first load': cold,
  'load in a new process': warm,
  'read again': again,
  'change by us': ours,
  'change by an agent, read': theirs,
})
await rm(root, { recursive: true })

function boardText(): string {
  const tasks = Array.from({ length: TASKS }, (_, index) => ({
    id: index + 1,
    title: `Part ${index + 1} of the login form`,
    description: 'Make the form validate before sending.\nIt must show errors next to the fields.\n',
    acceptance_criteria: ['shows an error for an empty mail', 'passes the tests'],
    feature: `feature-${index % 20}`,
    discipline: 'frontend',
    status: 'pending',
    blocked_by: index % 7 === 0 ? [] : [index],
    priority: 'medium',
    comments: [{ author: 'agent', text: 'tried something', created: '2026-01-01T00:00:00Z' }],
  }))
  return stringify({ tasks })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return Math.round((performance.now() - start) * 100) / 100
}

async function median(work: (round: number) => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push(await timed(() => work(round)))
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!
}
