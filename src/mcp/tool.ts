import type { z } from 'zod'
import type { Caretaker } from '../learnings/care.ts'
import type { Ralph } from '../ralph.ts'
import type { ReceiptItem } from '../receipts/receipt.ts'

/** What one call works with. */
export interface CallContext {
  ralph: Ralph
  /** The locked feature, or the one the call named; empty for tools that belong to no feature. */
  feature: string
  /** The agent's run: its session id, where it has one. */
  run: string
  /** As whom the caller looks after learnings. */
  caretaker: Caretaker
  signal: AbortSignal
}

/** What a tool found, for programs and for models. Both forms say the same: some clients show the one, some the other. */
export interface ToolAnswer {
  structured: Record<string, unknown>
  text: string
  /** What was handed over, for the receipts. */
  items?: ReceiptItem[]
}

export interface Tool<Input extends z.ZodRawShape = z.ZodRawShape> {
  name: string
  title: string
  description: string
  input: Input
  output: z.ZodRawShape
  /** Reads answer with `empty` and a reason when memory is out of order; writes must fail loudly. */
  kind: 'read' | 'append' | 'change'
  empty?: Record<string, unknown>
  /** False for tools that do not belong to a feature. */
  perFeature?: boolean
  run(call: CallContext, args: z.output<z.ZodObject<Input>>): Promise<ToolAnswer>
}

/** Keeps the types of `input` and `run` together. */
export function defineTool<const Input extends z.ZodRawShape>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool
}
