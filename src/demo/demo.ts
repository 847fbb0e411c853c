import { join } from 'node:path'
import type { SearchResult } from '../feature-memory/feature-memory.ts'
import type { IterationRecord } from '../feature-memory/record.ts'
import type { LoopOptions } from '../loop/parts.ts'
import { type OpenOptions, openRalph, type Ralph } from '../ralph.ts'
import { packageRoot } from '../version.ts'
import { copySample } from './copy-sample.ts'
import { tellStory } from './tell-story.ts'

/** What the same agent made of the same tasks. */
export interface DemoRun {
  iterations: DemoIteration[]
  tasksDone: number
  tasks: number
  tokens: number
  costUsd: number
  /** What memory told the agent in its last iteration on the first task, in its own words. */
  told: string
}

export interface DemoIteration {
  number: number
  /** Which program it spoke as. */
  agent: string | undefined
  taskTitle: string
  outcome: string
  summary: string
  /** An earlier iteration on this task had tried, and failed with, the very same thing. */
  repeated: boolean
}

export interface DemoAnswer {
  question: string
  best: SearchResult | undefined
}

export interface DemoOptions {
  /** An empty folder; the two projects are made inside. */
  folder: string
  onIteration: (iteration: DemoIteration) => void
  signal?: AbortSignal | undefined
}

const MAX_ITERATIONS = 7
const FEATURE = 'pricing'
const FIRST_TASK = 1

/** Asked in other words than the records use, by name of a function, and by an error's own text. */
const QUESTIONS = ['why are amounts off by a cent', 'splitBill', "'1.00' !== '1.01'"]

/** Which programs the scripted agent speaks as where there are several, in turns. */
export const SPEAKERS = ['codex', 'opencode'] as const

/** Runs the scripted agent over the sample project's tasks, with or without showing it what is remembered. */
export async function runSample(
  memory: boolean,
  { folder, onIteration, signal }: DemoOptions,
): Promise<DemoRun> {
  return inSample(folder, memory, (ralph) => runAgent(ralph, { memory, onIteration, signal }))
}

/** The same with memory, but no two runs in turn are the same program's: what one has tried, the next one is told. */
export async function runSpeakers({ folder, onIteration, signal }: DemoOptions): Promise<DemoRun> {
  return inSample(folder, true, async (ralph) => {
    const seen: IterationRecord[] = []
    let whole: DemoRun | undefined
    for (let at = 0; at < MAX_ITERATIONS; at++) {
      const speaks = SPEAKERS[at % SPEAKERS.length]
      const options = { memory: true, speaks, maxIterations: 1, seen, onIteration, signal }
      const run = await runAgent(ralph, options)
      whole = whole ? joined(whole, run) : run
      if (whole.tasksDone === whole.tasks || run.iterations.length === 0) break
    }
    return whole!
  })
}

function joined(one: DemoRun, next: DemoRun): DemoRun {
  return {
    ...next,
    iterations: [...one.iterations, ...next.iterations],
    tokens: one.tokens + next.tokens,
    costUsd: one.costUsd + next.costUsd,
    told: next.told || one.told,
  }
}

async function inSample(
  folder: string,
  memory: boolean,
  run: (ralph: Ralph) => Promise<DemoRun>,
): Promise<DemoRun> {
  const project = projectIn(folder, memory)
  copySample(join(packageRoot, 'demo', 'project'), project)
  const ralph = await openSample({ project, home: homeIn(folder) })
  try {
    return await run(ralph)
  } finally {
    await ralph.close()
  }
}

interface AgentRunOptions extends Omit<DemoOptions, 'folder'> {
  memory: boolean
  speaks?: string | undefined
  maxIterations?: number
  /** The records of earlier iterations, the oldest first. */
  seen?: IterationRecord[]
}

