/**
 * Lets through what is one JSON value a line, and ends with an error at the first line that is none: client libraries
 * pass over such a line, or write it to the terminal.
 */
export function onlyJsonLines(error: () => Error): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder()
  let rest = ''
  const check = (line: string) => {
    if (line.trim() !== '' && !isJson(line)) throw error()
  }
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      lines.forEach(check)
      controller.enqueue(chunk)
    },
    flush() {
      check(rest)
    },
  })
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}
