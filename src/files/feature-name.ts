import { RalphError } from '../errors.ts'
import { withoutSecretIn } from '../text/redact-value.ts'

const MAX_CHARACTERS = 100
/** File systems allow 255 bytes; this leaves room for our own endings. */
const MAX_FILE_NAME = 200
/** Names Windows keeps for devices, whatever their ending. */
const RESERVED = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/

/** The feature's name as it is stored and compared, or an error that says what is wrong with it. */
export function parseFeatureName(input: string): string {
  const name = input.normalize('NFC').trim()
  if (name === '') {
    throw new RalphError('invalid_input', 'the feature name is empty', {
      hint: 'Example: --feature authentication',
    })
  }
  if (/\p{Cc}|\p{Cs}|\p{Zl}|\p{Zp}/u.test(name)) {
    throw new RalphError('invalid_input', 'the feature name contains control characters or broken unicode', {
      hint: 'Use letters, digits, "-" and "_", e.g. authentication',
    })
  }
  const length = [...name].length
  if (length > MAX_CHARACTERS || escapeFeature(name).length > MAX_FILE_NAME) {
    throw new RalphError('invalid_input', `the feature name is too long (${length} characters)`, {
      hint: `Use at most ${MAX_CHARACTERS} characters; put the rest into the feature's description.`,
    })
  }
  if (withoutSecretIn(name) !== name) {
    throw new RalphError('invalid_input', 'the feature name holds a secret: names are shown and stored', {
      hint: 'Example: --feature authentication',
    })
  }
  return name
}

/**
 * A file name that no other feature gets, also on disks that ignore case: lower-case letters, digits, `-` and `_`
 * stay, every other byte (capitals too) becomes `%xx`.
 */
export function escapeFeature(name: string): string {
  const escaped = [...Buffer.from(name, 'utf8')].map((byte) => {
    const character = String.fromCharCode(byte)
    return /[a-z0-9_-]/.test(character) ? character : percent(byte)
  })
  const plain = escaped.join('')
  return RESERVED.test(plain) ? percent(plain.charCodeAt(0)) + plain.slice(1) : plain
}

/** The opposite of `escapeFeature`; undefined when the file name is not one of ours. */
export function unescapeFeature(fileName: string): string | undefined {
  try {
    const name = decodeURIComponent(fileName)
    return escapeFeature(name) === fileName ? name : undefined
  } catch {
    return undefined // not valid percent-encoding, so not a name we gave
  }
}

function percent(byte: number): string {
  return `%${byte.toString(16).padStart(2, '0')}`
}
