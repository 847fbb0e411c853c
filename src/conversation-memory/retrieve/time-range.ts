import { MILLISECONDS_PER_DAY } from '../days.ts'

/** Days since 1970, both included. */
export interface DayRange {
  from: number
  to: number
}

export interface TimedQuery {
  /** The query without the words that only say when. */
  text: string
  range?: DayRange
  /** The words that were understood as a time, e.g. "last week". */
  phrase?: string
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
)
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const NUMBERS: { [word: string]: number } = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  couple: 2,
  few: 3,
}
const MONTH = `(?:${MONTHS.join('|')}|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec)`
const COUNT = String.raw`(\d{1,3}|a|an|one|two|three|four|five|six|seven|(?:a )?couple of|(?:a )?few)`

type Reader = (match: RegExpMatchArray, today: number) => DayRange | undefined

/** What people say of the past, the more specific first. Only phrases that can hardly mean anything else. */
const PHRASES: readonly (readonly [RegExp, Reader])[] = [
  [/\b(?:on |since |from )?(\d{4})-(\d{2})-(\d{2})\b/, (m) => single(dayOf(+m[1]!, +m[2]! - 1, +m[3]!))],
  [
    new RegExp(
      String.raw`\b(?:on )?(?:the )?(\d{1,2})(?:st|nd|rd|th)?(?: of)? (${MONTH})(?:,? (\d{4}))?\b`,
      'i',
    ),
    (m, today) => dayInMonth(monthOf(m[2]!), +m[1]!, m[3], today),
  ],
  [
    new RegExp(String.raw`\b(?:on )?(${MONTH}) (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?\b`, 'i'),
    (m, today) => dayInMonth(monthOf(m[1]!), +m[2]!, m[3], today),
  ],
  [
    new RegExp(
      String.raw`\b(in|since|during|from|last|back in|early|late|mid) (${MONTH})(?:,? (\d{4}))?\b`,
      'i',
    ),
    (m, today) => monthRange(monthOf(m[2]!), m[3], today, m[1]!.toLowerCase()),
  ],
  [
    new RegExp(String.raw`\b(${MONTH}),? (\d{4})\b`, 'i'),
    (m, today) => monthRange(monthOf(m[1]!), m[2], today, 'in'),
  ],
  [/\b(?:in|during|since) ((?:19|20)\d{2})\b/i, (m) => years(+m[1]!, +m[1]!)],
  [/\b(?:the )?day before yesterday\b/i, (_, today) => single(today - 2)],
  [/\byesterday\b/i, (_, today) => single(today - 1)],
  [/\b(?:today|this morning|this afternoon|earlier today)\b/i, (_, today) => single(today)],
  [
    new RegExp(
      String.raw`\b(?:in |within |over |during )?(?:the )?(?:last|past) ${COUNT} (day|week|month|year)s?\b`,
      'i',
    ),
    (m, today) => ({ from: today - spanOf(m[1]!, m[2]!), to: today }),
  ],
  [
    new RegExp(String.raw`\b(?:about |around |some )?${COUNT} (day|week|month|year)s? ago\b`, 'i'),
    (m, today) => around(today - spanOf(m[1]!, m[2]!), m[2]!),
  ],
  [/\b(last|this|past) (week|month|year|weekend|quarter)\b/i, (m, today) => period(m[1]!, m[2]!, today)],
  [
    new RegExp(String.raw`\b(?:on |last |this |since )(${WEEKDAYS.join('|')})\b`, 'i'),
    (m, today) => single(lastWeekday(WEEKDAYS.indexOf(m[1]!.toLowerCase()), today)),
  ],
  [/\b(?:recently|lately)\b/i, (_, today) => ({ from: today - 14, to: today })],
]

