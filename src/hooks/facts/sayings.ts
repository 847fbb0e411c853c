import { changedPaths } from '../../feature-memory/endings.ts'
import type { LedgerEntry, LedgerRun, Solution } from '../../feature-memory/ledger/ledger.ts'
import type { IterationRecord, RecordedCheck } from '../../feature-memory/record.ts'
import { describeEnding } from '../../telling/ending-words.ts'
import { ErrorBook } from '../../telling/error-book.ts'
import { ownWords } from '../../telling/own-words.ts'
import { subjectOfError, subjectOfRun } from '../../telling/piece-subject.ts'
import { nameOrQuoted, quoted } from '../../text/quote.ts'
import { someOf } from '../../text/some-of.ts'
import { conversationKey, errorKey, iterations, runKey } from './fact-keys.ts'
import type { Saying, SayingInParts, SayingPart } from './feature-facts.ts'

const MOST_FILES = 6
const VERIFY = 'An observation from the records; the code may have changed since.'

/** After a failure that was met before: how it was solved, or that nothing shows it was. */
export function errorSaying(entry: LedgerEntry, lastRun: IterationRecord | undefined): SayingInParts {
  const { life, signature, sightings, message, filePath } = entry
  const solution = entry.solutions.at(-1)
  // The same words may be met in another file now.
  const place =
    filePath === undefined || message.includes(filePath) ? '' : ` (${nameOrQuoted(filePath, 120)})`
  const solved = life === 'solved' && solution !== undefined
  const met = `Memory: this error was met before in this feature${place}, in ${iterations(sightings.map(({ iteration }) => iteration))}`
  const last = sightings.at(-1)!
  return {
    parts: [
      { text: `${met}${afterwards(life, solution)}`, tells: errorKey(signature) },
      ...(solution || life === 'not_seen_since' || !lastRun
        ? []
        : runWords(lastRun, entry, `Iteration ${last.iteration} ${named(last)} said`)),
      { text: VERIFY },
    ],
    item: {
      kind: solved ? 'solution' : 'repeated_error',
      source: `iteration ${(solved ? solution : last).iteration}`,
      why: 'the same error',
      about: subjectOfError(entry),
    },
  }
}

function afterwards(life: LedgerEntry['life'], solution: Solution | undefined): string {
  if (life === 'solved' && solution) return `. ${solutionWords(solution)}`
  if (life === 'came_back' && solution)
    return `. ${solutionWords(solution)} It was back in iteration ${solution.cameBackIn}, and no run since shows it solved.`
  if (life === 'not_seen_since') return ` and not in later runs; no record shows what made it go away.`
  return '; no run since shows it solved.'
}

/** What a run that worked and was not done said about it, which is what was tried; the error itself is quoted elsewhere. */
function runWords(record: IterationRecord, entry: LedgerEntry, who: string): SayingPart[] {
  if (record.ending.kind !== 'worked') return []
  const { elide } = new ErrorBook([entry])
  const words = quoted(ownWords(record).said, 300, (line) =>
    elide(line).replaceAll('[error 1]', '[that error]'),
  )
  return words === '' ? [] : [{ text: `${who}: ${words}`, tells: runKey(record.iterationNumber) }]
}

/** That it went away is shown by the check; whose work did it only where the journal shows that too. */
function solutionWords({ iteration, check, by, taskTitle, timestamp }: Solution): string {
  const evidence = `In iteration ${iteration} ${quoted(check, 120)} ran without it`
  if (!by) return `${evidence}; the records do not show which change did it.`
  const own = by.iteration === iteration
  const who = own
    ? `, after that run ${named({ taskTitle, timestamp })} had changed ${files(by.files)}`
    : `, after iteration ${by.iteration} ${named(by)} had changed ${files(by.files)}`
  const said = quoted(by.summary, 400)
  const decided = by.decisions
    .slice(0, 2)
    .map((one) => quoted(one, 200))
    .join('; ')
  return `${evidence}${who}.${said === '' ? '' : ` It said: ${said}`}${decided === '' ? '' : ` Decided: ${decided}.`}`
}

