import { join } from 'node:path'
import { stampNow } from '../files/stamp.ts'

/** Changes whenever what is said of features and tasks may have; asked by every search and every hook, so it loads nothing of the board. */
export function boardVersion(dir: string): string {
  return ['features.yaml', 'tasks.yaml']
    .map((name) => stampNow(join(dir, name), 'reading the board').text)
    .join(' ')
}
