import type { IterationRecord } from '../../feature-memory/record.ts'
import { accountOf, pieceEndings, usedOf } from '../../receipts/judge.ts'
import type { ReceiptLog } from '../../receipts/log.ts'
import { receiptsOfRun } from '../../receipts/read.ts'
import { endingRemark } from '../../telling/ending-words.ts'
import type { AgentRun } from '../../transcripts/agent-run.ts'
import type { RunBriefing } from '../brief-run.ts'
import type { LoopParts } from '../parts.ts'
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

/** How the iteration came out, and what became of each piece that it was told, in its prompt or since, or kept from. */
export async function keepEnding(
  { receipts, project }: Pick<LoopParts, 'receipts' | 'project'>,
  { runId, startedAt }: RunFacts,
  record: IterationRecord,
  run: AgentRun | undefined,
): Promise<void> {
  const { outcome, iterationNumber } = record
  const told = await receiptsOfRun(receipts.folder, (one) => one === runId, startedAt)
  const pieces = pieceEndings(
    told,
    accountOf(record, { texts: run ? textsOf(run) : wordsOf(record), project }),
  )
  const remark = endingRemark(record)
  receipts.ended({ run: runId, outcome, remark, iterationNumber, used: usedOf(pieces), pieces })
}

function textsOf({ texts, result }: AgentRun): string[] {
  return [...texts.map(({ text }) => text), result?.text ?? '']
}

/** Where nothing else of it is left. */
function wordsOf({ summary, said = '' }: IterationRecord): string[] {
  return [summary, said]
}