/** Finds out whether a query asks for a certain time. `now` is a parameter so that a test can choose it. */
export function readTimeRange(query: string, now: Date): TimedQuery {
  const today = Math.floor(now.getTime() / MILLISECONDS_PER_DAY)
  for (const [pattern, read] of PHRASES) {
    const match = pattern.exec(query)
    const range = match && read(match, today)
    if (!match || !range || range.from > today) continue
    const text = `${query.slice(0, match.index)} ${query.slice(match.index + match[0].length)}`
      .replace(/\s+/g, ' ')
      .trim()
    const since = /^\s*since\b/i.test(match[0])
    return { text, phrase: match[0].trim(), range: since ? { from: range.from, to: today } : range }
  }
  return { text: query }
}

function single(day: number): DayRange {
  return { from: day, to: day }
}

function dayOf(year: number, month: number, day: number): number {
  return Math.floor(Date.UTC(year, month, day) / MILLISECONDS_PER_DAY)
}

function parts(day: number): { year: number; month: number; weekday: number } {
  const date = new Date(day * MILLISECONDS_PER_DAY)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), weekday: date.getUTCDay() }
}

function monthOf(name: string): number {
  return MONTHS.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3)))
}

/** The latest year in which it lies in the past, unless the year is given. */
function yearOf(month: number, given: string | undefined, today: number): number {
  if (given) return +given
  const { year, month: thisMonth } = parts(today)
  return month > thisMonth ? year - 1 : year
}

function dayInMonth(
  month: number,
  day: number,
  given: string | undefined,
  today: number,
): DayRange | undefined {
  if (day < 1 || day > 31) return undefined
  const year = yearOf(month, given, today)
  const wanted = dayOf(year, month, day)
  return single(given === undefined && wanted > today ? dayOf(year - 1, month, day) : wanted)
}

function monthRange(month: number, given: string | undefined, today: number, word: string): DayRange {
  let year = yearOf(month, given, today)
  if (!given && word === 'last' && parts(today).month === month) year--
  const [from, to] = [dayOf(year, month, 1), dayOf(year, month + 1, 0)]
  if (word === 'early') return { from, to: from + 10 }
  if (word === 'mid') return { from: from + 9, to: from + 20 }
  if (word === 'late') return { from: from + 19, to }
  return { from, to }
}

function years(from: number, to: number): DayRange {
  return { from: dayOf(from, 0, 1), to: dayOf(to, 11, 31) }
}

function spanOf(count: string, unit: string): number {
  const word = count
    .toLowerCase()
    .replace(/^a (?=couple|few)/, '')
    .replace(/ of$/, '')
  const number = NUMBERS[word] ?? Number(word)
  return number * { day: 1, week: 7, month: 30, year: 365 }[unit.toLowerCase() as 'day']
}

/** "Three weeks ago" is not exact: the longer ago, the wider. */
function around(day: number, unit: string): DayRange {
  const slack = { day: 0, week: 3, month: 15, year: 120 }[unit.toLowerCase() as 'day']
  return { from: day - slack, to: day + slack }
}

function period(which: string, unit: string, today: number): DayRange {
  const { year, month, weekday } = parts(today)
  const monday = today - ((weekday + 6) % 7)
  const before = which.toLowerCase() !== 'this'
  switch (unit.toLowerCase()) {
    case 'week':
      return before ? { from: monday - 7, to: monday - 1 } : { from: monday, to: today }
    case 'weekend':
      return before ? { from: monday - 2, to: monday - 1 } : { from: monday + 5, to: monday + 6 }
    case 'month':
      return before
        ? { from: dayOf(year, month - 1, 1), to: dayOf(year, month, 0) }
        : { from: dayOf(year, month, 1), to: today }
    case 'quarter': {
      const start = month - (month % 3)
      return before
        ? { from: dayOf(year, start - 3, 1), to: dayOf(year, start, 0) }
        : { from: dayOf(year, start, 1), to: today }
    }
    default:
      return before ? years(year - 1, year - 1) : { from: dayOf(year, 0, 1), to: today }
  }
}

function lastWeekday(weekday: number, today: number): number {
  const back = (parts(today).weekday - weekday + 7) % 7
  return today - (back === 0 ? 7 : back)
}
