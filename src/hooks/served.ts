import { servedInput } from '../agent-config/served-hook.ts'
import { hookDeadlineMs, inheritedEnvironment, ralphHome } from '../config.ts'
import { withinTime } from '../deferred.ts'
import type { JsonObject } from '../text/json.ts'
import { answerTo, loadSteps } from './answer.ts'
import type { HookContext } from './context.ts'
import { heardByClaude } from './heard.ts'
import { noteSilence } from './silence.ts'

/** Beside the code of hooks, all that the first of them would wait for. */
export function prepareHooks(): Promise<void> {
  return loadSteps()
}

/**
 * A hook that Claude Code has the MCP server of the session answer: no process is started for it, so that it is in time on
 * a machine where starting one takes longer than a hook may. Says the same as `ralph hook`, and like it never fails.
 */
export async function answerServed(
  given: JsonObject,
  env = inheritedEnvironment(),
): Promise<string | undefined> {
  const raw = servedInput(given)
  const told = heardByClaude(raw)
  const { input } = told
  if (!input) return undefined
  let context: HookContext | undefined
  const patience = hookDeadlineMs(env)
  const leaveAt = performance.now() + patience
  const silent = (reason: 'late' | 'failed') => {
    const { home, project } = context?.config ?? { home: ralphHome({ env }), project: input.cwd }
    noteSilence(home, project, input.event, reason)
  }
  try {
    const work = answerTo(told, {
      // The program that runs the session has started this server.
      caller: { parent: process.ppid, remainingMs: () => leaveAt - performance.now() },
      // The server's own says which session there was when it started.
      env: { ...env, CLAUDE_CODE_SESSION_ID: input.sessionId },
      onContext: (one) => {
        context = one
      },
    })
    const done = await withinTime(
      work.then((answer) => ({ answer })),
      patience,
    )
    if (done) return done.answer
    context?.giveUp()
    silent('late')
  } catch {
    silent('failed')
  }
  return undefined
}
