/** Vectors of parts of a document, beside the one of the whole. */
export interface PartVectors {
  /** Of what it says in short: its title, its summary. */
  inShort: readonly Float32Array[]
  /** Of pieces from all over it. */
  pieces: readonly Float32Array[]
}

/** A vector in whole numbers, and what 1 stands for: its cosine differs from the true one by some thousandths. */
interface Rounded {
  steps: Int8Array
  step: number
}

const MOST_STEPS = 127
const IN_SHORT = 1
const PIECE = 2
/** What is said in short may fit by chance, and many have the same title: so much the whole has to say. */
const OF_WHOLE = 0.3
/** How many dimensions. */
const HEADER_BYTES = 2
/** Which part it is, and what a step is. */
const PART_BYTES = 5

export function encodeParts({ inShort, pieces }: PartVectors): Uint8Array {
  const parts = [
    ...inShort.map((vector) => ({ kind: IN_SHORT, vector })),
    ...pieces.map((vector) => ({ kind: PIECE, vector })),
  ]
  const dimensions = parts[0]?.vector.length ?? 0
  const encoded = new Uint8Array(HEADER_BYTES + parts.length * (PART_BYTES + dimensions))
  const view = new DataView(encoded.buffer)
  view.setUint16(0, dimensions, true)
  let at = HEADER_BYTES
  for (const { kind, vector } of parts) {
    const { steps, step } = rounded(vector)
    view.setUint8(at, kind)
    view.setFloat32(at + 1, step, true)
    encoded.set(new Uint8Array(steps.buffer), at + PART_BYTES)
    at += PART_BYTES + dimensions
  }
  return encoded
}

/**
 * How near a document is whose whole is that near: most of the way to what it says in short, or halfway to its best piece. A piece
 * by itself says less than it seems, since a long document has many.
 */
export function nearestOf(whole: number, encoded: Uint8Array, question: Float32Array): number {
  const view = new DataView(encoded.buffer, encoded.byteOffset, encoded.byteLength)
  const dimensions = view.getUint16(0, true)
  if (dimensions !== question.length) return whole
  // One view of them all: a search looks at hundreds of parts.
  const steps = new Int8Array(encoded.buffer, encoded.byteOffset, encoded.byteLength)
  let [inShort, piece] = [whole, whole]
  for (let at = HEADER_BYTES; at + PART_BYTES + dimensions <= steps.length; at += PART_BYTES + dimensions) {
    const cosine = view.getFloat32(at + 1, true) * dotAt(steps, at + PART_BYTES, question)
    if (steps[at] === IN_SHORT) inShort = Math.max(inShort, cosine)
    else piece = Math.max(piece, cosine)
  }
  return Math.max((1 - OF_WHOLE) * inShort + OF_WHOLE * whole, (whole + piece) / 2)
}

/** Four sums, since each addition would wait for the one before it. */
function dotAt(steps: Int8Array, from: number, question: Float32Array): number {
  let [first, second, third, fourth] = [0, 0, 0, 0]
  const { length } = question
  const even = length - (length % 4)
  for (let at = 0; at < even; at += 4) {
    first += steps[from + at]! * question[at]!
    second += steps[from + at + 1]! * question[at + 1]!
    third += steps[from + at + 2]! * question[at + 2]!
    fourth += steps[from + at + 3]! * question[at + 3]!
  }
  for (let at = even; at < length; at++) first += steps[from + at]! * question[at]!
  return first + second + third + fourth
}

function rounded(vector: Float32Array): Rounded {
  let squares = 0
  let highest = 0
  for (let at = 0; at < vector.length; at++) {
    squares += vector[at]! * vector[at]!
    highest = Math.max(highest, Math.abs(vector[at]!))
  }
  if (highest === 0) return { steps: new Int8Array(vector.length), step: 0 }
  const step = highest / MOST_STEPS
  return { steps: Int8Array.from(vector, (one) => Math.round(one / step)), step: step / Math.sqrt(squares) }
}
