import { dirname, join } from 'node:path'

/** Held while a loop runs in the project. Beside the cache: cleared under a loop, it would let a second one in. */
export function loopLock(cacheDir: string): string {
  return join(dirname(cacheDir), 'loop.lock')
}
