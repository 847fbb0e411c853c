import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { writeDisposableFile } from '../files/atomic-write.ts'
import { makeOwnFolder, readOwnFile } from '../files/own-files.ts'
import { isRunning } from '../files/running.ts'
import { shortHash } from '../text/ids.ts'

interface Whose {
  home: string
  project: string
}

/** Without the token: whoever has opened the page has a key already, anybody else is told at the door how to get one. */
const Mark = z.object({ pid: z.int().positive(), port: z.int().min(1).max(65_535) })

/** Lets other commands know where the page of this project is to be seen. Returns what takes the mark away. */
export function markRunning(whose: Whose, port: number): () => void {
  const file = markFile(whose)
  const own = JSON.stringify({ pid: process.pid, port })
  makeOwnFolder(dirname(file), 0o700)
  writeDisposableFile(file, own)
  return () => {
    // One that was started later has the place now.
    if (textOf(file) === own) rmSync(file, { force: true })
  }
}

/** Where the page of this project is served at this moment, e.g. `http://127.0.0.1:4747`; undefined when it is not. */
export function runningDashboard(whose: Whose): string | undefined {
  const mark = Mark.safeParse(jsonOf(textOf(markFile(whose))))
  return mark.success && isRunning(mark.data.pid) ? `http://127.0.0.1:${mark.data.port}` : undefined
}

function markFile({ home, project }: Whose): string {
  return join(home, 'run', `dashboard-${shortHash(project, 16)}.json`)
}

function textOf(file: string): string | undefined {
  try {
    return readOwnFile(file).toString('utf8')
  } catch {
    return undefined // none is running
  }
}

function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined // not ours
  }
}
