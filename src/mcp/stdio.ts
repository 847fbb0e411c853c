import { type PassThrough, Transform, Writable } from 'node:stream'

/** A line longer than this is no request an agent makes; it is dropped and answered, and the connection lives on. */
const LONGEST_LINE = 8_000_000
const PARSE_ERROR = -32_700

export interface Wire {
  input: PassThrough | Transform
  output: Writable
}

/**
 * The protocol's own view of stdin and stdout. Whatever else in this process prints to stdout is sent to stderr: a single
 * stray byte would break the protocol.
 */
export function openWire(): Wire {
  const write = process.stdout.write.bind(process.stdout)
  const output = new Writable({
    decodeStrings: false,
    write(chunk, encoding, done) {
      write(chunk, encoding, done)
    },
  })
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write
  const input = lineGuard((id) => {
    const message = `the line is longer than ${LONGEST_LINE} bytes`
    output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: PARSE_ERROR, message } })}\n`)
  })
  process.stdin.pipe(input)
  return { input, output }
}

/** Passes lines on, but not those beyond the limit. */
function lineGuard(onTooLong: (id: null) => void, longest = LONGEST_LINE): Transform {
  let length = 0
  let held: Buffer[] = []
  let dropping = false
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let rest = chunk
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        const line = rest.subarray(0, end + 1)
        rest = rest.subarray(end + 1)
        if (!dropping && length + line.length <= longest) this.push(Buffer.concat([...held, line]))
        else onTooLong(null)
        held = []
        length = 0
        dropping = false
      }
      length += rest.length
      if (length > longest) {
        dropping = true
        held = []
      } else if (rest.length > 0) {
        held.push(rest)
      }
      done()
    },
  })
}
