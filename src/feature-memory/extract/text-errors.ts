import { sentencesOf } from '../../text/sentences.ts'
import { type Failure, failureMessage } from './failures/failure.ts'

/** Nobody reports an error in more words. */
const LONGEST = 600

/** An error's own name and message, quoted in passing. */
const NAMED = /\b((?:[A-Z]\w*)?(?:Error|Exception)): (\S.{4,})/
/** Somebody reports that something went wrong here and now. */
const REPORTED = [
  /\b(?:fails?|failed|failing|crash(?:es|ed)|errors? out|broke|breaks) (?:with|because|due to)\b/i,
  /\b(?:could not|couldn't|was unable to|were unable to|am unable to) .{3,120}?(?:\bbecause\b|\bdue to\b|:)/i,
  /\b(?:got|hit|hitting|saw|seeing|getting|throws?|threw|raise[sd]?|encountered) (?:an?|the|this) (?:\w+ ){0,3}(?:error|exception)\b/i,
  /\b[1-9]\d* (?:tests?|specs?|checks?|suites?) (?:are |is |still |now )*fail(?:s|ed|ing)?\b/i,
  /\b(?:tests?|build|compilation|type ?check|lint) (?:is |are )?still (?:fails?|failing|broken|red)\b/i,
]
const OVER = /\b(?:fix(?:ed|ing)|resolv(?:ed|ing)|no longer|now (?:pass|work)\w*)\b/i
/** Said of oneself it happened, also "when …". */
const MET =
  /\b(?:I|we) (?:got|hit|saw|encountered|ran into) (?:an?|the|this) (?:\w+ ){0,3}(?:error|exception)\b/i
/** What takes a sentence out, however bad it sounds. */
const NOT_NOW: readonly RegExp[] = [
  // A question.
  /\?$/,
  // It is over.
  /\b(?:fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|no longer|now (?:pass|work|succeed|build|compile)\w*|previously|used to|originally)\b/i,
  // It did not happen.
  /\bwithout (?:any )?(?:errors?|failures?|failing)\b|\b(?:0|no|zero) (?:\w+ )?(?:errors?|failures?|failed|failing)\b/i,
  /\b(?:don't fail|doesn't fail|never fails?|instead of (?:fail|throw|crash)\w*)\b/i,
  // It might, or is meant to.
  /\b(?:will|would|should|could (?:cause|lead|fail|crash)|might|may|if|when(?:ever)?|unless|in case|expected to|supposed to)\b/i,
  /\b(?:let me|let's|i'll|going to|simulat\w+|reproduc\w+)\b/i,
  // It is about code that deals with errors, or about a test of it.
  /\b(?:handl(?:e[sd]?|ing)|catch(?:es|ing)?|caught|to avoid|prevent(?:s|ed|ing)?|ensur(?:e[sd]?|ing)|return(?:s|ed|ing)? an? |add(?:s|ed|ing)? )\b/i,
  /\berror[- ](?:handling|message|class|type|code|boundary|path|case|state)s?\b/i,
  /\btest(?:s|ed|ing)? (?:that|for|whether|if)\b|\b(?:checks?|verif(?:y|ies)|asserts?|confirms?|proves?) that\b/i,
]

export interface ReportedError {
  failure: Failure
  /** It quotes an error's own name and message. */
  named: boolean
}

/** Errors an assistant text reports. Precision before completeness: tools report most of them better. */
export function errorsInText(text: string): ReportedError[] {
  return sentencesOf(text).flatMap((sentence): ReportedError[] => {
    if (sentence.length > LONGEST) return []
    const met = MET.test(sentence) && !OVER.test(sentence)
    if (met) return [{ failure: reported(sentence), named: false }]
    if (NOT_NOW.some((pattern) => pattern.test(sentence))) return []
    const named = NAMED.exec(sentence)
    if (named) return [{ failure: reported(`${named[1]}: ${named[2]}`), named: true }]
    return REPORTED.some((pattern) => pattern.test(sentence))
      ? [{ failure: reported(sentence), named: false }]
      : []
  })
}

function reported(text: string): Failure {
  const message = failureMessage(text.replace(/[`*]+/g, ''))
  const place = /(?<![\w./@-])([\w./@-]+\.[a-z]{1,5}):(\d+)\b/.exec(text)
  return { type: typeOf(message), message, file: place?.[1], line: place ? Number(place[2]) : undefined }
}

function typeOf(message: string): Failure['type'] {
  if (/\btests?\b|\bspecs?\b|AssertionError/i.test(message)) return 'test'
  if (/\bTS\d{4}\b|compil|type ?check|SyntaxError|\bbuild\b/i.test(message)) return 'compile'
  if (/\blint/i.test(message)) return 'lint'
  if (/permission|denied|not allowed|EACCES|unauthori[sz]ed/i.test(message)) return 'permission'
  return /(?:Error|Exception)\b|crash/.test(message) ? 'runtime' : 'unknown'
}
