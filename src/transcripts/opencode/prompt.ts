/**
 * A prompt as the person wrote it: `opencode run` puts an argument with spaces into quotation marks, and what came through
 * a pipe behind it on lines of its own.
 */
export function unquoted(text: string): string {
  if (!text.startsWith('"')) return text
  let end = text.indexOf('"', 1)
  while (end > 0 && text[end - 1] === '\\') end = text.indexOf('"', end + 1)
  if (end < 0) return text
  const [argument, piped] = [text.slice(1, end), text.slice(end + 1)]
  const isWhole = piped === '' || piped.startsWith('\n')
  return isWhole && argument.includes(' ') ? argument.replaceAll('\\"', '"') + piped.trimEnd() : text
}
