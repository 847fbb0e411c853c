import { type BigIntStats, statSync } from 'node:fs'
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
    return stampFrom(await stat(path, { bigint: true }))
  } catch (error) {
    return absent(error, path, doing)
  }
}

/** The same for whoever cannot wait. */
export function stampNow(path: string, doing: string): Stamp {
  try {
    return stampFrom(statSync(path, { bigint: true }))
  } catch (error) {
    return absent(error, path, doing)
  }
}

function stampFrom({ ino, size, mtimeNs, ctimeNs, mtimeMs }: BigIntStats): Stamp {
  return { text: `${ino}:${size}:${mtimeNs}:${ctimeNs}`, modified: Number(mtimeMs) }
}

function absent(error: unknown, path: string, doing: string): Stamp {
  if (errnoOf(error) === 'ENOENT') return { text: 'absent', modified: 0 }
  throw fileError(error, path, doing)
}