/** On reading a file: what the last change of it led to. */
export function changeSaying(
  path: string,
  record: IterationRecord,
  check: RecordedCheck,
  entry: LedgerEntry,
): SayingInParts {
  const { iterationNumber } = record
  const before = entry.sightings[0]!.iteration < iterationNumber
  const failed = `${quoted(check.command, 120)} ${before ? 'still failed' : 'failed'} after that`
  return {
    parts: [
      {
        text: `Memory of ${nameOrQuoted(path, 120)}: iteration ${iterationNumber} ${named(record)} changed it, and ${failed},`,
      },
      {
        text: `with ${quoted(entry.message, 300)}.`,
        tells: errorKey(entry.signature),
        otherwise: 'with an error that this session was told already.',
      },
      { text: 'No run since shows it solved.' },
      ...runWords(record, entry, 'In its words'),
      { text: VERIFY },
    ],
    item: {
      kind: 'failed_attempt',
      source: `iteration ${iterationNumber}`,
      why: 'what a change of the file led to',
      about: { ...subjectOfError(entry), files: [path] },
    },
  }
}

/** One of the open errors in a briefing. `name` stands for it where the words of a run quote it. */
export function errorLine(entry: LedgerEntry, name: string | undefined): Saying {
  const { message, check, sightings, life, solutions, signature } = entry
  const last = sightings.at(-1)!
  const by = check && !message.includes(check.command) ? `${quoted(check.command, 100)}: ` : ''
  const where = `${iterations(sightings.map(({ iteration }) => iteration))}, last ${date(last)}`
  const solution = solutions.at(-1)
  const back = life === 'came_back' && solution?.by ? `; ${heldBefore(solution)}` : ''
  return {
    text: `- ${name ? `[${name}] ` : ''}${by}${quoted(message, 220)} (${where}${back})`,
    tells: [errorKey(signature)],
    item: {
      kind: 'open_error',
      source: `iteration ${last.iteration}`,
      why: 'not solved',
      about: subjectOfError(entry),
    },
  }
}

function heldBefore({ by, cameBackIn }: Solution): string {
  return `solved in iteration ${by!.iteration} by changes to ${files(by!.files)}, back in iteration ${cameBackIn}`
}

/** Work that is there to go on with. */
export function unfinishedLine(record: IterationRecord, book: ErrorBook): Saying {
  const { said, left } = ownWords(record)
  const { kind } = record.ending
  const changed = files(changedPaths(record))
  const begun = files(record.ending.begun ?? [])
  const byThen = kind === 'worked' ? 'It changed' : 'By then it had changed'
  const parts = [
    `- iteration ${record.iterationNumber} ${named(record)} ${describeEnding(record)}.`,
    changed === '' ? '' : `${byThen} ${changed}.`,
    begun === '' ? '' : `It was just changing ${begun}; whether that was done is not known.`,
    said === '' ? '' : `In its words: ${quoted(said, 400, book.elide)}`,
    left === '' ? '' : `Left to do: ${quoted(left, 400, book.elide)}`,
  ]
  return runSaying(record, parts.filter(Boolean).join(' '), 'unfinished')
}

export function runLine(record: IterationRecord, book: ErrorBook): Saying {
  const { said, left } = ownWords(record)
  const rest = left === '' ? '' : ` Left to do: ${quoted(left, 200, book.elide)}`
  const words = said === '' ? '' : ` ${quoted(said, 280, book.elide)}`
  // Of a person's session nobody has said that it was to be done with something.
  const ended = record.kind === 'session' && record.ending.kind === 'done'
  const how = ended ? ':' : ` ${describeEnding(record)}.`
  const text = `- iteration ${record.iterationNumber} ${named(record)}${how}${words}${rest}`
  return runSaying(record, text, 'recent')
}

/** A session is a conversation too: what is told of the one is not told of the other. */
function runSaying(record: IterationRecord, text: string, why: string): Saying {
  const { iterationNumber, sessionId } = record
  const tells = [runKey(iterationNumber), ...(sessionId ? [conversationKey(sessionId)] : [])]
  const about = subjectOfRun(record)
  return { text, tells, item: { kind: 'iteration', source: `iteration ${iterationNumber}`, why, about } }
}

function named({ taskTitle, timestamp }: Pick<LedgerRun, 'taskTitle' | 'timestamp'>): string {
  return `(${date({ timestamp })}, ${quoted(taskTitle, 80)})`
}

function date({ timestamp }: Pick<LedgerRun, 'timestamp'>): string {
  return timestamp.slice(0, 10)
}

function files(paths: readonly string[]): string {
  return someOf(
    paths.map((path) => nameOrQuoted(path, 100)),
    MOST_FILES,
  )
}
