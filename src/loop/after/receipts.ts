import type { IterationRecord } from '../../feature-memory/record.ts'
import type { ReceiptLog } from '../../receipts/log.ts'
import { usedSources } from '../../receipts/used.ts'
import { endingRemark } from '../../telling/ending-words.ts'
import type { AgentEnd } from '../agent/run-agent.ts'
import type { RunBriefing } from '../brief-run.ts'
import type { Prompt } from '../prompt/assemble.ts'
import type { RunFacts } from '../run-file.ts'

/** What went into the prompt, from where, why, and what did not fit; and what of memory was kept out of it by a draw. */
export function keepReceipts(
  receipts: ReceiptLog,
  { runId, feature, taskId }: RunFacts,
  { prompt, withheld }: RunBriefing,
): void {
  const { tokens, items, leftOut } = prompt
  const place = { surface: 'loop', event: 'prompt', run: runId, feature, taskId } as const
  receipts.append({ ...place, tokens, items, leftOut })
  if (withheld.length > 0) receipts.append({ ...place, withheld: true, items: withheld })
}

/** How the iteration came out, and of which pieces it shows traces. */
export function keepEnding(
  receipts: ReceiptLog,
  { runId }: RunFacts,
  record: IterationRecord,
  { run }: AgentEnd,
  prompt: Prompt,
): void {
  const texts = [...run.texts.map(({ text }) => text), run.result?.text ?? '']
  const { outcome, iterationNumber, filesTouched } = record
  const used = usedSources(prompt.items, { texts, files: filesTouched.map(({ path }) => path) })
  receipts.ended({ run: runId, outcome, remark: endingRemark(record), iterationNumber, used })
}
