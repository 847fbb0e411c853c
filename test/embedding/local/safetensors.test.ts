import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Safetensors } from '../../../src/embedding/local/safetensors.ts'

const folder = mkdtempSync(join(tmpdir(), 'ralph-safetensors-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, header: unknown, data: Uint8Array): string {
  const json = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header))
  const prefix = Buffer.alloc(8)
  prefix.writeBigUInt64LE(BigInt(json.length))
  const path = join(folder, name)
  writeFileSync(path, Buffer.concat([prefix, json, data]))
  return path
}

/** 1, -2, 0.5, 65504 (largest), 2^-24 (smallest), -0 */
const HALVES = new Uint8Array(Uint16Array.of(0x3c00, 0xc000, 0x3800, 0x7bff, 0x0001, 0x8000).buffer)
const HEADER = {
  grid: { dtype: 'F16', shape: [3, 2], data_offsets: [0, 12] },
  __metadata__: { format: 'pt' },
}

describe('Safetensors', () => {
  it('reads half-precision numbers exactly', () => {
    const file = Safetensors.open(write('good', HEADER, HALVES))
    expect(file.matrix('grid')).toEqual({
      rows: 3,
      columns: 2,
      values: Float32Array.of(1, -2, 0.5, 65504, 2 ** -24, -0),
    })
    expect(file.rowReader('grid')(1)).toEqual(Float32Array.of(0.5, 65504))
    file.close()
  })

  it('reads infinities and numbers that are none', () => {
    const data = new Uint8Array(Uint16Array.of(0x7c00, 0xfc00, 0x7e00).buffer)
    const header = { row: { dtype: 'F16', shape: [3], data_offsets: [0, 6] } }
    const file = Safetensors.open(write('special', header, data))
    expect(file.vector('row')).toEqual(
      Float32Array.of(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN),
    )
    file.close()
  })

  it('has a fingerprint that changes with the content', () => {
    const fingerprint = (data: Uint8Array) => {
      const file = Safetensors.open(write('print', HEADER, data))
      const print = file.fingerprint()
      file.close()
      return print
    }
    expect(fingerprint(HALVES)).toBe(fingerprint(HALVES))
    expect(fingerprint(HALVES)).not.toBe(fingerprint(HALVES.with(3, 0)))
  })

  it.each([
    ['an empty file', () => write('empty', '', new Uint8Array()), 0],
    ['a cut header', () => write('cut', HEADER, HALVES), 40],
    ['cut data', () => write('short', HEADER, HALVES), -1],
    ['a header that is no JSON', () => write('text', 'not json at all', HALVES), undefined],
    ['an absurd length', () => write('absurd', HEADER, HALVES), 'absurd'],
  ])('refuses %s', (_, make, change) => {
    const path = make()
    if (change === 'absurd') writeFileSync(path, Buffer.alloc(64, 0xff))
    else if (change === -1) truncateSync(path, 8 + JSON.stringify(HEADER).length + 5)
    else if (typeof change === 'number') truncateSync(path, change)
    expect(() => Safetensors.open(path)).toThrow(
      expect.objectContaining({ code: 'damaged', hint: expect.stringContaining('npm install') }),
    )
  })

  it('says which tensor is missing', () => {
    const file = Safetensors.open(write('other', HEADER, HALVES))
    expect(() => file.matrix('encoder.weight')).toThrow(/encoder\.weight/)
    expect(() => file.rowReader('grid')(3)).toThrow(/grid\[3\]/)
    file.close()
  })
})