async function runAgent(
  ralph: Ralph,
  { memory, speaks, maxIterations = MAX_ITERATIONS, seen = [], onIteration, signal }: AgentRunOptions,
): Promise<DemoRun> {
  const iterations: DemoIteration[] = []
  const script = join(packageRoot, 'demo', 'agent.js')
  const options: LoopOptions = {
    ...LIMITS,
    maxIterations,
    memory,
    agent: [process.execPath, script, ...(speaks === undefined ? [] : ['--speaks', speaks])],
  }
  const report = async () => {
    const [record] = await ralph.featureMemory.recent(FEATURE, 1)
    const iteration = describe(record!, seen)
    seen.push(record!)
    iterations.push(iteration)
    onIteration(iteration)
  }
  const reports: Promise<void>[] = []
  let told = Promise.resolve('')
  const summary = await ralph.loop.run(
    options,
    (event) => {
      // The agent is only being started: nothing has changed since its own prompt was made.
      if (event.kind === 'iteration_started' && event.taskId === FIRST_TASK)
        told = ralph.loop
          .prompt(FIRST_TASK, { budget: LIMITS.promptBudget })
          .then(({ text }) => memoryIn(text))
      if (event.kind === 'iteration_ended') reports.push(report())
    },
    { stop: signal },
  )
  await Promise.all(reports)
  const tasks = await ralph.board.tasks()
  const tasksDone = tasks.filter(({ status }) => status === 'done').length
  const { tokens, costUsd } = summary
  return { iterations, tasksDone, tasks: tasks.length, tokens, costUsd, told: await told }
}

/** The sample project after the scripted agent's own run and some weeks of work: for whoever wants to look around. */
export async function makeSample(options: DemoOptions): Promise<Sample> {
  await runSample(true, options)
  const sample = sampleIn(options.folder)
  const ralph = await openSample(sample)
  try {
    await tellStory(ralph)
  } finally {
    await ralph.close()
  }
  return sample
}

/** Where a sample project lies, with a home of its own: nothing of the user's is read or written. */
export interface Sample {
  project: string
  home: string
}

export function sampleIn(folder: string): Sample {
  return { project: projectIn(folder, true), home: homeIn(folder) }
}

/** Neither a team's database nor a service that costs money, whatever the environment names. */
export function openSample(
  sample: Sample,
  options: Pick<OpenOptions, 'via' | 'onNotice'> = {},
): Promise<Ralph> {
  return openRalph({
    ...sample,
    ...options,
    settings: {
      index: { driver: 'sqlite' },
      storage: { driver: 'sqlite' },
      embedder: { provider: 'local' },
      languageModel: { provider: 'none' },
    },
  })
}

function memoryIn(prompt: string): string {
  return (
    prompt.match(/^## The last run[\s\S]*?(?=^## (?:Files|Memory tools)|^\[ORCHESTRATOR)/m)?.[0].trim() ?? ''
  )
}

export async function askQuestions(folder: string): Promise<DemoAnswer[]> {
  const ralph = await openSample(sampleIn(folder))
  try {
    const answers: DemoAnswer[] = []
    for (const question of QUESTIONS) {
      const [best] = await ralph.featureMemory.search(FEATURE, question, { limit: 1 })
      answers.push({ question, best })
    }
    return answers
  } finally {
    await ralph.close()
  }
}

const LIMITS = {
  timeLimitMs: 60_000,
  silenceLimitMs: 60_000,
  stagnationLimit: MAX_ITERATIONS,
  maxIterations: MAX_ITERATIONS,
  reviewEvery: 0,
  promptBudget: 8_000,
} as const

function projectIn(folder: string, memory: boolean): string {
  return join(folder, memory ? 'corner-shop' : 'corner-shop-without-memory')
}

function homeIn(folder: string): string {
  return join(folder, 'home')
}

function describe(record: IterationRecord, earlier: readonly IterationRecord[]): DemoIteration {
  const { iterationNumber: number, agent, taskId, taskTitle, outcome, summary } = record
  const repeated = earlier.some((other) => other.taskId === taskId && other.summary === summary)
  return { number, agent, taskTitle, outcome, summary, repeated }
}
