import { hookDeadlineMs, ralphHome, resolveConfig } from '../config.ts'
import { ReceiptLog } from '../receipts/log.ts'
import { tokensAtMost } from '../text/token-bound.ts'
import { HookContext, type Injection } from './context.ts'
import { parseInput } from './input.ts'
import { noteSilence } from './silence.ts'

type Handler = (context: HookContext) => Promise<Injection | undefined>

/** Loaded one by one: most of a hook's time is loading code. */
const HANDLERS: Record<string, () => Promise<Handler>> = {
  SessionStart: async () => (await import('./events/session-start.ts')).sessionStart,
  UserPromptSubmit: async () => (await import('./events/user-prompt.ts')).userPrompt,
  PreToolUse: async () => (await import('./events/before-tool.ts')).beforeTool,
  PostToolUseFailure: async () => (await import('./events/after-failure.ts')).afterFailure,
  Stop: async () => nothing((await import('./events/session-end.ts')).noteSession),
  PreCompact: async () => nothing((await import('./events/session-end.ts')).handSessionOver),
  SessionEnd: async () => nothing((await import('./events/session-end.ts')).handSessionOver),
}

/**
 * On a machine so busy that starting takes all the time, those that make sure that a session is recorded still get some:
 * they come once per session.
 */
const LEAST_MS = new Map(Object.entries({ SessionStart: 150, PreCompact: 300, SessionEnd: 300 }))

/**
 * `ralph hook`: reads what Claude Code says on standard input and answers, or gets out of the way. Whatever happens here,
 * the session goes on: the exit code is 0, and standard output holds one JSON answer or nothing.
 */
export async function runHook(stdin: AsyncIterable<Buffer>, event: string): Promise<void> {
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
  const watchdog = setTimeout(
    () => {
      // Too late for this time; the next hook finds it worked out.
      state.context?.giveUp()
      leaveInSilence('late')
    },
    Math.max(LEAST_MS.get(event) ?? 1, hookDeadlineMs() - performance.now()),
  )
  try {
    const answer = await answerTo(await readAll(stdin), state)
    clearTimeout(watchdog)
    // Nothing that is still open may keep the agent waiting.
    if (answer !== undefined) process.stdout.write(answer, leave)
    else leave()
  } catch {
    // Settings that cannot be read, a disk that is full: `ralph status` counts it, a running session is not told.
    fail()
  }
}

/** The answer for one input, or undefined. */
async function answerTo(text: string, state: { context?: HookContext }): Promise<string | undefined> {
  const input = parseInput(text)
  const load = input && Object.hasOwn(HANDLERS, input.event) ? HANDLERS[input.event] : undefined
  if (!input || !load) return undefined
  const context = new HookContext(await resolveConfig({ cwd: input.cwd }), input)
  state.context = context
  const injection = await (await load())(context)
  if (!injection || !context.notes.mayShow(injection.key, tokensAtMost(injection.text))) return undefined
  for (const key of injection.tells ?? []) context.notes.mayShow(key, 0)
  await keepReceipt(context, injection)
  const answer = injection.stops
    ? { permissionDecision: 'deny', permissionDecisionReason: injection.text }
    : { additionalContext: injection.text }
  return `${JSON.stringify({ hookSpecificOutput: { hookEventName: input.event, ...answer } })}\n`
}

/** A project without memory gets no folder of ours: what was told there is noted with the user. */
async function keepReceipt(context: HookContext, { text, items }: Injection): Promise<void> {
  const { config, input, remembers } = context
  const folder = remembers ? config.paths.receipts : config.paths.userReceipts
  new ReceiptLog({ folder }).append({
    surface: 'hook',
    event: input.event,
    run: config.session.run ?? input.sessionId,
    ...(remembers && { feature: (await context.feature()).name }),
    items,
    text,
  })
}

function nothing(handle: (context: HookContext) => Promise<void>): Handler {
  return async (context) => {
    await handle(context)
    return undefined
  }
}

async function readAll(stdin: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
