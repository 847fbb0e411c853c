import { existsSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { RalphError } from '../errors.ts'
import { withFileLock } from '../files/file-lock.ts'
import { writeOwnFile } from '../files/own-files.ts'
import { makePrivateFolder } from '../files/private-folder.ts'
import { removeFolder } from '../files/remove-folder.ts'
import { version } from '../version.ts'
import { type DemoOptions, makeSample, type Sample, sampleIn } from './demo.ts'

export interface KeptSampleOptions extends Omit<DemoOptions, 'folder'> {
  /** Default: a folder of this user among the temporary ones. */
  folder?: string
  make?: (options: DemoOptions) => Promise<Sample>
}

/**
 * The sample project for whoever wants to look around. Made by the first call, which takes some seconds, and used again by
 * the next ones with all that was decided in it; another version of ours makes its own.
 */
export async function keptSample({
  folder = usualFolder(),
  make = makeSample,
  ...options
}: KeptSampleOptions): Promise<Sample> {
  makePrivateFolder(folder)
  const complete = join(folder, `complete-${version}`)
  return withFileLock(join(folder, 'making.lock'), async () => {
    if (existsSync(complete)) return sampleIn(folder)
    // What was cut off while it was made, or made by another version.
    const { project, home } = sampleIn(folder)
    for (const path of [project, home]) await clear(path)
    const sample = await make({ ...options, folder })
    if (!options.signal?.aborted) writeOwnFile(complete, '')
    return sample
  })
}

async function clear(path: string): Promise<void> {
  const [held] = await removeFolder(path)
  if (held === undefined) return
  throw new RalphError('conflict', `another program is using the sample of another version: ${held}`, {
    hint: 'End the dashboard that shows it, and try again.',
  })
}

/** Named after the user: on a machine of many, each has one. */
function usualFolder(): string {
  const { uid, username } = userInfo()
  return join(tmpdir(), `ralph-sample-${uid === -1 ? username : uid}`)
}
