import { join } from 'node:path'

/** Held while a loop runs in the project. */
export function loopLock(cacheDir: string): string {
  return join(cacheDir, 'locks', 'loop.lock')
}
