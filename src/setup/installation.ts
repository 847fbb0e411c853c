import { once } from 'node:events'
import { readFileSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import spawn from 'cross-spawn'
import { programFile } from '../agent-config/found-agents.ts'
import type { PortableWay } from '../agent-config/ralph-command.ts'
import { messageOf, RalphError } from '../errors.ts'
import { isFolderOfProject } from '../files/project-path.ts'
import { installationAt } from '../installation.ts'
import { asObject } from '../text/json.ts'
import { packageRoot, version } from '../version.ts'

/**
 * How whoever comes later finds ralph. `search_path`: by its name. `project`: among the project's own packages. `for_one_run`:
 * not at all, npx fetched it for this once. `folder`: by its path alone.
 */
export type Reach = 'search_path' | 'project' | 'for_one_run' | 'folder'

export interface ReachPlaces {
  project: string
  searchPath: string | undefined
  /** Of the package that runs. */
  root?: string
}

export function reachOf({ project, searchPath, root = packageRoot }: ReachPlaces): Reach {
  if (lastingRalph(searchPath) !== undefined) return 'search_path'
  if (isForOneRun(root)) return 'for_one_run'
  return isFolderOfProject(root, join(project, 'node_modules')) ? 'project' : 'folder'
}

/** Whether it is gone whenever npm tidies up. */
export function isForOneRun(root = packageRoot): boolean {
  return installationAt(root).kind === 'for-one-run'
}

/** How a file that others use starts ralph. */
export function portableWay(reach: Reach): PortableWay {
  return reach === 'search_path' ? 'ralph' : 'npx'
}

/** The `ralph` that a shell finds tomorrow: what npm puts in front of the path lasts only as long as npm runs. */
function lastingRalph(searchPath: string | undefined): string | undefined {
  const lasting = (searchPath ?? '')
    .split(delimiter)
    .filter((folder) => !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder))
  const found = programFile('ralph', lasting.join(delimiter))
  return found !== undefined && isOurs(found) ? found : undefined
}

/** Others have programs of that name. */
function isOurs(program: string): boolean {
  const package_ =
    process.platform === 'win32'
      ? join(dirname(program), 'node_modules', 'ralph-memory')
      : dirname(dirname(realpathSync(program)))
  try {
    return (
      asObject(JSON.parse(readFileSync(join(package_, 'package.json'), 'utf8')))?.['name'] === 'ralph-memory'
    )
  } catch {
    return false
  }
}

/** What npx was told to fetch, so that the same is installed for good. */
export function installedSpec(root = packageRoot): string {
  try {
    const { _npx } = JSON.parse(readFileSync(join(root, '..', '..', 'package.json'), 'utf8'))
    const [spec] = _npx.packages
    if (typeof spec === 'string' && spec !== '') return spec
  } catch {
    // Fetched by another program than npx, or by a version that keeps no such note.
  }
  return `ralph-memory@${version}`
}

/** Has npm install it for all projects; what npm says goes where our own talk goes. */
export async function installForGood(spec: string, searchPath: string | undefined): Promise<void> {
  const npm = programFile('npm', searchPath)
  if (npm === undefined) throw notInstalled(spec, 'npm is not on the search path')
  // On Windows a script, mostly in C:\Program Files: a shell has to start it, and finds it by its name.
  const child = spawn(
    process.platform === 'win32' ? 'npm' : npm,
    ['install', '--global', '--no-fund', '--no-audit', spec],
    {
      stdio: ['ignore', 2, 2],
    },
  )
  const [code] = await once(child, 'close').catch((error: unknown) => {
    throw notInstalled(spec, messageOf(error))
  })
  if (code !== 0) throw notInstalled(spec, `npm ended with ${code}`)
}

function notInstalled(spec: string, why: string): RalphError {
  return new RalphError('unavailable', `ralph could not be installed: ${why}`, {
    hint: `Install it yourself (npm install --global ${spec}), then run: ralph init`,
  })
}
