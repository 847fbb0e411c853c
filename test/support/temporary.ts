import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Has something done when what it is for is over. */
export type AtEnd = (undo: () => Promise<void>) => void

/** A folder that is gone after the test, or when the caller's own time has come. */
export async function temporaryFolder(atEnd: AtEnd = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ralph-test-'))
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}
