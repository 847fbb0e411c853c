import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errnoOf, fileError } from '../errors.ts'

/** Changes whenever what is said of features and tasks may have; asked by every search, so it loads nothing of the board. */
export async function boardVersion(dir: string): Promise<string> {
  const stamps = await Promise.all(['features.yaml', 'tasks.yaml'].map((name) => stampOf(join(dir, name))))
  return stamps.map(({ text }) => text).join(' ')
}

export async function stampOf(path: string): Promise<{ text: string; modified: number }> {
  try {
    const stats = await stat(path, { bigint: true })
    return {
      text: `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`,
      modified: Number(stats.mtimeMs),
    }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { text: 'absent', modified: 0 }
    throw fileError(error, path, 'reading the board')
  }
}
