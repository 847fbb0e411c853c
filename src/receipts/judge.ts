import { type CheckIdentity, covers, identify } from '../shell/check-key.ts'
import { errorSignature } from '../text/error-signature.ts'
import type { PieceEnding, PieceSubject, Receipt } from './receipt.ts'
import { type RunTraces, showsTraces } from './used.ts'

/** How a command came out the last time the run ran it. */
interface RunCheck {
  command: string
  directory?: string | undefined
  result: 'passed' | 'failed'
  /** Of what it reported then. */
  signatures: readonly string[]
  /** Of what it reported earlier in the run, and no longer the last time. */
  cleared?: readonly string[] | undefined
  /** Not all that it reported was seen. */
  outputCut?: boolean | undefined
}

/** What a run did, as far as pieces of memory can be held against it. */
export interface RunAccount extends RunTraces {
  /** Signatures of the errors that it met. */
  errors: readonly string[]
  checks: readonly RunCheck[]
  /** The project's folder, which commands may name. */
  project: string
}

/** What a record tells of it; `texts`: what the agent said. */
export function accountOf(
  record: {
    filesTouched: readonly { path: string }[]
    errors: readonly { message: string }[]
    checks: readonly RunCheck[]
  },
  { texts, project }: Pick<RunAccount, 'texts' | 'project'>,
): RunAccount {
  const { filesTouched, errors, checks } = record
  return {
    texts,
    files: filesTouched.map(({ path }) => path),
    errors: errors.map(({ message }) => errorSignature(message)),
    checks,
    project,
  }
}

const MOST_PIECES = 200

/** What became of each piece that was told to a run or kept from it, both judged by the same rules. Each is judged once. */
export function pieceEndings(
  receipts: readonly Pick<Receipt, 'items' | 'withheld'>[],
  account: RunAccount,
): PieceEnding[] {
  const judge = new PieceJudge(account)
  const judged = new Map<string, PieceEnding>()
  for (const { items, withheld } of receipts) {
    for (const item of items) {
      const { kind, source, about = {} } = item
      const key = JSON.stringify([kind, source, withheld ?? false])
      if (judged.has(key) || judged.size === MOST_PIECES) continue
      const traced = showsTraces(item, account)
      judged.set(key, { kind, source, ...(withheld && { withheld }), traced, ...judge.of(about) })
    }
  }
  return [...judged.values()]
}

/** `source` of those that were told and left a trace. */
export function usedOf(pieces: readonly PieceEnding[]): string[] {
  const used = pieces.filter(({ traced, withheld }) => traced && !withheld)
  return [...new Set(used.map(({ source }) => source))]
}

type Judged = Pick<PieceEnding, 'cameBack' | 'failedAgain' | 'touched'>

class PieceJudge {
  readonly #account: RunAccount
  readonly #checks: (RunCheck & CheckIdentity)[]
  /** What checks reported when they last ran, and all that was met at any time. */
  readonly #last: ReadonlySet<string>
  readonly #met: ReadonlySet<string>
  readonly #files: ReadonlySet<string>

  constructor(account: RunAccount) {
    const { checks, errors, files, project } = account
    this.#account = account
    this.#checks = checks.map((check) => ({ ...check, ...identify(check, project) }))
    this.#last = new Set(checks.flatMap(({ signatures }) => signatures))
    this.#met = new Set([...errors, ...this.#last, ...checks.flatMap(({ cleared = [] }) => cleared)])
    this.#files = new Set(files)
  }

  of(subject: PieceSubject): Judged {
    const cameBack = this.#cameBack(subject)
    const failedAgain = this.#failedAgain(subject)
    const touched = subject.files?.some((path) => this.#files.has(path))
    return {
      ...(cameBack !== undefined && { cameBack }),
      ...(failedAgain !== undefined && { failedAgain }),
      ...(touched !== undefined && { touched }),
    }
  }

  #cameBack({ errors = [], checks = [], open }: PieceSubject): boolean | undefined {
    if (errors.length === 0) return undefined
    const ranAgain = checks.length > 0 && checks.every((command) => this.#couldTell(command))
    // What was there had not gone: then it counts whether it still was at the end.
    const seen = open && ranAgain ? this.#last : this.#met
    if (errors.some((signature) => seen.has(signature))) return true
    return ranAgain ? false : undefined
  }

  /** Whether the run ran it, or something that is sure to contain it, and all was seen. */
  #couldTell(command: string): boolean {
    const wanted = this.#identify(command)
    return this.#checks.some(
      (check) =>
        check.outputCut !== true && wanted.key !== '' && (check.key === wanted.key || covers(check, wanted)),
    )
  }

  #failedAgain({ command, errors = [] }: PieceSubject): boolean | undefined {
    if (command === undefined) return undefined
    const { key } = this.#identify(command)
    const again = this.#checks.find((check) => key !== '' && check.key === key)
    if (!again) return undefined
    const isSame = errors.length === 0 || errors.some((signature) => again.signatures.includes(signature))
    return again.result === 'failed' && isSame
  }

  #identify(command: string): CheckIdentity {
    return identify({ command }, this.#account.project)
  }
}
