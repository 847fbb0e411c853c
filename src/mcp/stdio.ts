import { type PassThrough, Transform, Writable } from 'node:stream'
import { RequestId } from './request-id.ts'

/** A line longer than this is no request an agent makes; it is dropped and answered, and the connection lives on. */
const LONGEST_LINE = 8_000_000
const INVALID_REQUEST = -32_600

/** Sees every line before the protocol does; true for one that it answers itself. */
type TakeLine = (line: Buffer) => boolean

export interface Wire {
  input: PassThrough | Transform
  output: Writable
}

/**
 * The protocol's own view of stdin and stdout. Whatever else in this process prints to stdout is sent to stderr: a single
 * stray byte would break the protocol.
 */
export function openWire(take: TakeLine = () => false): Wire {
  const write = process.stdout.write.bind(process.stdout)
  const output = new Writable({
    decodeStrings: false,
    write(chunk, encoding, done) {
      write(chunk, encoding, done)
    },
  })
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write
  const input = lineGuard({
    take,
    onTooLong: (id) => {
      const message = `the line is longer than ${LONGEST_LINE} bytes`
      output.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message } })}\n`)
    },
  })
  process.stdin.pipe(input)
  return { input, output }
}

interface LineGuard {
  take: TakeLine
  onTooLong: (id: RequestId['value']) => void
}

/** Passes lines on, but not those beyond the limit, nor those that somebody takes. */
function lineGuard({ take, onTooLong }: LineGuard): Transform {
  let length = 0
  let held: Buffer[] = []
  /** Of a line that is being dropped. */
  let dropped: RequestId | undefined
  const hold = (bytes: Buffer) => {
    length += bytes.length
    if (!dropped && length <= LONGEST_LINE) {
      held.push(bytes)
      return
    }
    if (!dropped) {
      dropped = new RequestId()
      for (const earlier of held) dropped.push(earlier)
      held = []
    }
    dropped.push(bytes)
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let rest = chunk
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        hold(rest.subarray(0, end + 1))
        rest = rest.subarray(end + 1)
        const line = Buffer.concat(held)
        if (dropped) onTooLong(dropped.value)
        else if (!take(line)) this.push(line)
        held = []
        length = 0
        dropped = undefined
      }
      if (rest.length > 0) hold(rest)
      done()
    },
  })
}
