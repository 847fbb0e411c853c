import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { stringify } from 'yaml'
import type { TaskStatus } from '../../src/board/task.ts'
import type { IterationRecord } from '../../src/feature-memory/record.ts'
import type { LoopEvent } from '../../src/loop/events.ts'
import type { LoopOptions, LoopSignals } from '../../src/loop/parts.ts'
import { openRalph, type Ralph } from '../../src/ralph.ts'
import { TOOLBOX } from '../loop/world.ts'
import { builtCommand } from '../support/built-command.ts'
import { makeCheckout } from '../support/checkout.ts'
import { temporaryFolder } from '../support/temporary.ts'

export interface TaskOnBoard {
  id: number
  title: string
  description?: string
  feature?: string
  status?: TaskStatus
  discipline?: string
  comments?: string[]
}

export interface RunOptions extends Partial<LoopOptions> {
  /** The task's status afterwards, where the agent does not set it itself. */
  leaves?: TaskStatus
  signals?: LoopSignals
}

export interface WorldOptions {
  /** `local` where a story needs search by meaning. */
  embedder?: 'local' | 'none' | undefined
  gate?: string | undefined
}

/** The feature all stories are about unless they say otherwise. */
export const FEATURE = 'shop'
const RECORDINGS = join(import.meta.dirname, '../fixtures/stream-json')
const AGENT = '.ralph/cache/agent.mjs'
const SESSION = 'ad9592dc-06cc-43a9-b775-d4d91b2cc03b'

/** A project in which a story happens: everything is real but the agent, which is scripted or a recording of a real one. */
export class TruthWorld {
  readonly project: string
  readonly home: string
  readonly ralph: Ralph
  readonly events: LoopEvent[] = []
  readonly #options: WorldOptions
  readonly #others: TruthWorld[] = []

  constructor(project: string, home: string, ralph: Ralph, options: WorldOptions) {
    this.project = project
    this.home = home
    this.ralph = ralph
    this.#options = options
  }

  async board(...tasks: TaskOnBoard[]): Promise<void> {
    const entries = tasks.map(({ id, comments = [], ...task }) => ({
      // First, as the scripted agent expects it.
      id,
      feature: FEATURE,
      status: 'pending',
      ...task,
      comments: comments.map((said) => ({ text: said })),
    }))
    await this.put('.ralph/db/tasks.yaml', stringify({ tasks: entries }))
  }

  async put(path: string, content: string): Promise<void> {
    await mkdir(dirname(join(this.project, path)), { recursive: true })
    await writeFile(join(this.project, path), content)
  }

  /** One iteration on the task by an agent that does what these lines say; see TOOLBOX in test/loop/world.ts. */
  async run(task: number, script: string, options: RunOptions = {}): Promise<void> {
    await this.put(AGENT, TOOLBOX + script)
    await this.#iterate(task, options)
  }

  /** One iteration on the task by an agent that prints the recording of a real one and ends as it did. */
  async replay(task: number, recording: string, options: RunOptions = {}): Promise<void> {
    await this.put(AGENT, await replayed(recording))
    await this.#iterate(task, options)
  }

  async #iterate(task: number, { leaves, signals, ...given }: RunOptions): Promise<void> {
    await this.ralph.loop.run(
      { ...limits(this.project), task, maxIterations: 1, ...given },
      (event) => this.events.push(event),
      signals,
    )
    if (leaves) await this.ralph.board.patchTask(task, { status: leaves })
  }

  /** What the agent of the task would be told by memory: its prompt without what the board and the loop say themselves. */
  async prompt(task = 1): Promise<string> {
    return memoryOnly((await this.ralph.loop.prompt(task, { budget: 8_000 })).text)
  }

  /** What a hook tells the model, run as Claude Code runs it: a process of its own, JSON on standard input. */
  async hook(event: string, fields: Record<string, unknown> = {}): Promise<string> {
    const child = spawn(process.execPath, [await builtCommand(), 'hook', event], {
      cwd: this.project,
      env: {
        PATH: process.env['PATH'],
        HOME: this.home,
        RALPH_HOME: this.home,
        RALPH_EMBEDDER: this.#options.embedder ?? 'none',
        // What is said is judged here, not how fast a busy machine is.
        RALPH_HOOK_DEADLINE_MS: '20000',
      },
    })
    child.stdin.end(
      JSON.stringify({
        session_id: SESSION,
        transcript_path: join(this.project, 'no-such-session.jsonl'),
        cwd: this.project,
        hook_event_name: event,
        ...fields,
      }),
    )
    const [stdout] = await Promise.all([text(child.stdout), once(child, 'close')])
    if (stdout === '') return ''
    const { additionalContext = '', permissionDecisionReason = '' } = JSON.parse(stdout).hookSpecificOutput
    return `${additionalContext}${permissionDecisionReason}`
  }

  /** Another project of the same person. */
  async elsewhere(): Promise<TruthWorld> {
    const other = await openWorld(this.home, this.#options)
    this.#others.push(other)
    return other
  }

  async records(feature = FEATURE): Promise<IterationRecord[]> {
    return Array.fromAsync(this.ralph.featureMemory.journal(feature).records())
  }

  async close(): Promise<void> {
    for (const other of this.#others) await other.close()
    await this.ralph.close()
  }
}

export async function truthWorld(options: WorldOptions = {}): Promise<TruthWorld> {
  return openWorld(await temporaryFolder(), options)
}

async function openWorld(home: string, options: WorldOptions): Promise<TruthWorld> {
  const project = join(await temporaryFolder(), FEATURE)
  await mkdir(join(project, '.ralph', 'db'), { recursive: true })
  makeCheckout(project)
  const { embedder = 'none', gate } = options
  const ralph = await openRalph({
    project,
    home,
    settings: { embedder: { provider: embedder }, ...(gate && { loop: { gate } }) },
    onNotice: () => undefined,
    env: { PATH: process.env['PATH'] },
  })
  return new TruthWorld(project, home, ralph, options)
}

function limits(project: string): LoopOptions {
  return {
    agent: [process.execPath, join(project, AGENT), '{prompt_file}'],
    timeLimitMs: 20_000,
    silenceLimitMs: 20_000,
    stagnationLimit: 99,
    reviewEvery: 0,
    promptBudget: 8_000,
    backOff: { firstMs: 1, longestMs: 1, longestResetMs: 1 },
  }
}

async function replayed(name: string): Promise<string> {
  const recording = join(RECORDINGS, `${name}.jsonl`)
  const meta = JSON.parse(await readFile(join(RECORDINGS, `${name}.meta.json`), 'utf8'))
  return `import { readFileSync } from 'node:fs'
for await (const _ of process.stdin);
process.stdout.write(readFileSync(${JSON.stringify(recording)}), () => process.exit(${meta.exit_code ?? 0}))`
}

/** Sections in which the board and the loop speak for themselves; everything else is what memory says. */
const NOT_MEMORY =
  /^## (?:How to work|The feature|Your task|Files worth knowing|Memory tools|When you finish)/

export function memoryOnly(prompt: string): string {
  const sections = prompt.split(/^(?=## |\[ORCHESTRATOR CONTEXT)/m)
  return sections.filter((section, at) => at > 0 && !NOT_MEMORY.test(section)).join('')
}
