import { appendFile, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  chunksOf,
  fingerprintBefore,
  type Line,
  type LineOptions,
  linesOf,
  textLinesOf,
} from '../../src/files/lines.ts'
import fc from '../support/fast-check.ts'
import { temporaryFolder } from '../support/temporary.ts'

async function* each(chunks: Iterable<string | Uint8Array>) {
  yield* chunks
}
async function split(chunks: Iterable<string | Uint8Array>, options: LineOptions = {}): Promise<Line[]> {
  const lines: Line[] = []
  for await (const line of linesOf(each(chunks), options)) lines.push(line)
  return lines
}
const texts = (lines: readonly Line[]) => lines.map(({ text }) => text)

describe('lines', () => {
  it('end at a line feed and at nothing else', async () => {
    const text = 'a\u2028b\u2029c\u0085d\re\vf\fg'
    expect(texts(await split([`${text}\n${text}`]))).toEqual([text, text])
  })

  it('come with their places; the last one may be unfinished', async () => {
    expect(await split(['ä\n', '\n', 'cd'], { from: 100 })).toEqual([
      { text: 'ä', offset: 100, next: 103, complete: true },
      { text: '', offset: 103, next: 104, complete: true },
      { text: 'cd', offset: 104, next: 106, complete: false },
    ])
  })

  it('lose a byte order mark at the beginning of a file only', async () => {
    expect(texts(await split(['\uFEFFa\n\uFEFFb\n']))).toEqual(['a', '\uFEFFb'])
  })

  it('are the same in whatever portions the bytes come', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.array(fc.nat(60)), async (text, cuts) => {
        const bytes = Buffer.from(text.replaceAll('x', '\n'))
        const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b)]
        const pieces = places.map((place, index) => bytes.subarray(place, places[index + 1]))
        expect(await split(pieces)).toEqual(await split([bytes]))
      }),
    )
  })

  it('that are too long are told by their place, and take no memory', async () => {
    const lines = await split(['ab\n', 'x'.repeat(7), 'x'.repeat(7), '\ncd\n'], { longest: 10 })
    expect(lines).toEqual([
      { text: 'ab', offset: 0, next: 3, complete: true },
      { text: undefined, offset: 3, next: 18, complete: true },
      { text: 'cd', offset: 18, next: 21, complete: true },
    ])
  })

  it('stop when their reader is cancelled', async () => {
    await expect(split(['a\n'], { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('of a file can be read from the middle on, up to a place', async () => {
    const path = join(await temporaryFolder(), 'file')
    const long = 'y'.repeat(600_000)
    await writeFile(path, `one\n${long}\nthree\n`)
    const file = await open(path)
    const read: string[] = []
    for await (const text of textLinesOf(chunksOf(file, 4, 600_008))) read.push(text)
    await file.close()
    expect(read).toEqual([long, 'thr'])
  })
})

it('a fingerprint tells a file that has grown from one that was written anew', async () => {
  const path = join(await temporaryFolder(), 'file')
  const fingerprint = async (offset: number) => {
    const file = await open(path)
    try {
      return fingerprintBefore(file.fd, offset)
    } finally {
      await file.close()
    }
  }
  await writeFile(path, 'a'.repeat(3_000))
  const before = await fingerprint(3_000)
  await appendFile(path, 'more')
  expect(await fingerprint(3_000)).toBe(before)
  await writeFile(path, `${'a'.repeat(2_990)}${'b'.repeat(20)}`)
  expect(await fingerprint(3_000)).not.toBe(before)
})
