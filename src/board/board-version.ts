import { join } from 'node:path'
import { stampOf } from '../files/stamp.ts'

/** Changes whenever what is said of features and tasks may have; asked by every search, so it loads nothing of the board. */
export async function boardVersion(dir: string): Promise<string> {
  const stamps = await Promise.all(
    ['features.yaml', 'tasks.yaml'].map((name) => stampOf(join(dir, name), 'reading the board')),
  )
  return stamps.map(({ text }) => text).join(' ')
}
