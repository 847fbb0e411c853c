import { statSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { messageOf } from '../errors.ts'
import { makeOwnFolder, writeOwnFile } from '../files/own-files.ts'
import { openRalph, type Ralph } from '../ralph.ts'
import { redact } from '../text/redact.ts'
import { workOutFacts } from './facts/work-out.ts'
import { forsakenSessions } from './forsaken.ts'
import { serveHelper } from './helper.ts'
import { sessionsDir } from './places.ts'
import { recordSession } from './record-session.ts'
import { removeOldSessions, SessionNotes } from './session-notes.ts'

/** The agent writes the last lines of its session while it is already telling us that it ends. */
const LAST_LINES_MS = 700
const LONGEST_LOG = 1_000_000

/** `ralph hook background PROJECT JOB …`: what takes longer than a hook may. Nobody reads what it prints, so it logs. */
export async function runBackground([project, job, subject]: readonly string[]): Promise<void> {
  const ralph = await openRalph({ project, onNotice: ({ message }) => log(ralph?.config, message) })
  try {
    if (job === 'facts' && subject !== undefined) await workOutFacts(ralph.config, subject)
    if (job === 'record' && subject !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, LAST_LINES_MS))
      await record(ralph, new SessionNotes(sessionsDir(ralph.config), subject))
      // The storage works: what could not be recorded while it did not is recorded now.
      await sweep(ralph)
    }
    if (job === 'sweep') await sweep(ralph)
    if (job === 'sync') await (await import('../sync/sync.ts')).syncSessions(ralph)
    if (job === 'serve') {
      takePrecedence()
      await serveHelper(ralph)
    }
  } catch (error) {
    log(ralph.config, `${job} ${subject ?? ''}: ${messageOf(error)}`)
  } finally {
    await ralph.close()
  }
}

/** An agent waits for each answer of a helper. Windows allows it to everybody, other systems to the administrator. */
function takePrecedence(): void {
  try {
    setPriority(constants.priority.PRIORITY_ABOVE_NORMAL)
  } catch {
    // Not allowed: then it takes its turn.
  }
}

async function record(ralph: Ralph, notes: SessionNotes): Promise<void> {
  const recorded = await recordSession(ralph, notes)
  if (recorded.feature !== undefined) await workOutFacts(ralph.config, recorded.feature)
}

/** Sessions that were killed told nobody: what they left is recorded by whoever notices. */
async function sweep(ralph: Ralph): Promise<void> {
  for (const notes of forsakenSessions(ralph.config)) {
    await record(ralph, notes).catch((error) => log(ralph.config, `sweep: ${messageOf(error)}`))
  }
  removeOldSessions(sessionsDir(ralph.config))
}

function log(config: Config | undefined, line: string): void {
  if (!config) return
  const path = join(config.paths.logs, 'hooks.log')
  makeOwnFolder(config.paths.logs, 0o700)
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LONGEST_LOG) return
  const text = `${new Date().toISOString()} ${config.project} ${redact(line).replace(/\s+/g, ' ')}\n`
  writeOwnFile(path, text, { access: 'append', mode: 0o600 })
}
