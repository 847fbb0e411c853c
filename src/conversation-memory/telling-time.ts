const DAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'
/** "may" and "march" mostly mean something else. */
const MONTH =
  'january|february|april|june|july|august|september|october|november|december|(?:in|of|since|until|last|next|early|late) (?:march|may)|(?:march|may) \\d{1,2}'
const SPAN = 'night|morning|evening|week|weekend|month|year|summer|winter|spring|fall|autumn'
const UNIT = '(?:day|week|month|year)s?'

/** "yesterday", "last week", "two years ago", "in June": when something was, or will be. */
const TIME = new RegExp(
  String.raw`\b(?:yesterday|today|tonight|tomorrow|(?:last|next|this|past|previous) (?:few |couple of )?(?:${SPAN}|${DAY}|mon|tues?|wed|thurs?|fri|sat|sun)s?|${UNIT} ago|for \w+ ${UNIT}|${DAY}|${MONTH}|(?:19|20)\d\d|\d{1,2}(?:st|nd|rd|th))\b`,
  'i',
)
const WHEN =
  /\bwhen\b|\b(?:what|which) (?:year|month|date|day|time|week)\b|\bhow (?:long|recently|many (?:weeks|days|months|years))\b/i

/** So much of a text is read for it. */
const READ_CHARACTERS = 2_000

/** Whether one of these messages says when something was. */
export function tellsTime(messages: readonly string[]): boolean {
  return messages.some((message) => TIME.test(message.slice(0, READ_CHARACTERS)))
}

/** Whether a question can only be answered by a time. */
export function asksWhen(question: string): boolean {
  return WHEN.test(question)
}
