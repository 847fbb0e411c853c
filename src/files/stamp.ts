import { stat } from 'node:fs/promises'
import { errnoOf, fileError } from '../errors.ts'

export interface Stamp {
  /** Another one when the file has been written or replaced. */
  text: string
  modified: number
}

/** `doing` is for the error: "reading the board". */
export async function stampOf(path: string, doing: string): Promise<Stamp> {
  try {
    const stats = await stat(path, { bigint: true })
    return {
      text: `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`,
      modified: Number(stats.mtimeMs),
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { text: 'absent', modified: 0 }
    throw fileError(error, path, doing)
  }
}
