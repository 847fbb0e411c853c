/** Chats of several people are often kept with the name before what was said: "Caroline: I went to …". */
const LABEL = /^\s*(\p{Lu}[\p{L}\p{M}'’.-]{0,39}(?: \p{Lu}[\p{L}\p{M}'’.-]{0,39}){0,2}):\s/u
const WORD = /[\p{L}\p{M}]{2,}/gu

/** Who says these messages, as far as they tell, each once. */
export function speakersOf(messages: readonly string[]): string[] {
  return [...new Set(messages.flatMap((message) => LABEL.exec(message)?.[1] ?? []))]
}

/** What is said, without who says it. */
export function withoutSpeaker(message: string): string {
  return message.replace(LABEL, '')
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
