import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { NewIteration } from '../../src/feature-memory/record.ts'
import { openRalph, type Ralph } from '../../src/ralph.ts'
import { builtCommand } from '../support/built-command.ts'
import { makeCheckout } from '../support/checkout.ts'
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
  /** The program that runs the session is gone as soon as the hook has answered, as if somebody had killed it. */
  thenKilled?: boolean
}

export interface HookResult {
  code: number | null
  stdout: string
  stderr: string
  /** What the model would be told. */
  context: string | undefined
  /** Whether the tool call was held back, with `context` as the reason. */
  stopped: boolean
}

export const SESSION = 'ad9592dc-06cc-43a9-b775-d4d91b2cc03b'

export const BASH = (command: string) => ({ tool_name: 'Bash', tool_input: { command } })
export const READ = (file_path: string) => ({ tool_name: 'Read', tool_input: { file_path } })
export const EDIT = (file_path: string) => ({
  tool_name: 'Edit',
  tool_input: { file_path, old_string: 'a', new_string: 'b' },
})
export const FAILS = (command: string, output: string) => ({
  ...BASH(command),
  error: `Exit code 1\n${output}`,
  is_interrupt: false,
})

/** A run that changed a file and left a test failing. */
export const TEST_FAILED: Partial<NewIteration> = {
  outcome: 'failure',
  taskId: 1,
  taskTitle: 'Add tax',
  summary: 'Applied the rate to net prices. Next: look at rounding.',
  filesTouched: [{ path: 'src/pay.ts', action: 'modified' }],
  errors: [
    {
      message: 'AssertionError: expected 100 to be 120',
      type: 'test',
      filePath: 'src/pay.test.ts',
      command: 'npx vitest run',
    },
  ],
  checks: [
    {
      command: 'npx vitest run',
      kind: 'test',
      result: 'failed',
      signatures: ['assertionerror: expected <n> to be <n>'],
      changedBefore: true,
      changedAfter: false,
    },
  ],
}

/** A run whose command failed for a reason that lies outside of its files. */
export const DEPLOY_FAILED: Partial<NewIteration> = {
  outcome: 'failure',
  taskId: 2,
  taskTitle: 'Deploy',
  summary: 'Deploying does not work yet.',
  errors: [
    {
      message: 'Error: bucket shop-assets does not exist',
      type: 'runtime',
      command: 'node scripts/deploy.js',
    },
  ],
  checks: [
    {
      command: 'node scripts/deploy.js',
      kind: 'command',
      result: 'failed',
      signatures: ['error: bucket shop-assets does not exist'],
      changedBefore: false,
      changedAfter: false,
    },
  ],
}

/** A project on the branch `feature/auth`, with memory. */
export async function world(
  iterations: readonly Partial<NewIteration>[] = [],
  { branch = 'feature/auth' } = {},
): Promise<World> {
  const root = await temporaryFolder()
  const project = join(root, 'shop')
  const home = join(root, 'home')
  makeCheckout(project, branch)
  await mkdir(join(project, '.ralph', 'db'), { recursive: true })
  // Somebody is about to start a helper: hooks do not, and answer by themselves.
  await mkdir(join(home, 'cache', 'hooks'), { recursive: true })
  await writeFile(join(home, 'cache', 'hooks', 'helper.claim'), '')
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
  { env = {}, input, thenKilled = false }: HookOptions = {},
): Promise<HookResult> {
  const command = [process.execPath, await builtCommand(), 'hook', event]
  const session = `require('child_process').spawnSync(process.argv[1], process.argv.slice(2), { stdio: 'inherit' })`
  const args = thenKilled ? ['-e', session, ...command] : command.slice(1)
  const child = spawn(process.execPath, args, {
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
        session_id: SESSION,
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
  return { code, stdout, stderr, ...answerOf(stdout, event) }
}

function answerOf(stdout: string, event: string): Pick<HookResult, 'context' | 'stopped'> {
  if (stdout === '') return { context: undefined, stopped: false }
  const { hookEventName, additionalContext, permissionDecision, permissionDecisionReason } =
    JSON.parse(stdout).hookSpecificOutput
  if (hookEventName !== event) throw new Error(`answered as ${hookEventName}`)
  const stopped = permissionDecision === 'deny'
  return { context: stopped ? permissionDecisionReason : additionalContext, stopped }
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
