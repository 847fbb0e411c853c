/** The one version that needs no script at installation; 1.17.3 and later download theirs. */
export const ONNXRUNTIME_VERSION = '1.17.0'

export interface PackedFile {
  /** With slashes, below the folder it is unpacked to. */
  path: string
  content: Uint8Array
}

/** Files as one piece: the length of the list, the list, then what is in them, one after the other. */
export function archived(files: readonly PackedFile[]): Uint8Array {
  const list = Buffer.from(JSON.stringify(files.map(({ path, content }) => [path, content.length])))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(list.length)
  return Buffer.concat([length, list, ...files.map(({ content }) => content)])
}

export function* unpacked(piece: Buffer): Generator<PackedFile> {
  let at = 4 + piece.readUInt32LE()
  const list: [string, number][] = JSON.parse(piece.toString('utf8', 4, at))
  for (const [path, length] of list) {
    yield { path, content: piece.subarray(at, at + length) }
    at += length
  }
}
