import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../../src/errors.ts'
import { runMixed } from '../core/mixed.ts'
import type { Random } from '../core/random.ts'
import { skipped, type Trial } from '../core/trial.ts'

const SIZE_MB = 48

/** A disk of its own, small enough to be filled, again and again, under those who write. */
export const fullDisk: Trial = {
  name: 'full-disk',
  what: 'a disk that fills up and is freed again under those who write',
  share: 4,
  run: async (context) => {
    const disk = join(context.folder, 'disk')
    mkdirSync(disk)
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m`, 'tmpfs', disk], { stdio: 'pipe' })
    } catch (error) {
      return skipped(fullDisk, `no disk of its own can be mounted here (${messageOf(error).split('\n')[0]})`)
    }
    try {
      const result = await runMixed(
        fullDisk,
        { ...context, folder: disk },
        {
          paths: ['record', 'learnings', 'board', 'knowledge', 'conversations'],
          mayRefuse: true,
          beside: (_, signal) => fillAndFree(disk, context.random, signal),
        },
      )
      const failures = result.refused === 0 ? ['the disk was never full enough to refuse anything'] : []
      return { ...result, failures: [...result.failures, ...failures] }
    } finally {
      execFileSync('umount', ['-l', disk])
    }
  },
}

/** Leaves some bytes, sometimes not even one, then makes room again. */
async function fillAndFree(disk: string, random: Random, signal: AbortSignal): Promise<void> {
  const filler = join(disk, 'filler')
  while (!signal.aborted) {
    await sleep(random.between(100, 700))
    const { bavail, bsize } = statfsSync(disk)
    try {
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - random.between(0, 40) * 1024)))
      await sleep(random.between(50, 500))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error // others were faster: full it is
      await sleep(random.between(50, 500))
    } finally {
      rmSync(filler, { force: true })
    }
  }
}
