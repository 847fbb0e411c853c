import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { NewIteration } from '../../src/feature-memory/record.ts'
import { openRalph, type Ralph } from '../../src/ralph.ts'
import { builtCommand } from '../support/built-command.ts'
import { newIteration } from '../support/records.ts'
import { temporaryFolder } from '../support/temporary.ts'

export interface World {
  project: string
  home: string
  ralph: Ralph
  /** Runs a hook as Claude Code does: a process of its own, JSON on standard input. */
  hook: (event: string, fields?: Record<string, unknown>, options?: HookOptions) => Promise<HookResult>
}

interface HookOptions {
  env?: NodeJS.ProcessEnv
  input?: string
}

export interface HookResult {
  code: number | null
  stdout: string
  stderr: string
  /** What the model would be told. */
  context: string | undefined
}

/** A project on the branch `feature/auth`, with memory. */
export async function world(iterations: readonly Partial<NewIteration>[] = []): Promise<World> {
  const root = await temporaryFolder()
  const project = join(root, 'shop')
  const home = join(root, 'home')
  await mkdir(join(project, '.git'), { recursive: true })
  await mkdir(join(project, '.ralph', 'db'), { recursive: true })
  await writeFile(join(project, '.git', 'HEAD'), 'ref: refs/heads/feature/auth\n')
  const ralph = await openRalph({
    project,
    home,
    settings: { embedder: { provider: 'none' } },
    onNotice: () => undefined,
    env: {},
  })
  onTestFinished(() => ralph.close())
  for (const fields of iterations) {
    await ralph.featureMemory.recordIteration(newIteration({ feature: 'auth', ...fields }))
  }
  return { project, home, ralph, hook: (...args) => runHook(project, home, ...args) }
}

async function runHook(
  project: string,
  home: string,
  event: string,
  fields: Record<string, unknown> = {},
  { env = {}, input }: HookOptions = {},
): Promise<HookResult> {
  const command = await builtCommand()
  const child = spawn(process.execPath, [command, 'hook', event], {
    cwd: project,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      RALPH_HOME: home,
      // Tests judge what is said, not how fast a busy machine is.
      RALPH_HOOK_DEADLINE_MS: '20000',
      ...env,
    },
  })
  child.stdin.on('error', () => undefined)
  child.stdin.end(
    input ??
      JSON.stringify({
        session_id: 'ad9592dc-06cc-43a9-b775-d4d91b2cc03b',
        transcript_path: join(project, 'no-such-session.jsonl'),
        cwd: project,
        hook_event_name: event,
        ...fields,
      }),
  )
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, stdout, stderr, context: contextOf(stdout, event) }
}

function contextOf(stdout: string, event: string): string | undefined {
  if (stdout === '') return undefined
  const { hookSpecificOutput } = JSON.parse(stdout)
  if (hookSpecificOutput.hookEventName !== event)
    throw new Error(`answered as ${hookSpecificOutput.hookEventName}`)
  return hookSpecificOutput.additionalContext
}

/** Waits for what a detached process does. */
export async function eventually<Value>(
  look: () => Promise<Value | undefined>,
  within = 30_000,
): Promise<Value> {
  for (const end = Date.now() + within; ; ) {
    const value = await look()
    if (value !== undefined) return value
    if (Date.now() > end) throw new Error(`it did not happen within ${within} ms`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
