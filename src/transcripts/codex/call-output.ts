import { asArray, asNumber, asObject, asString, objects, parseObject } from '../../text/json.ts'
import type { CallOutcome } from '../call-outcome.ts'
import type { CallResult } from '../events.ts'

/** The frame around what a command printed: lines like these, and then `Output:`. */
const FRAME =
  /^(?:(?:Chunk ID|Wall time|Exit code|Original token count|Total output lines|Process|Warning)\b[^\n]*\n){1,8}Output:\n?/
/** How the program says, without a frame, that a call came to nothing. */
const COMPLAINT =
  /^(?:apply_patch verification failed|patch rejected|unsupported (?:custom )?(?:tool )?call|failed to |(?:\w+ )?(?:rejected|blocked|failed)\b|tool call (?:error|failed|blocked)|command (?:rejected|blocked)|execution error|error\b|err:|invalid |unknown )/i
const ABORTED = /^(?:Wall time: [^\n]*\n)?aborted by user/

/** What the model got to read of a call, which is all that some versions keep of it. */
export type CallOutput =
  | { state: 'ended'; result: CallResult }
  /** It goes on in the background, under this number. */
  | { state: 'running'; session: string; text: string }
  /** A person stopped it. */
  | { state: 'aborted' }

export function readOutput(output: unknown): CallOutput {
  const text = outputText(output)
  if (ABORTED.test(text)) return { state: 'aborted' }
  const frame = FRAME.exec(text)?.[0]
  if (frame === undefined) return { state: 'ended', result: unframed(text) }
  const printed = text.slice(frame.length).replaceAll('\r\n', '\n')
  const session = /^Process running with session ID (\w+)$/m.exec(frame)?.[1]
  if (session !== undefined) return { state: 'running', session, text: printed }
  const code = /^(?:Process exited with code|Exit code:) (-?\d+)$/m.exec(frame)?.[1]
  return { state: 'ended', result: resultOf(printed, code === undefined ? undefined : Number(code)) }
}

function unframed(text: string): CallResult {
  const metadata = text.startsWith('{') ? parseObject(text) : undefined
  const exitCode = asNumber(asObject(metadata?.['metadata'])?.['exit_code'])
  if (exitCode !== undefined) return resultOf(asString(metadata?.['output']) ?? '', exitCode)
  return { isError: COMPLAINT.test(text), text, structured: undefined }
}

function resultOf(text: string, exitCode: number | undefined): CallResult {
  const structured: CallOutcome = { exitCode }
  return { isError: (exitCode ?? 0) !== 0, text, structured }
}

/** A text, a list of parts, or an object around one of them. */
export function outputText(output: unknown): string {
  if (typeof output === 'string') return output
  if (Array.isArray(output))
    return objects(asArray(output))
      .map((part) => asString(part['text']) ?? '')
      .join('\n')
  return asString(asObject(output)?.['content']) ?? ''
}
