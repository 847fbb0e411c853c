import { readFileSync, statfsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const MEMORY = '/dev/shm'
/** More than all tests that run at a time have ever kept. */
const ROOM = 4 * 1024 ** 3

/**
 * Where a Linux keeps files in memory, if there is room and programs may be started there: each of some ten thousand writes
 * that we flush to disk would wait for the disk. What a killed process has written is there in either case.
 */
function folderInMemory(): string | undefined {
  if (process.platform !== 'linux' || process.env['TMPDIR']) return undefined
  const mounted = readFileSync('/proc/mounts', 'utf8').split('\n')
  const options = mounted.map((line) => line.split(' ')).find(([, at]) => at === MEMORY)?.[3]
  if (options?.split(',').some((option) => option === 'noexec' || option === 'ro') ?? true) return undefined
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > ROOM && freemem() > ROOM ? MEMORY : undefined
}

const PARENT = folderInMemory() ?? tmpdir()

/** Has something done when what it is for is over. */
export type AtEnd = (undo: () => Promise<void>) => void

/** A folder that is gone after the test, or when the caller's own time has come. */
export async function temporaryFolder(atEnd: AtEnd = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(PARENT, 'ralph-test-'))
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}
