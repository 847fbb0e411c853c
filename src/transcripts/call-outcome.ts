import type { FileChange, ToolCall } from './agent-run.ts'
import type { CallResult } from './events.ts'
import { excerpt } from './excerpt.ts'
import type { CollectLimits } from './limits.ts'

/** What became of a call, in one shape for programs that say it in words or in fields of their own: `structured` of its result. */
export interface CallOutcome {
  exitCode?: number | undefined
  /** What it did to files, if it succeeded. */
  changes?: FileChange[] | undefined
  /** Somebody stopped it, or it goes on in the background. */
  unfinished?: boolean | undefined
}

/** More in one call is a checkout or a build. */
const MOST_CHANGES = 200

/** Completes a call whose result holds a `CallOutcome`. A failed command's output begins with its exit code. */
export function settleByOutcome(call: ToolCall, result: CallResult, limits: CollectLimits): void {
  const { exitCode, changes, unfinished } = (result.structured ?? {}) as CallOutcome
  const failed = result.isError || (exitCode ?? 0) !== 0
  call.status = unfinished ? 'unfinished' : failed ? 'failed' : 'ok'
  if (call.kind === 'shell') {
    const withCode = call.status === 'failed' && exitCode !== undefined && exitCode > 0
    call.output = excerpt(
      withCode ? `Exit code ${exitCode}\n${result.text}` : result.text,
      limits.shellOutput,
    )
  } else if (call.status === 'failed') call.output = excerpt(result.text, limits.failureOutput)
  if (call.status !== 'ok' || !changes || changes.length === 0) return
  call.changes = changes.filter(({ path }) => path.length <= limits.path).slice(0, MOST_CHANGES)
  if (call.kind === 'edit') call.creates = changes.every(({ action }) => action === 'created')
}
