import { type Failure, oneLine } from './failures/failure.ts'
import { sentencesOf } from './sentences.ts'

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
/** It is over, avoided, imagined, wanted, or about code that deals with errors. */
const NOT_NOW =
  /\b(?:fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|no longer|now (?:pass|work|succeed|build|compile)\w*|handl(?:e[sd]?|ing)|error[- ](?:handling|message|class|type|code|boundary|path|case|state)s?|catch(?:es|ing)?|caught|will|would|should|could (?:cause|lead|fail|crash)|might|may|if|when(?:ever)?|unless|in case|to avoid|prevent(?:s|ed|ing)?|ensur(?:e[sd]?|ing)|expected to|supposed to|previously|used to|originally|without (?:any )?(?:errors?|failures?|failing)|(?:0|no|zero) (?:\w+ )?(?:errors?|failures?|failed|failing)|don't fail|doesn't fail|never fails?|instead of (?:fail|throw|crash)\w*|return(?:s|ed|ing)? an? |add(?:s|ed|ing)? |test(?:s|ed|ing)? (?:that|for|whether|if)|(?:checks?|verif(?:y|ies)|asserts?|confirms?|proves?) that|let me|let's|i'll|i will|going to|simulat\w+|reproduc\w+)\b/i

export interface ReportedError {
  failure: Failure
  /** It quotes an error's own name and message. */
  named: boolean
}

/** Errors an assistant text reports. Precision before completeness: tools report most of them better. */
export function errorsInText(text: string): ReportedError[] {
  return sentencesOf(text).flatMap((sentence): ReportedError[] => {
    if (sentence.length > 600 || sentence.endsWith('?')) return []
    const met = MET.test(sentence) && !OVER.test(sentence)
    if (met) return [{ failure: reported(sentence), named: false }]
    if (NOT_NOW.test(sentence)) return []
    const named = NAMED.exec(sentence)
    if (named) return [{ failure: reported(`${named[1]}: ${named[2]}`), named: true }]
    return REPORTED.some((pattern) => pattern.test(sentence))
      ? [{ failure: reported(sentence), named: false }]
      : []
  })
}

function reported(text: string): Failure {
  const message = oneLine(text.replace(/[`*]+/g, ''))
  const place = /(?<![\w/])([\w./@-]+\.[a-z]{1,5}):(\d+)\b/.exec(text)
  return { type: typeOf(message), message, file: place?.[1], line: place ? Number(place[2]) : undefined }
}

function typeOf(message: string): Failure['type'] {
  if (/\btests?\b|\bspecs?\b|AssertionError/i.test(message)) return 'test'
  if (/\bTS\d{4}\b|compil|type ?check|SyntaxError|\bbuild\b/i.test(message)) return 'compile'
  if (/\blint/i.test(message)) return 'lint'
  if (/permission|denied|not allowed|EACCES|unauthori[sz]ed/i.test(message)) return 'permission'
  return /(?:Error|Exception)\b|crash/.test(message) ? 'runtime' : 'unknown'
}
