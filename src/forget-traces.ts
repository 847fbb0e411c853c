import { join } from 'node:path'
import type { Config } from './config.ts'
import type { ForgottenIterations } from './feature-memory/feature-memory.ts'
import { forgetNotes } from './hooks/forget-notes.ts'
import { RunFiles, runStart } from './loop/run-file.ts'
import { forgetReceipts } from './receipts/forget.ts'

/** What is kept of iterations besides the journal and the index goes with them: logs, receipts, notes of hooks. */
export async function forgetTraces(
  config: Config,
  { feature, everything, records }: ForgottenIterations,
): Promise<void> {
  const sessions = new Set(records.flatMap(({ sessionId }) => sessionId ?? []))
  const starts = new Set(records.map(({ timestamp }) => runStart(timestamp)))
  const isForgotten = (run: string) => sessions.has(run) || starts.has(run.split('-')[0]!)
  const shownTo = await forgetReceipts(config.paths.receipts, {
    isForgotten,
    ...(everything && { feature }),
  })
  await new RunFiles(join(config.paths.cache, 'loop')).forget((run) => isForgotten(run) || shownTo.has(run))
  forgetNotes(config, { feature, isForgotten: (session) => isForgotten(session) || shownTo.has(session) })
}
