const NAME = String.raw`(\p{Lu}[\p{L}\p{M}'’.-]{0,39}(?: \p{Lu}[\p{L}\p{M}'’.-]{0,39}){0,2})`
/** "[8 May 2023, 10:30]", "(Monday)", "10:30 -" */
const TIME = String.raw`(?:[[(][^[\]()\n]{1,40}[\])]|[\d][\d:/.,T -]{3,24}(?:[ap]m)?(?: [-–])?)`
/**
 * Chats of several people are often kept with the name before what was said, and sometimes the time before that: "Caroline: I went to …",
 * "[8 May, 10:30] Caroline: …", "**Caroline**: …", "[Caroline] …", "Caroline said, …".
 */
const LABEL = new RegExp(
  String.raw`^\s*(?:${TIME}\s+)?(?:${[
    `${NAME}(?: ${TIME})?:`,
    String.raw`\*\*${NAME}(?::\*\*|\*\*:?)`,
    String.raw`[[<]${NAME}[\]>]:?`,
    `${NAME} (?:said|says|wrote|asked|answered|replied)[,:]`,
  ].join('|')})\s`,
  'u',
)
const WORD = /[\p{L}\p{M}]{2,}/gu

/** Who says these messages, as far as they tell, each once. */
export function speakersOf(messages: readonly string[]): string[] {
  return [...new Set(messages.flatMap((message) => LABEL.exec(message)?.slice(1).find(Boolean) ?? []))]
}

/** What is said, without who says it. */
export function withoutSpeaker(message: string): string {
  return message.replace(LABEL, '')
}

const STAMP = new RegExp(String.raw`^\s*${TIME}\s+`, 'u')

/** What is said and by whom, without the time before it, which says nothing of what is meant. */
export function withoutTime(message: string): string {
  return LABEL.test(message) ? message.replace(STAMP, '') : message
}

/** The one of the speakers whose name is in the question; undefined when it names none, or several. */
export function namedSpeaker(question: string, speakers: Iterable<string>): string | undefined {
  const asked = new Set(wordsOf(question))
  const named = [...new Set(speakers)].filter((speaker) => wordsOf(speaker).some((word) => asked.has(word)))
  return named.length === 1 ? named[0] : undefined
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? []
}
