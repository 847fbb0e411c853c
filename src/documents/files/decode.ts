/** Bytes of a file → its text, whatever it is written in; undefined when it is no text. */
export function decoded(bytes: Buffer): string | undefined {
  const text = decodedAs(bytes, encodingOf(bytes))
  return text === undefined ? undefined : text.replace(/\r\n?/g, '\n').replace(OTHER_BREAKS, ' ')
}

/** They would count as lines in one place and not in another; only line feeds do everywhere. */
const OTHER_BREAKS = /[\v\f\x85\u2028\u2029]/g

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'unmarked'

function encodingOf(bytes: Buffer): Encoding {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return sixteenBits(bytes) ?? 'unmarked'
}

/** How much is looked at to tell what a file is. */
const LOOKED_AT = 8_192
/** Of the bytes on one side, where plain letters have their empty half. */
const MOSTLY = 0.4

/** Text of Windows programs without a mark: every other byte of what is written in Latin letters is empty. */
function sixteenBits(bytes: Buffer): Encoding | undefined {
  const looked = bytes.subarray(0, LOOKED_AT)
  const pairs = Math.floor(looked.length / 2)
  if (pairs < 2) return undefined
  const empty = [0, 0]
  for (let at = 0; at < pairs * 2; at++) if (looked[at] === 0) empty[at % 2]!++
  if (empty[1]! > MOSTLY * pairs && empty[0]! === 0) return 'utf-16le'
  if (empty[0]! > MOSTLY * pairs && empty[1]! === 0) return 'utf-16be'
  return undefined
}

function decodedAs(bytes: Buffer, encoding: Encoding): string | undefined {
  if (encoding !== 'unmarked') {
    const text = new TextDecoder(encoding).decode(bytes)
    return isText(text) ? text : undefined
  }
  if (bytes.subarray(0, LOOKED_AT).includes(0)) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return isText(text) ? text : undefined
  } catch {
    // Not UTF-8: one of the old encodings, of which this is by far the most used, or no text at all.
    const text = new TextDecoder('windows-1252').decode(bytes)
    return isText(text) ? text : undefined
  }
}

/** Control characters that no text has, but for escapes of a terminal's colours. */
const CONTROLS = /[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f\ufffd]/g
const MOST_CONTROLS = 0.02

function isText(text: string): boolean {
  const looked = text.slice(0, LOOKED_AT)
  const controls = looked.match(CONTROLS)?.length ?? 0
  return controls <= MOST_CONTROLS * looked.length
}
