import type { Readable } from 'node:stream'
import { hookDeadlineMs, inheritedEnvironment, ralphHome } from '../config.ts'
import { askWarmHelper } from './ask-helper.ts'
import type { HookContext } from './context.ts'
import { noteSilence } from './silence.ts'

/**
 * On a machine so busy that starting takes all the time, those that make sure that a session is recorded still get some:
 * they come once per session.
 */
const LEAST_MS = new Map(Object.entries({ sessionstart: 150, precompact: 300, sessionend: 300 }))

/**
 * `ralph hook`: reads what an agent's program says on standard input and answers, or gets out of the way. Whatever happens here,
 * the session goes on: the exit code is 0, and standard output holds one JSON answer or nothing.
 */
export async function runHook(
  stdin: Readable,
  { event, agent }: { event: string; agent?: string | undefined },
): Promise<void> {
  const state: { context?: HookContext } = {}
  const leave = () => process.exit(0)
  const leaveInSilence = (reason: 'late' | 'failed') => {
    const { home, project } = state.context?.config ?? { home: ralphHome(), project: process.cwd() }
    noteSilence(home, project, event, reason)
    leave()
  }
  const fail = () => leaveInSilence('failed')
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
  // Node's own remarks would appear in the user's session as if something had gone wrong.
  process.removeAllListeners('warning')
  const patience = Math.max(LEAST_MS.get(event.toLowerCase()) ?? 1, hookDeadlineMs() - sinceStartMs())
  const leaveAt = sinceStartMs() + patience
  const watchdog = setTimeout(() => {
    // Too late for this time; the next hook finds it worked out.
    state.context?.giveUp()
    state.context?.keepWarm()
    leaveInSilence('late')
  }, patience)
  const caller = { parent: process.ppid, remainingMs: () => leaveAt - sinceStartMs() }
  try {
    const hook = { text: await readAll(stdin), event, agent }
    const env = inheritedEnvironment()
    const warm = await askWarmHelper(ralphHome(), { hook, caller, env })
    const onContext = (context: HookContext) => {
      state.context = context
    }
    const answer = warm
      ? warm.answer
      : await (await import('./answer.ts')).answerCall(hook, env, { caller, onContext })
    clearTimeout(watchdog)
    const leaveWarmer = () => {
      state.context?.keepWarm()
      // Nothing that is still open may keep the agent waiting.
      leave()
    }
    if (answer !== undefined) process.stdout.write(answer, leaveWarmer)
    else leaveWarmer()
  } catch {
    // Settings that cannot be read, a disk that is full: `ralph status` counts it, a running session is not told.
    fail()
  }
}

/** Of this process. Not `performance.now()`, which takes longer to load than it measures. */
function sinceStartMs(): number {
  return process.uptime() * 1_000
}

/** By its events: what a loop over a stream loads takes a millisecond, and on a busy machine ten. */
function readAll(stdin: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    stdin.on('data', (chunk: Buffer) => chunks.push(chunk))
    stdin.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    stdin.on('error', reject)
  })
}
