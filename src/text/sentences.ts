/** Takes an assistant's Markdown apart into plain sentences: without code blocks, bullets, headings, emphasis. */
export function sentencesOf(text: string): string[] {
  return text
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .split(/\n+/)
    .filter((line) => !/^\s*(?:[>|]|#{1,6}\s)/.test(line))
    .map((line) => line.replace(/^\s*(?:[-*+•]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/, '').replace(/\*\*|__/g, ''))
    .flatMap((line) => line.split(SENTENCE_END))
    .map((sentence) => sentence.trim())
    .filter(Boolean)
}

/** A sentence ends before a capital, a quote or a bracket; not inside `v1.2`, `foo.ts` or after `e.g.`. */
export const SENTENCE_END = /(?<=[.!?])(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|no)\.)\s+(?=[A-Z"'`([])/
