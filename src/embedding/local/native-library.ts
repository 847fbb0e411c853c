/** The part of onnxruntime's native library that we use. */
export interface OnnxLibrary {
  version: string
  InferenceSession: new () => NativeSession
}

export interface NativeSession {
  loadModel(bytes: ArrayBufferLike, offset: number, length: number, options: object): void
  loadModel(path: string, options: object): void
  /** Answers what is named in `fetches`. */
  run(
    feeds: { tokens: Tensor },
    fetches: { readonly [output: string]: null },
    options: object,
  ): { [output: string]: Tensor | undefined }
  dispose(): void
}

export interface Tensor {
  type: 'float32'
  data: Float32Array
  dims: readonly number[]
  location: 'cpu'
}

/**
 * From the folder of the package. Without the JavaScript around it, which offers the same as in browsers and takes as long to
 * load as the library itself: 12 ms of a cold search.
 */
export function openLibrary(require: NodeJS.Require, folder: string): OnnxLibrary {
  const { InferenceSession } = require(`${folder}/dist/binding.js`).binding
  return { InferenceSession, version: require(`${folder}/dist/version.js`).version }
}
