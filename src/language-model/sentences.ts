import { lazy } from '../deferred.ts'
import { truncate } from '../text/truncate.ts'

/** Splits what people and models write into sentences worth quoting. Code, logs and tables are no sentences. */

/** Made for the first text: it takes 10 ms. */
const segmenter = lazy(() => new Intl.Segmenter(undefined, { granularity: 'sentence' }))

/** Beyond this nobody summarises by quoting; it also bounds the work on a pasted megabyte. */
const READ_AT_MOST = 20_000
const LONGEST_SENTENCE = 500

const FENCE = /```[\s\S]*?(?:```|$)|<(system-reminder|local-command-[a-z]+|command-[a-z]+)>[\s\S]*?<\/\1>/g
const NO_PROSE = new RegExp(
  [
    String.raw`^\s*$`,
    String.raw`^\s*[|>#]`, // tables, quotes, headings
    String.raw`^\s+at \S`, // stack frames
    String.raw`^\s*File "`,
    String.raw`^\s*\d{4}-\d\d-\d\d[T ]\d\d:\d\d`, // log lines
    String.raw`^[\s+\-*/=~^.]+$`,
    String.raw`[{};]\s*$`, // code that was not fenced
  ].join('|'),
)
const BULLET = /^\s*(?:[-*•]|\d+[.)])\s+/

export function sentences(text: string): string[] {
  const prose = text.slice(0, READ_AT_MOST).replace(FENCE, '\n')
  return prose
    .split('\n')
    .filter((line) => !NO_PROSE.test(line))
    .flatMap((line) => [...segmenter().segment(line.replace(BULLET, ''))].map(({ segment }) => tidy(segment)))
    .filter((sentence) => /\p{L}{2}/u.test(sentence))
    .map((sentence) => truncate(sentence, LONGEST_SENTENCE))
}

/** The line of a pasted log or trace that names the error. */
export function lineNamingError(text: string): string | undefined {
  const line = text
    .slice(0, READ_AT_MOST)
    .split('\n')
    .find((candidate) =>
      /\b(?:[A-Z]\w*(?:Error|Exception)|error(?:\[\w+\]| TS\d+)?|fatal|panic)\b\s*:?/.test(candidate),
    )
  return line && truncate(tidy(line), LONGEST_SENTENCE)
}

/** Markdown's emphasis says nothing in a summary. */
function tidy(text: string): string {
  return text
    .replace(/\*\*|__|`/g, '')
    .replace(/\[([^\][]+)\]\([^()\n]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}_'’-]*/gu
const COMMON = new Set(
  `a about after all also an and any are as at be because been before but by can could did do does done for from get
  got had has have he her here hey hi him his how i if in into is it its just know let like make me more my need no not
  now of off on one only or our out over please so some than thank thanks that the their them then there these they
  this those to too up us use very want was we well were what when where which who why will with would yes you your`
    .split(/\s+/)
    .filter(Boolean),
)

/** Words that carry content, lower case. */
export function contentWords(text: string): Set<string> {
  return new Set(
    (text.toLowerCase().match(WORD) ?? []).filter((word) => word.length > 1 && !COMMON.has(word)),
  )
}
