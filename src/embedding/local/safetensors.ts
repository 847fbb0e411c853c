import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { RalphError } from '../../errors.ts'
import { reinstallAdvice } from '../../installation.ts'

/** Any sane header is far smaller; a damaged length must not make us allocate gigabytes. */
const LONGEST_HEADER = 16 * 1024 * 1024
const SAMPLES = 64
const SAMPLE_BYTES = 4096

interface TensorPlace {
  shape: readonly number[]
  /** Byte offset in the file. */
  start: number
  elements: number
}

export interface Matrix {
  rows: number
  columns: number
  /** Row by row. */
  values: Float32Array
}

/** Reads half-precision tensors out of a safetensors file, one at a time, without loading the rest of it. */
export class Safetensors {
  readonly path: string
  readonly size: number
  readonly #file: number
  readonly #places: ReadonlyMap<string, TensorPlace>

  private constructor(path: string, size: number, file: number, places: ReadonlyMap<string, TensorPlace>) {
    this.path = path
    this.size = size
    this.#file = file
    this.#places = places
  }

  static open(path: string): Safetensors {
    const file = openSync(path, 'r')
    try {
      const { size } = fstatSync(file)
      return new Safetensors(path, size, file, readHeader(file, size, path))
    } catch (error) {
      closeSync(file)
      throw error
    }
  }

  matrix(name: string): Matrix {
    const { shape, start, elements } = this.#place(name)
    const [rows, columns] = shape
    if (rows === undefined || columns === undefined || shape.length !== 2) throw damaged(this.path, name)
    return { rows, columns, values: halvesToFloats(this.#read(start, elements * 2)) }
  }

  vector(name: string): Float32Array {
    const { start, elements } = this.#place(name)
    return halvesToFloats(this.#read(start, elements * 2))
  }

  /** Changes when the weights do, read from samples all over the file: hashing all of it takes longer than a query. */
  fingerprint(): string {
    const hash = createHash('sha256').update(String(this.size))
    const last = Math.max(0, this.size - SAMPLE_BYTES)
    for (let sample = 0; sample < SAMPLES; sample++) {
      const start = Math.floor((last * sample) / (SAMPLES - 1))
      hash.update(this.#read(start, Math.min(SAMPLE_BYTES, this.size)))
    }
    return hash.digest('hex').slice(0, 12)
  }

  /** A function that fetches single rows of a large matrix, so that the matrix itself never sits in memory. */
  rowReader(name: string): (row: number) => Float32Array {
    const { shape, start } = this.#place(name)
    const [rows, columns] = shape
    if (rows === undefined || columns === undefined) throw damaged(this.path, name)
    return (row) => {
      if (row < 0 || row >= rows) throw damaged(this.path, `${name}[${row}]`)
      return halvesToFloats(this.#read(start + row * columns * 2, columns * 2))
    }
  }

  close(): void {
    closeSync(this.#file)
  }

  #place(name: string): TensorPlace {
    const place = this.#places.get(name)
    if (!place) throw damaged(this.path, name)
    return place
  }

  #read(start: number, length: number): Uint8Array {
    return readExactly(this.#file, start, length, this.path)
  }
}

function readHeader(file: number, size: number, path: string): Map<string, TensorPlace> {
  const prefix = readExactly(file, 0, 8, path)
  const headerLength = Number(new DataView(prefix.buffer).getBigUint64(0, true))
  if (headerLength > LONGEST_HEADER || 8 + headerLength > size) throw damaged(path, 'header')
  const places = new Map<string, TensorPlace>()
  for (const [name, entry] of Object.entries(parseHeader(readExactly(file, 8, headerLength, path), path))) {
    if (entry?.dtype !== 'F16' || !Array.isArray(entry.shape) || !Array.isArray(entry.data_offsets)) continue
    const [start, end] = entry.data_offsets.map((offset) => 8 + headerLength + offset)
    const elements = entry.shape.reduce((product, length) => product * length, 1)
    if (start === undefined || end === undefined || end - start !== elements * 2 || end > size)
      throw damaged(path, name)
    places.set(name, { shape: entry.shape, start, elements })
  }
  return places
}

interface HeaderEntry {
  dtype?: string
  shape?: number[]
  data_offsets?: number[]
}

function parseHeader(bytes: Uint8Array, path: string): Record<string, HeaderEntry | null> {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch (error) {
    throw damaged(path, 'header', error)
  }
}

function readExactly(file: number, start: number, length: number, path: string): Uint8Array {
  const bytes = new Uint8Array(length)
  let done = 0
  while (done < length) {
    const count = readSync(file, bytes, done, length - done, start + done)
    if (count === 0) throw damaged(path, `byte ${start + done}`)
    done += count
  }
  return bytes
}

function damaged(path: string, where: string, cause?: unknown): RalphError {
  return new RalphError('damaged', `the embedding model file ${path} is damaged at ${where}`, {
    hint: reinstallAdvice(),
    cause,
  })
}

function halvesToFloats(bytes: Uint8Array): Float32Array {
  const halves = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2)
  const bits = new Uint32Array(halves.length)
  for (let index = 0; index < halves.length; index++) bits[index] = halfToFloatBits(halves[index]!)
  return new Float32Array(bits.buffer)
}

/** IEEE 754 binary16 to the bits of binary32. (`Float16Array` needs a newer Node than we promise.) */
function halfToFloatBits(half: number): number {
  const sign = (half & 0x8000) << 16
  const exponent = (half >> 10) & 0x1f
  let fraction = half & 0x3ff
  if (exponent === 0x1f) return sign | 0x7f800000 | (fraction << 13)
  if (exponent !== 0) return sign | ((exponent + 112) << 23) | (fraction << 13)
  if (fraction === 0) return sign
  // Subnormal: shift up to the implicit leading one.
  let shift = 0
  while ((fraction & 0x400) === 0) {
    fraction <<= 1
    shift++
  }
  return sign | ((113 - shift) << 23) | ((fraction & 0x3ff) << 13)
}
