import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Makes the folder, with as much of a repository as makes it a checkout on that branch. */
export function makeCheckout(folder: string, branch = 'main'): void {
  mkdirSync(join(folder, '.git'), { recursive: true })
  writeFileSync(join(folder, '.git', 'HEAD'), `ref: refs/heads/${branch}\n`)
}
