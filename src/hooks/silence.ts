import { statSync } from 'node:fs'
import { join } from 'node:path'
import { makeOwnFolder, readOwnFile, writeOwnFile } from '../files/own-files.ts'
import { placeInProject } from '../files/project-path.ts'
import { asNumber, asString, parseObject } from '../text/json.ts'

/**
 * `late`: the time was over. `failed`: something went wrong. `unreached`: the server that should answer was not there. A session
 * is not told of it; whoever asks is.
 */
type SilenceReason = 'late' | 'failed' | 'unreached'

const DAYS = 7
const LONGEST = 100_000

/** Notes that a hook had to leave without an answer, or many. Never throws: it is on its way out. */
export function noteSilence(
  home: string,
  cwd: string,
  event: string,
  reason: SilenceReason,
  times = 1,
): void {
  try {
    const path = silencePath(home)
    makeOwnFolder(join(path, '..'))
    const line = `${JSON.stringify({ at: new Date().toISOString(), event, reason, cwd, ...(times > 1 && { times }) })}\n`
    const full = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LONGEST
    writeOwnFile(path, line, { access: full ? 'replace' : 'append', mode: 0o600 })
  } catch {
    // Nobody is there to be told.
  }
}

/** How often hooks were silent in this project in the last days, and why. */
export function countSilences({ home, project }: { home: string; project: string }): {
  days: number
  late: number
  failed: number
  unreached: number
} {
  const since = new Date(Date.now() - DAYS * 86_400_000).toISOString()
  const count = { days: DAYS, late: 0, failed: 0, unreached: 0 }
  for (const line of readLines(silencePath(home))) {
    const { at, reason, cwd, times } = parseObject(line) ?? {}
    if ((asString(at) ?? '') < since || placeInProject(asString(cwd) ?? '', project) === undefined) continue
    if (reason === 'late' || reason === 'failed' || reason === 'unreached')
      count[reason] += asNumber(times) ?? 1
  }
  return count
}

function silencePath(home: string): string {
  return join(home, 'cache', 'hooks', 'silences.jsonl')
}

function readLines(path: string): string[] {
  try {
    return readOwnFile(path).toString('utf8').split('\n')
  } catch {
    return [] // none so far
  }
}
