/** Just enough of the protocol buffer wire format to write an ONNX model. */
export type Bytes = readonly Uint8Array[]

const VARINT = 0
const LENGTH_DELIMITED = 2
const FIXED32 = 5

/** A message is the list of its fields' bytes; large tensors are never copied until the whole is joined. */
export function message(...fields: readonly Bytes[]): Bytes {
  return fields.flat()
}

export function integer(field: number, value: number): Bytes {
  return [varint(field * 8 + VARINT), varint(value)]
}

export function float(field: number, value: number): Bytes {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setFloat32(0, value, true)
  return [varint(field * 8 + FIXED32), bytes]
}

export function textField(field: number, value: string): Bytes {
  return nested(field, [new TextEncoder().encode(value)])
}

export function nested(field: number, content: Bytes): Bytes {
  return [varint(field * 8 + LENGTH_DELIMITED), varint(lengthOf(content)), ...content]
}

export function join(content: Bytes): Uint8Array {
  const joined = new Uint8Array(lengthOf(content))
  let position = 0
  for (const part of content) {
    joined.set(part, position)
    position += part.length
  }
  return joined
}

function lengthOf(content: Bytes): number {
  return content.reduce((sum, part) => sum + part.length, 0)
}

function varint(value: number): Uint8Array {
  // Negative numbers take ten bytes as 64-bit two's complement; BigInt keeps that exact.
  let rest = BigInt.asUintN(64, BigInt(value))
  const bytes: number[] = []
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  bytes.push(Number(rest))
  return Uint8Array.from(bytes)
}
