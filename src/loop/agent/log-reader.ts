import { closeSync, openSync, readSync } from 'node:fs'

const CHUNK = 256 * 1024

/** Follows a file that another process appends to. */
export class LogReader {
  readonly #file: number
  readonly #onData: (chunk: Buffer) => void
  readonly #buffer = Buffer.alloc(CHUNK)

  constructor(path: string, onData: (chunk: Buffer) => void) {
    this.#file = openSync(path, 'r')
    this.#onData = onData
  }

  /** Hands on what has been added since the last time. */
  poll(): void {
    let length = this.#read()
    while (length > 0) {
      this.#onData(Buffer.from(this.#buffer.subarray(0, length)))
      length = this.#read()
    }
  }

  close(): void {
    closeSync(this.#file)
  }

  #read(): number {
    return readSync(this.#file, this.#buffer, 0, CHUNK, null)
  }
}
