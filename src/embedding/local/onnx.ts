import { type Bytes, float, integer, join, message, nested, textField } from './protobuf.ts'

/** Operators that only onnxruntime knows, fused for speed. */
export const CONTRIB = 'com.microsoft'

const IR_VERSION = 8
const OPSET = 17
const CONTRIB_OPSET = 1

const ELEMENT = { float: 1, int8: 3 } as const
/** Where a constant's values are, if not in the model. */
const BESIDES = 1
const ATTRIBUTE = { float: 1, integer: 2, integers: 7 } as const

export type Attribute = { float: number } | { integer: number } | { integers: readonly number[] }

export interface NodeOptions {
  attributes?: Readonly<Record<string, Attribute>>
  domain?: string
}

/**
 * Collects nodes and constants, then writes them as an ONNX model. Values are referred to by name. Given the name of a
 * file that will lie beside the model, the matrices are left to that file.
 */
export class OnnxGraph {
  readonly #nodes: Bytes[] = []
  readonly #constants: Bytes[] = []
  readonly #matricesFile: string | undefined
  readonly #matrices: Uint8Array[] = []
  #matricesLength = 0

  constructor(matricesFile?: string) {
    this.#matricesFile = matricesFile
  }

  /** Adds an operator and returns the names of its outputs. */
  node(
    operator: string,
    inputs: readonly string[],
    outputs: readonly string[],
    { attributes = {}, domain = '' }: NodeOptions = {},
  ): void {
    this.#nodes.push(
      message(
        ...inputs.map((name) => textField(1, name)),
        ...outputs.map((name) => textField(2, name)),
        textField(4, operator),
        ...Object.entries(attributes).map(([name, value]) => nested(5, attribute(name, value))),
        textField(7, domain),
      ),
    )
  }

  constant(name: string, shape: readonly number[], values: Float32Array | Int8Array): string {
    const type = values instanceof Int8Array ? ELEMENT.int8 : ELEMENT.float
    const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
    this.#constants.push(
      message(
        ...shape.map((length) => integer(1, length)),
        integer(2, type),
        textField(8, name),
        ...(this.#matricesFile !== undefined && shape.length > 1
          ? this.#besides(raw, this.#matricesFile)
          : [nested(9, [raw])]),
      ),
    )
    return name
  }

  /** What the file beside the model holds. */
  matrices(): Uint8Array {
    return join(this.#matrices)
  }

  #besides(raw: Uint8Array, file: string): Bytes[] {
    const place = { location: file, offset: String(this.#matricesLength), length: String(raw.length) }
    this.#matrices.push(raw)
    this.#matricesLength += raw.length
    const entries = Object.entries(place)
    return [
      ...entries.map(([key, value]) => nested(13, message(textField(1, key), textField(2, value)))),
      integer(14, BESIDES),
    ]
  }

  /** A dimension given by name is free. */
  model(input: ValueShape, outputs: readonly ValueShape[]): Uint8Array {
    const graph = message(
      ...this.#nodes.map((node) => nested(1, node)),
      textField(2, 'encoder'),
      ...this.#constants.map((constant) => nested(5, constant)),
      nested(11, floatValue(input)),
      ...outputs.map((output) => nested(12, floatValue(output))),
    )
    const opset = (domain: string, version: number) =>
      nested(8, message(textField(1, domain), integer(2, version)))
    return join(
      message(integer(1, IR_VERSION), nested(7, graph), opset('', OPSET), opset(CONTRIB, CONTRIB_OPSET)),
    )
  }
}

export interface ValueShape {
  name: string
  shape: readonly (number | string)[]
}

function floatValue({ name, shape }: ValueShape): Bytes {
  const dimensions = shape.map((length) =>
    nested(1, typeof length === 'number' ? integer(1, length) : textField(2, length)),
  )
  const tensor = message(integer(1, ELEMENT.float), nested(2, message(...dimensions)))
  return message(textField(1, name), nested(2, nested(1, tensor)))
}

function attribute(name: string, value: Attribute): Bytes {
  if ('float' in value)
    return message(textField(1, name), float(2, value.float), integer(20, ATTRIBUTE.float))
  if ('integer' in value)
    return message(textField(1, name), integer(3, value.integer), integer(20, ATTRIBUTE.integer))
  return message(
    textField(1, name),
    ...value.integers.map((item) => integer(8, item)),
    integer(20, ATTRIBUTE.integers),
  )
}
