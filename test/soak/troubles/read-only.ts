import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runMixed } from '../core/mixed.ts'
import { skipped, type Trial } from '../core/trial.ts'
import { fromRoot, type World } from '../core/world.ts'

/** Root may write everywhere: there, writers are somebody else. */
const NOBODY = 65_534

/** Folders and files that lose their permission to be written, and get it back, under those who write. */
export const readOnly: Trial = {
  name: 'read-only',
  what: 'folders and files that cannot be written for a while',
  share: 3,
  run: async (context) => {
    const uid = process.getuid?.() === 0 ? NOBODY : undefined
    const why = whyNot(uid)
    if (why !== undefined) return skipped(readOnly, why)
    const { random } = context
    const result = await runMixed(readOnly, context, {
      paths: ['record', 'learnings', 'board', 'knowledge', 'conversations'],
      mayRefuse: true,
      how: { child: () => ({ uid }) },
      prepared: ({ folder }) => {
        if (uid === undefined) return
        for (const path of [folder, ...everythingIn(folder)]) chownSync(path, uid, uid)
      },
      beside: async (world, signal) => {
        while (!signal.aborted) {
          await sleep(random.between(200, 800))
          const places = random.of([[world.project], [world.home], [world.project, world.home]])
          allow(places, false)
          await sleep(random.between(50, 400))
          allow(places, true)
        }
        allow([world.project, world.home], true)
        if (uid !== undefined) giveBack(world)
      },
    })
    const failures = result.refused === 0 ? ['nothing was ever refused: the folders were never closed'] : []
    return { ...result, failures: [...result.failures, ...failures] }
  },
}

function whyNot(uid: number | undefined): string | undefined {
  if (process.platform === 'win32') return 'files have no permission bits on Windows'
  const program = fromRoot('test/soak/core/writer.ts')
  const reads = `require('fs').readFileSync(${JSON.stringify(program)})`
  const { status } = spawnSync(process.execPath, ['-e', reads], { ...(uid !== undefined && { uid }) })
  return status === 0 ? undefined : 'no other user of this machine may read this folder'
}

/** Also what appears meanwhile: whoever has a file open may go on writing it, as everywhere. */
function allow(places: readonly string[], writable: boolean): void {
  for (const path of places.flatMap((place) => [place, ...everythingIn(place)])) {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (!stats || stats.isSymbolicLink()) continue
    const mode = stats.isDirectory() ? (writable ? 0o755 : 0o555) : writable ? 0o644 : 0o444
    if (existsSync(path)) chmodSync(path, mode)
  }
}

/** Whoever looks afterwards is root again. */
function giveBack({ folder }: World): void {
  for (const path of [folder, ...everythingIn(folder)])
    if (existsSync(path)) chownSync(path, process.getuid!(), process.getgid!())
}

function everythingIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))
}
