/** What calls are made for. */
export type Purpose = 'summaries' | 'chat' | 'embedding'

/** A call that is about to be made. */
export interface PlannedCall {
  purpose: Purpose
  /** e.g. "openai:gpt-5-mini". */
  model: string
  /** The most it can cost; undefined when the price is not known. */
  worstUsd: number | undefined
}

export interface CallCost {
  inputTokens: number
  outputTokens: number
  /** Absent when the price of the model is not known. */
  costUsd?: number | undefined
  /** The service did not say: on the high side. */
  isEstimate: boolean
}

export interface PaidCall {
  /** Without a cost it was refused before any work, and costs nothing. */
  settle(cost?: CallCost): Promise<void>
}

/** Where every call is written down before it is made, and again when it is known what became of it. */
export interface PaidCalls {
  /** Throws `limit_reached` when it does not fit any more. */
  begin(call: PlannedCall): Promise<PaidCall>
}

/** For whoever keeps no books. */
export const UNCOUNTED: PaidCalls = { begin: async () => ({ settle: async () => undefined }) }

/**
 * Writes a call down, makes it, and writes down what it has cost, whatever became of it. What can no longer be written
 * down stays counted at its worst: nobody loses an answer that was paid for.
 */
export async function counted<Result>(
  calls: PaidCalls,
  plan: PlannedCall,
  make: () => Promise<{ result: Result; cost: CallCost }>,
  costOfFailure: (error: unknown) => CallCost | undefined,
): Promise<Result> {
  const call = await calls.begin(plan)
  const settle = (cost: CallCost | undefined) => call.settle(cost).catch(() => undefined)
  try {
    const { result, cost } = await make()
    await settle(cost)
    return result
  } catch (error) {
    await settle(costOfFailure(error))
    throw error
  }
}
