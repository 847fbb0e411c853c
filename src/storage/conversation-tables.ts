import type { EpochMs, Flag, JsonText } from './tables.ts'

export interface ConversationTables {
  conversations: ConversationRow
  exchanges: ExchangeRow
  exchange_summaries: SummaryRow
  exchange_messages: MessageRow
  conversation_tags: TagRow
  /** What people took away, so that nothing puts it there again. */
  conversation_tags_removed: { conversation_id: string; tag: string }
  conversation_topics: TopicRow
  conversation_topic_members: TopicMemberRow
  conversation_votes: VoteRow
  conversation_withdrawals: WithdrawalRow
  conversation_sources: SourceRow
  conversation_work: WorkRow
  conversation_workers: WorkerRow
  conversation_worker_totals: WorkerTotalsRow
  counters: CounterRow
}

export interface ConversationRow {
  id: string
  /** Whose it is: nobody else sees it, unless it is shared. */
  person: string
  shared: Flag
  title: string | null
  /** Where it came from: "chat", "claude-code", "jsonl", "api". */
  source: string
  /** The folder the work was about, where known. */
  project: string | null
  /** Of a sub-agent: the conversation that started it. */
  parent_id: string | null
  started_at: EpochMs | null
  updated_at: EpochMs | null
  exchange_count: number
  summary: string | null
  summary_model: string | null
  /** 1 while a summariser should look at it. */
  summary_due: Flag
  /** How many exchanges the summary covers. */
  summarised_exchanges: number
  /** Until then somebody is talking in it; kept in the future by a running chat. */
  in_use_until: EpochMs
  /** Grows with every change, over all conversations: how an index knows what it has not seen. */
  revision: number
}

export interface ExchangeRow {
  id: string
  conversation_id: string
  /** From 0, without gaps. */
  position: number
  user_message: string
  assistant_message: string
  status: 'completed' | 'interrupted' | 'open'
  started_at: EpochMs | null
  completed_at: EpochMs | null
  /** 1 when `exchange_summaries` has one. */
  summarised: Flag
  summary_due: Flag
  revision: number
}

/** Apart from its exchange, which would not fit into its place any more if it grew after it was written. */
export interface SummaryRow {
  exchange_id: string
  summary: string
  model: string
}

/** What happened between the user's message and the answer. */
export interface MessageRow {
  exchange_id: string
  position: number
  role: string
  content: string
  tool_name: string | null
}

/** What a person thinks of a conversation or an exchange: upvotes less downvotes. */
export interface VoteRow {
  person: string
  kind: 'conversation' | 'exchange'
  item_id: string
  votes: number
}

/** A conversation that others may have in their index and should not have any more. */
export interface WithdrawalRow {
  revision: number
  conversation_id: string
  exchange_ids: JsonText
}

export interface TagRow {
  conversation_id: string
  tag: string
  /** 1 when it came with the summary, not from a person. */
  automatic: Flag
}

/** What several conversations of a person are about. */
export interface TopicRow {
  id: string
  person: string
  name: string
  /** "words", or the model that has named it. */
  named_by: string
  /** How many conversations it had when it was named. */
  named_from: number
  made_at: EpochMs
}

/** A conversation is about one thing at most. */
export interface TopicMemberRow {
  conversation_id: string
  topic_id: string
  /** How near it is to the others of it: the highest are the most telling. */
  fit: number
}

/** How far a file has been imported. */
export interface SourceRow {
  person: string
  path: string
  /** Device and inode: another file under the same name starts from its beginning. */
  identity: string
  size: number
  modified_at: number
  /** Where reading goes on: the first byte of the last exchange, which may still grow. */
  byte_offset: number
  /** Hash of the bytes before `byte_offset`: a file that was rewritten is read anew. */
  fingerprint: string
}

/** An item that is being worked on or has failed. Absent: not begun, or done. */
export interface WorkRow {
  person: string
  worker: string
  item_id: string
  attempts: number
  not_before: EpochMs
  given_up: Flag
  problem: string | null
  lease_owner: string | null
  lease_until: EpochMs
}

/** A worker in some process, while it runs. */
export interface WorkerRow {
  person: string
  worker: string
  owner: string
  state: string
  current_item: string | null
  done: number
  total: number
  problem: string | null
  seen_at: EpochMs
}

export interface WorkerTotalsRow {
  person: string
  worker: string
  completed: number
  failed: number
}

export interface CounterRow {
  name: string
  value: number
}
