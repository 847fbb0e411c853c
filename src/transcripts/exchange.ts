import type { JsonObject } from '../text/json.ts'

/** A prompt of a person with all that the agent did until the next one. */
export interface TranscriptExchange {
  conversationId: string
  /** The program's own id of the prompt, the same wherever it is repeated; old files have none. */
  promptId: string | undefined
  prompt: string
  /** Our own loop asked, or an agent that it started: nobody's words, and feature memory has the run. */
  fromLoop: boolean
  /** The texts after the last tool call. Of one that never came to an answer: what was said last. */
  answer: string
  /** Somebody stopped it, or it ended before it came to an answer. */
  interrupted: boolean
  steps: ExchangeStep[]
  startedAt: Date | undefined
  endedAt: Date | undefined
  /** Where in the file it begins. */
  offset: number
}

export interface ExchangeStep {
  role: 'assistant' | 'tool_call' | 'tool_result' | 'system'
  content: string
  toolName?: string
}

/** Whose words a file holds, as far as it has been read. */
export interface SessionFacts {
  conversationId: string
  /** The session that started this one as its sub-agent. */
  parentId: string | undefined
  title: string | undefined
  cwd: string | undefined
}

/** Makes exchanges of the lines of one session file. */
export interface ExchangeReader {
  readonly facts: SessionFacts
  /** Where the exchange under way begins: reading can go on from there later. */
  readonly openOffset: number | undefined
  /** Takes the next line; returns the exchanges that it brought to their end. */
  push(line: JsonObject, offset: number): TranscriptExchange[]
  /** What is under way, as far as it has come. */
  finish(): TranscriptExchange[]
}
