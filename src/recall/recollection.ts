import { FINDING_TYPES } from '../feature-memory/finding.ts'
import type { ErrorLife } from '../feature-memory/ledger/ledger.ts'
import type { Outcome } from '../feature-memory/record.ts'
import type { Relevance } from '../retrieval/relevance.ts'
import type { Passage } from '../text/passage.ts'

/** What memory holds: of features what was done, learned and planned, and which errors were met; what projects know; what was said; what the person's documents say. */
export const MEMORY_KINDS = [...FINDING_TYPES, 'error', 'pattern', 'exchange', 'document'] as const
export type MemoryKind = (typeof MEMORY_KINDS)[number]

/** What the agent of a run may ask for: the loop has told it what projects know. */
export const KINDS_IN_RUNS: readonly MemoryKind[] = MEMORY_KINDS.filter((kind) => kind !== 'pattern')

/** Where one memory is kept, for whoever wants to open it. */
export type MemoryAddress =
  | { kind: 'iteration'; feature: string; iterationNumber: number }
  | { kind: 'learning'; feature: string; learningId: string }
  | { kind: 'feature'; feature: string }
  | { kind: 'error'; feature: string; errorId: string }
  | { kind: 'pattern'; entryId: string }
  | { kind: 'exchange'; conversationId: string; exchangeId: string }
  | { kind: 'document'; pieceId: string }

/** One memory that answers a question. */
export interface Recollection {
  address: MemoryAddress
  /** What it is about, for a heading: the task, the conversation; empty where the text says it all. */
  title: string
  text: string
  /** What of the text answers, with the question's words marked. */
  passage: Passage
  /** 0 to 1; means the same in every memory. */
  score: number
  relevance: Relevance
  /** Why it was found. */
  matched: readonly ('meaning' | 'words')[]
  /** Of an iteration. */
  outcome?: Outcome
  /** Whose run or conversation it was, where a coding agent's. */
  agent?: string
  /** Who shares the conversation, where it is not one's own. */
  from?: string
  /** Of an error. */
  life?: ErrorLife
  /** Of a document: its file, and where in it. */
  place?: string
  /** ISO 8601, where it is known. */
  timestamp?: string
  /** How many others say nearly the same. */
  alike?: number
}

/** One as a memory gives it: what of the text answers is worked out for those that are shown. */
export type FoundMemory = Omit<Recollection, 'passage'>

/** The same for the same memory, in every answer. */
export function addressKey(address: MemoryAddress): string {
  return JSON.stringify(Object.values(address))
}
