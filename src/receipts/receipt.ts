/** Which part of us put something before a model's eyes. */
export const SURFACES = ['loop', 'mcp', 'hook', 'chat'] as const
export type Surface = (typeof SURFACES)[number]

/** One piece of memory that was handed over. */
export interface ReceiptItem {
  /** What it is: `hand_over`, `failed_attempt`, `error`, `learning`, `pattern`, `iteration`, `conversation`, `file`… */
  kind: string
  /** Where it came from, so that a person finds it again: "iteration 7", "learning 3f2a81", "docs/auth.md". */
  source: string
  /** Why this one: "meaning and words", "the same command failed", "reviewed, seen 4 times". */
  why: string
  score?: number
  /** Counted from `text` when it is read, for writers that have no time to load a tokenizer. */
  tokens?: number
  /** What was shown, as far as it is worth keeping. */
  text?: string
  about?: PieceSubject
}

/** What a piece speaks of, as far as a run can be held against it afterwards. */
export interface PieceSubject {
  /** `errorSignature` of each error it tells of. */
  errors?: string[]
  /** They were there when it was told: then it counts whether they still were at the end. */
  open?: boolean
  /** The commands that report them. */
  checks?: string[]
  /** A command that failed, and was not run in this run yet. */
  command?: string
  /** Project-relative paths. */
  files?: string[]
}

/** What was put into one prompt, one tool answer or one hook's answer. */
export interface Receipt {
  id: string
  /** ISO 8601. */
  timestamp: string
  surface: Surface
  /** The prompt, the tool or the hook: `prompt`, `search_feature_memory`, `PreToolUse`. */
  event: string
  /** The agent's run it went into: a session id, or whatever the loop calls its iteration. */
  run: string
  feature?: string
  taskId?: number
  /** It was there to be told and was kept back, since the run was drawn to go without: nobody was shown any of it. */
  withheld?: boolean
  tokens?: number
  /** All that was put before the model, headings and remarks too, for writers that have no time to count its tokens. */
  text?: string
  items: ReceiptItem[]
  /** What would have been shown but for a budget or a limit, in words. */
  leftOut: string[]
}

export type NewReceipt = Omit<Receipt, 'id' | 'timestamp' | 'leftOut'> & { leftOut?: string[] }

/** How the run that received it came out; joined to its receipts when they are read. */
export interface ReceiptEnding {
  run: string
  timestamp: string
  outcome: string
  /** What ended it, where that was not the agent itself: "was ended by a rate limit of the service". */
  remark?: string | undefined
  iterationNumber?: number
  /** `source` of those items that the run's own words or actions show traces of; none that was withheld. */
  used: string[]
  /** What became of each piece, told or withheld; absent for what was written before this was kept. */
  pieces?: PieceEnding[]
}

/** What became of one piece in the run that it was there for. What nobody can tell is left out. */
export interface PieceEnding {
  /** Of its item. */
  kind: string
  source: string
  withheld?: boolean
  /** The run's own words or actions show traces of it. Where it was withheld, that is by chance, or found out anew. */
  traced: boolean
  /**
   * An error that it tells of was met in this run, or, if it was open before, still there at the end. False only where what
   * reports it was run, and did not.
   */
  cameBack?: boolean
  /** The command that it says failed did so again. False only where it was run, and came out well. */
  failedAgain?: boolean
  /** A file that it names was read or changed. */
  touched?: boolean
}

export type NewReceiptEnding = Omit<ReceiptEnding, 'timestamp' | 'used'> & { used?: string[] }

/** A receipt as people see it: with how the run ended, once that is known. */
export interface ReceiptReport extends Receipt {
  tokens: number
  ending?: ReceiptEnding
}

const MAX_ITEMS = 200
const MAX_TEXT = 8_000
/** More than any hook says at once, and than most tools answer. */
export const MAX_WHOLE_TEXT = 12_000

/** Keeps a single receipt from filling the log. */
export function bounded(receipt: Receipt): Receipt {
  return {
    ...receipt,
    ...(receipt.text !== undefined && { text: receipt.text.slice(0, MAX_WHOLE_TEXT) }),
    items: receipt.items
      .slice(0, MAX_ITEMS)
      .map((item) => (item.text === undefined ? item : { ...item, text: item.text.slice(0, MAX_TEXT) })),
    leftOut: receipt.leftOut.slice(0, MAX_ITEMS),
  }
}
