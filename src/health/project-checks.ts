import { existsSync } from 'node:fs'
import { rm, statfs } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { type Config, projectLayer, userLayer } from '../config.ts'
import { errnoOf, messageOf } from '../errors.ts'
import { writeOwnFile } from '../files/own-files.ts'
import { closeHome, openToOthers } from '../files/private-folder.ts'
import { temporaryBeside } from '../files/temporary-name.ts'
import { initCommand } from '../files/where-to-init.ts'
import { replaceProjectFile } from '../identity/project-file.ts'
import { BOARD_FILES, setUpProject } from '../project-setup.ts'
import { orLeftOut, type SettingsTrouble } from '../settings-layers.ts'
import type { DoctorParts } from './checks.ts'
import { FIX, ok, problem, type Result, together, warning } from './finding.ts'
import { git, tracked } from './git.ts'

const LOW_DISK_BYTES = 200 * 1024 * 1024

export function hasMemory({ paths }: Config): boolean {
  return existsSync(paths.database)
}

export async function checkProject({ config, identity }: DoctorParts): Promise<Result> {
  const { project, paths } = config
  if (!hasMemory(config))
    return warning(`${project} has no .ralph yet`, initCommand(config), 'Nothing is remembered here so far.')
  const missing = missingBoardFiles(config)
  const found: Result[] = []
  if (missing.length > 0)
    found.push(
      warning(
        `.ralph/db lacks ${missing.join(', ')}`,
        FIX,
        'Features and tasks have no place to be written down.',
      ),
    )
  const { problem: trouble, state, elsewhere } = identity.look()
  const isNamed = existsSync(paths.identity)
  if (trouble)
    found.push(
      warning(trouble.message, state === 'named' ? FIX : trouble.hint, 'Its memory may be kept apart.'),
    )
  else if (!isNamed)
    found.push(warning(`${paths.identity} is missing`, FIX, 'No other copy of the project finds its memory.'))
  const board = existsSync(join(paths.database, BOARD_FILES[0]!)) ? '' : '; it has journals and no board'
  return together(found, [project, ...elsewhere].join(', also in ') + board)
}

/** Memory does without a board; but half of one is a fault. */
function missingBoardFiles({ paths }: Config): string[] {
  const missing = BOARD_FILES.filter((name) => !existsSync(join(paths.database, name)))
  return missing.length < BOARD_FILES.length ? missing : []
}

export async function mendProject({ config, identity }: DoctorParts): Promise<string> {
  const { id, problem: trouble, state } = identity.look()
  const restored = await restoreFromGit(config)
  const made = (await setUpProject(config, { board: missingBoardFiles(config).length > 0 }))
    .filter(({ action }) => action === 'created')
    .map(({ path }) => path)
  const done = restored.length > 0 ? [`brought ${restored.join(', ')} back from git`] : []
  if (made.length > 0) done.push(`made ${made.join(', ')}`)
  // A copy carries the id of another project, which only a person can settle; a broken file is what this machine knows.
  if (trouble && state === 'named' && id !== undefined) {
    await replaceProjectFile(config.paths.identity, id)
    done.push('wrote .ralph/project.json again, with the id that this project had here so far')
  }
  return done.join('; ') || 'nothing was missing'
}

/** An empty file in place of one that git has would look like an empty board. */
async function restoreFromGit({ project, paths }: Config): Promise<string[]> {
  const ours = [...BOARD_FILES.map((name) => join(paths.database, name)), paths.identity]
  const missing = ours.filter((path) => !existsSync(path)).map((path) => relative(project, path))
  const known = missing.length > 0 ? await tracked(project, missing) : []
  for (const path of known) await git(project, 'checkout-index', '--', path)
  return known.filter((path) => existsSync(join(project, path)))
}

/** As they are now: they were read at the start, and somebody may have changed them since. */
export async function checkSettings({ config }: DoctorParts): Promise<Result> {
  const { projectFile, userFile } = config.paths
  const files = [projectFile, userFile]
  const troubles: SettingsTrouble[] = config.troubles.filter(({ source }) => !files.includes(source))
  const { checkedLayer } = await import('../settings-schema.ts')
  await orLeftOut(troubles, userFile, () => void checkedLayer(userLayer(config.paths)), undefined)
  const untrusted = await orLeftOut(
    troubles,
    projectFile,
    async () => (await projectLayer(config)).untrusted,
    [],
  )
  const found = troubles.map(({ message, hint }) =>
    problem(message, hint, 'Commands refuse to run until it is mended; status and doctor go on without it.'),
  )
  return together(found, untrusted.length === 0 ? 'can be read' : 'can be read; some wait for trust')
}

export async function checkWritable({ config }: DoctorParts): Promise<Result> {
  const found: Result[] = []
  const { database, cache } = config.paths
  // The user's folder is made by whoever first has something to keep: what it would be made in must take it.
  const folders = [...[database, cache].filter((folder) => existsSync(folder)), nearestFolder(config.home)]
  for (const folder of folders) {
    try {
      // Asking for the right to is no answer: a full or read-only disk has it too, and Windows says yes to everything.
      const probe = temporaryBeside(join(folder, 'doctor'))
      writeOwnFile(probe, 'can this be written?', { access: 'create' })
      await rm(probe)
    } catch (error) {
      const why = errnoOf(error) ?? messageOf(error)
      found.push(
        problem(
          `${folder} cannot be written (${why})`,
          'Check its owner and permissions, and the disk.',
          'Nothing new is remembered.',
        ),
      )
    }
  }
  return together(found, 'project and user data can be written')
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path))
}

export async function checkDisk({ config }: DoctorParts): Promise<Result> {
  const { bavail, bsize } = await statfs(config.project)
  const free = bavail * bsize
  const detail = `${Math.round(free / 1024 / 1024)} MB free`
  return free < LOW_DISK_BYTES
    ? warning(detail, 'Free some space.', 'Records are refused when the disk is full.')
    : ok(detail)
}

/** What agents said and did is nobody else's business. */
export async function checkPrivacy({ config: { home } }: DoctorParts): Promise<Result> {
  const open = openToOthers(home)
  if (open.length === 0) return ok(existsSync(home) ? `${home} is yours alone` : `${home} is not there yet`)
  return together(
    open.map((path) =>
      warning(`${path} can be read by others on this machine`, FIX, 'They could read what agents did.'),
    ),
    '',
  )
}

export async function mendPrivacy({ config: { home } }: DoctorParts): Promise<string> {
  closeHome(home)
  return 'closed to others what is ours'
}
