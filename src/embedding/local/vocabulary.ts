import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { RalphError } from '../../errors.ts'
import { reinstallAdvice } from '../../installation.ts'
import { checkedCache } from './checked-cache.ts'

/** The number of a token, if it is one. */
export type Vocabulary = (token: string) => number | undefined

export interface VocabularyOptions {
  /** The model's tokenizer.json. */
  path: string
  cacheDir: string
}

const VERSION = 1
const COUNT_BYTES = 4
const PLACE_BYTES = 8
/** Whoever embeds thousands of texts meets the same words again; few enough to weigh nothing. */
const MOST_KNOWN = 20_000

/**
 * Reading 30,000 tokens from JSON takes 15 ms, on every cold search, which looks up ten. So they are kept as a table, sorted by
 * their bytes, in which each is found by halving.
 */
export async function loadVocabulary({ path, cacheDir }: VocabularyOptions): Promise<Vocabulary> {
  const source = readSource(path)
  const name = `vocabulary-${VERSION}-${crc32(source).toString(16).padStart(8, '0')}.bin`
  // The graph is kept in the same folder: if that is the trouble, it says so.
  const table = await checkedCache(
    join(cacheDir, name),
    () => sortedTable(source, path),
    () => undefined,
  )
  return lookUp(table)
}

function readSource(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw unreadable(path, error)
  }
}

/** How many there are; of each its number and where it ends; the tokens themselves. */
function sortedTable(source: Buffer, path: string): Uint8Array {
  const tokens = parsed(source, path)
    .map(([token, number]) => ({ bytes: Buffer.from(token), number }))
    .sort((a, b) => a.bytes.compare(b.bytes))
  const places = Buffer.alloc(COUNT_BYTES + tokens.length * PLACE_BYTES)
  places.writeUInt32LE(tokens.length)
  let end = 0
  for (const [at, { bytes, number }] of tokens.entries()) {
    end += bytes.length
    places.writeUInt32LE(number, COUNT_BYTES + at * PLACE_BYTES)
    places.writeUInt32LE(end, COUNT_BYTES + at * PLACE_BYTES + 4)
  }
  return Buffer.concat([places, ...tokens.map(({ bytes }) => bytes)])
}

function parsed(source: Buffer, path: string): [string, number][] {
  try {
    const tokens = Object.entries<unknown>(JSON.parse(source.toString('utf8')).model.vocab)
    if (tokens.every((entry): entry is [string, number] => typeof entry[1] === 'number')) return tokens
    throw new Error('a token has no number')
  } catch (error) {
    throw unreadable(path, error)
  }
}

function lookUp(table: Uint8Array): Vocabulary {
  const bytes = Buffer.from(table.buffer, table.byteOffset, table.byteLength)
  const count = bytes.readUInt32LE(0)
  const numberAt = (at: number) => bytes.readUInt32LE(COUNT_BYTES + at * PLACE_BYTES)
  const texts = COUNT_BYTES + count * PLACE_BYTES
  const endOf = (at: number) => texts + (at < 0 ? 0 : bytes.readUInt32LE(COUNT_BYTES + at * PLACE_BYTES + 4))
  const find = (token: string) => {
    const wanted = Buffer.from(token)
    let [low, high] = [0, count]
    while (low < high) {
      const middle = (low + high) >> 1
      const order = bytes.compare(wanted, 0, wanted.length, endOf(middle - 1), endOf(middle))
      if (order === 0) return numberAt(middle)
      if (order < 0) low = middle + 1
      else high = middle
    }
    return undefined
  }
  const known = new Map<string, number | undefined>()
  return (token) => {
    if (!known.has(token)) {
      if (known.size >= MOST_KNOWN) known.clear()
      known.set(token, find(token))
    }
    return known.get(token)
  }
}

export function unreadable(path: string, cause: unknown): RalphError {
  return new RalphError('damaged', `the tokenizer file ${path} cannot be read`, {
    hint: reinstallAdvice(),
    cause,
  })
}
