import { realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { errnoOf } from '../errors.ts'
import { openOwnFile } from './own-files.ts'

/** `bytes`: how many the file has, of which the text may be the beginning. */
export type ProjectText =
  | { kind: 'text'; text: string; bytes: number }
  | { kind: 'missing' }
  /** It is no text. */
  | { kind: 'binary' }
  /** It lies outside of the project once all links are resolved, or cannot be read. */
  | { kind: 'refused' }

/** The first `most` bytes of a text file of the project, by its relative path. */
export async function readProjectText(project: string, path: string, most: number): Promise<ProjectText> {
  try {
    const [root, real] = await Promise.all([realpath(project), realpath(join(project, path))])
    if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) return { kind: 'refused' }
    const file = await openOwnFile(real, 'read')
    try {
      const { size } = await file.stat()
      const { buffer, bytesRead } = await file.read({
        buffer: Buffer.alloc(Math.min(size, most)),
        position: 0,
      })
      const bytes = buffer.subarray(0, bytesRead)
      if (bytes.includes(0)) return { kind: 'binary' }
      // A character that is cut in two is left out.
      const text = new TextDecoder().decode(bytes, { stream: size > most })
      return { kind: 'text', text, bytes: size }
    } finally {
      await file.close()
    }
  } catch (error) {
    const gone = errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR'
    return { kind: gone ? 'missing' : 'refused' }
  }
}
