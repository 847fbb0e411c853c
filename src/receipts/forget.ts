import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errnoOf, fileError } from '../errors.ts'
import { writeFileAtomically } from '../files/atomic-write.ts'
import { readOwnFile } from '../files/own-files.ts'
import { segmentNames } from './segments.ts'

export interface ForgottenRuns {
  isForgotten: (run: string) => boolean
  /** All of its receipts go, whatever run they belong to. */
  feature?: string | undefined
}

/** Removes what was shown to runs that are to be forgotten, and how they ended. Returns the runs it was shown to. */
export async function forgetReceipts(folder: string, wanted: ForgottenRuns): Promise<Set<string>> {
  const segments = await linesOfSegments(folder)
  const runs = new Set<string>()
  for (const { lines } of segments) {
    for (const line of lines) {
      const { run, feature } = aboutLine(line)
      if (run === undefined) continue
      if (wanted.isForgotten(run) || (feature !== undefined && feature === wanted.feature)) runs.add(run)
    }
  }
  if (runs.size === 0) return runs
  for (const { path, lines } of segments) {
    // One session may have worked on several features: what it was told of others stays.
    const kept = lines.filter((line) => {
      const { run, feature } = aboutLine(line)
      if (run === undefined || !runs.has(run)) return true
      return !wanted.isForgotten(run) && feature !== undefined && feature !== wanted.feature
    })
    if (kept.length === 0) await rm(path, { force: true })
    else if (kept.length < lines.length)
      await writeFileAtomically(path, kept.map((line) => `\n${line}\n`).join(''), { mode: 0o600 })
  }
  return runs
}

async function linesOfSegments(folder: string): Promise<{ path: string; lines: string[] }[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return []
    throw fileError(error, folder, 'forgetting receipts')
  })
  return segmentNames(names).map((name) => {
    const path = join(folder, name)
    return { path, lines: readOwnFile(path).toString('utf8').split('\n').filter(Boolean) }
  })
}

function aboutLine(line: string): { run?: string; feature?: string } {
  try {
    const { receipt, ending } = JSON.parse(line)
    return receipt ?? ending ?? {}
  } catch {
    return {} // cut short by a crash: nothing is known of it
  }
}
