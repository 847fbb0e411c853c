import { resolveConfig } from '../config.ts'
import { ReceiptLog } from '../receipts/log.ts'
import { tokensAtMost } from '../text/token-bound.ts'
import { type HookCaller, HookContext, type Injection } from './context.ts'
import { type Heard, type HookCalled, heard } from './heard.ts'

type Handler = (context: HookContext) => Promise<Injection | undefined>

/** Loaded one by one: most of a hook's time is loading code. */
const HANDLERS: Record<string, () => Promise<Handler>> = {
  SessionStart: async () => (await import('./events/session-start.ts')).sessionStart,
  UserPromptSubmit: async () => (await import('./events/user-prompt.ts')).userPrompt,
  PreToolUse: async () => (await import('./events/before-tool.ts')).beforeTool,
  PostToolUse: async () => (await import('./events/before-tool.ts')).onReading,
  PostToolUseFailure: async () => (await import('./events/after-failure.ts')).afterFailure,
  Stop: async () => nothing((await import('./events/session-end.ts')).noteSession),
  PreCompact: async () => nothing((await import('./events/session-end.ts')).handSessionOver),
  SessionEnd: async () => nothing((await import('./events/session-end.ts')).handSessionOver),
}

export interface AnswerOptions {
  caller: HookCaller
  /** Of the one who asks, where that is not this process. */
  env?: NodeJS.ProcessEnv
  /** Told as soon as it is known whom the answer is for. */
  onContext?: (context: HookContext) => void
}

/** Those that come at every step of an agent: whoever stays at hand for them loads all of it at once. */
export async function loadSteps(): Promise<void> {
  const steps = ['UserPromptSubmit', 'PreToolUse', 'PostToolUseFailure', 'Stop']
  await Promise.all([
    ...steps.map((event) => HANDLERS[event]!()),
    import('./events/repeated-failure.ts'),
    import('./facts/work-out.ts'),
    import('./facts/from-board.ts'),
  ])
}

/** The answer to a hook as it was called, in the words of the program that called it, or undefined. */
export async function answerCall(
  hook: HookCalled,
  env: NodeJS.ProcessEnv,
  options: AnswerOptions,
): Promise<string | undefined> {
  return answerTo(await heard(hook, env), options)
}

/** The answer to what was heard, or undefined. */
export async function answerTo(
  { input, hears, answer }: Heard,
  { caller, env, onContext }: AnswerOptions,
): Promise<string | undefined> {
  const load = input && Object.hasOwn(HANDLERS, input.event) ? HANDLERS[input.event] : undefined
  if (!input || !load) return undefined
  const context = new HookContext(await resolveConfig({ cwd: input.cwd, ...(env && { env }) }), input, caller)
  onContext?.(context)
  const injection = await (await load())(context)
  // Whoever asked has left: what nobody hears must not count as told.
  if (caller.remainingMs() <= 0) return undefined
  if (!injection || !(injection.stops || hears(input.event))) return undefined
  if (!context.notes.mayShow(injection.key, tokensAtMost(injection.text))) return undefined
  for (const key of injection.tells ?? []) context.notes.mayShow(key, 0)
  await keepReceipt(context, injection)
  // It is worked out all the same, so that told and withheld can be held against each other.
  if (context.memoryWithheld) return undefined
  const { text, stops = false } = injection
  return `${JSON.stringify(answer({ event: input.event, text, stops }))}\n`
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
    ...(context.memoryWithheld && { withheld: true }),
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
