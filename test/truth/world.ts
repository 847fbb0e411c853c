import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { TaskStatus } from '../../src/board/task.ts'
import type { IterationRecord } from '../../src/feature-memory/record.ts'
import type { LoopEvent } from '../../src/loop/events.ts'
import type { LoopOptions, LoopSignals } from '../../src/loop/parts.ts'
import { openRalph, type Ralph } from '../../src/ralph.ts'
import { TOOLBOX } from '../loop/world.ts'
import { temporaryFolder } from '../support/temporary.ts'

export interface TaskOnBoard {
  id: number
  title: string
  description?: string
  feature?: string
  status?: string
  comments?: string[]
}

/** A project in which a story happens: everything is real but the agent, which is scripted or a recording of a real one. */
export interface TruthWorld {
  project: string
  ralph: Ralph
  events: LoopEvent[]
  board(...tasks: TaskOnBoard[]): Promise<void>
  feature(fields: Record<string, unknown>): Promise<void>
  put(path: string, text: string): Promise<void>
  /** One iteration on the task by an agent that does what these lines say; see TOOLBOX in test/loop/world.ts. */
  run(task: number, script: string, options?: RunOptions): Promise<void>
  /** One iteration on the task by an agent that prints the recording of a real one. */
  replay(task: number, recording: string, options?: RunOptions): Promise<void>
  /** What the agent of the task would be told by memory: its prompt without the board's own sections and the closing. */
  prompt(task?: number): Promise<string>
  records(feature?: string): Promise<IterationRecord[]>
  close(): Promise<void>
}

export interface RunOptions extends Partial<LoopOptions> {
  /** The task's status afterwards, where the agent does not set it itself. */
  leaves?: TaskStatus
  signals?: LoopSignals
}

const RECORDINGS = join(import.meta.dirname, '../fixtures/stream-json')

export async function truthWorld(
  options: { embedder?: 'local' | 'none'; home?: string } = {},
): Promise<TruthWorld> {
  const root = await temporaryFolder()
  const project = join(root, 'shop')
  await mkdir(join(project, '.ralph', 'db'), { recursive: true })
  await mkdir(join(project, '.git'), { recursive: true })
  const ralph = await openRalph({
    project,
    home: options.home ?? join(root, 'home'),
    settings: { embedder: { provider: options.embedder ?? 'none' } },
    onNotice: () => undefined,
    env: { PATH: process.env['PATH'] },
  })
  const events: LoopEvent[] = []
  const put = async (path: string, text: string) => {
    await mkdir(join(project, path, '..'), { recursive: true })
    await writeFile(join(project, path), text)
  }
  const iterate = async (task: number, { leaves, signals, ...given }: RunOptions) => {
    await ralph.loop.run(
      { ...limits(project), task, maxIterations: 1, ...given },
      (event) => events.push(event),
      signals,
    )
    if (leaves) await ralph.board.patchTask(task, { status: leaves })
  }
  return {
    project,
    ralph,
    events,
    put,
    board: (...tasks) =>
      put(
        '.ralph/db/tasks.yaml',
        stringify({
          tasks: tasks.map((task) => ({
            ...DEFAULTS,
            ...task,
            comments: (task.comments ?? []).map((text) => ({ text })),
          })),
        }),
      ),
    feature: (fields) =>
      put('.ralph/db/features.yaml', stringify({ features: [{ name: 'shop', ...fields }] })),
    run: async (task, script, given = {}) => {
      await put('.ralph/cache/agent.mjs', TOOLBOX + script)
      await iterate(task, given)
    },
    replay: async (task, recording, given = {}) => {
      await put('.ralph/cache/agent.mjs', await replayed(recording))
      await iterate(task, given)
    },
    prompt: async (task = 1) => memoryOnly((await ralph.loop.prompt(task, { budget: 8_000 })).text),
    records: async (feature = 'shop') => {
      const records: IterationRecord[] = []
      for await (const record of ralph.featureMemory.journal(feature).records()) records.push(record)
      return records
    },
    close: async () => {
      await ralph.close()
      await rm(root, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

const DEFAULTS = { feature: 'shop', status: 'pending' }

function limits(project: string): LoopOptions {
  return {
    agent: [process.execPath, join(project, '.ralph/cache/agent.mjs'), '{prompt_file}'],
    timeLimitMs: 20_000,
    silenceLimitMs: 20_000,
    stagnationLimit: 99,
    reviewEvery: 0,
    promptBudget: 8_000,
    backOff: { firstMs: 1, longestMs: 1, longestResetMs: 1 },
  }
}

/** Prints the recording and ends as the real program did. */
async function replayed(name: string): Promise<string> {
  const { exit_code: exitCode } = await metaOf(name)
  return `import { readFileSync } from 'node:fs'
for await (const _ of process.stdin);
process.stdout.write(readFileSync(${JSON.stringify(join(RECORDINGS, `${name}.jsonl`))}), () => process.exit(${exitCode ?? 0}))`
}

async function metaOf(name: string): Promise<{ exit_code?: number | null }> {
  try {
    return JSON.parse(await readFile(join(RECORDINGS, `${name}.meta.json`), 'utf8'))
  } catch {
    return {} // a few recordings came without
  }
}

/** Sections in which the board and the loop speak for themselves; everything else is what memory says. */
const NOT_MEMORY =
  /^## (?:How to work|The feature|Your task|Files worth knowing|Memory tools|When you finish)/

function memoryOnly(prompt: string): string {
  const sections = prompt.split(/^(?=## |\[ORCHESTRATOR CONTEXT)/m)
  return sections.filter((section, at) => at > 0 && !NOT_MEMORY.test(section)).join('')
}
